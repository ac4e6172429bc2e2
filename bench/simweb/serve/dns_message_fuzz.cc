// Questions as a hostile or broken resolver sends them; each that may be answered is, within the size it takes.
#include <cstddef>
#include <cstdint>

#include "caddis/base/check.h"
#include "simweb/serve/dns_message.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace simweb;
  const auto query = parse_dns_query(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!query) return 0;
  DnsReply reply{.code = query->error};
  if (query->error == DnsCode::ok) {
    reply.answers = {{query->name, dns_type::cname, 60, "alias.example.test"},
                     {"alias.example.test", dns_type::a, 60, std::string("\x7f\0\0\1", 4)}};
  }
  const std::string bytes = encode_dns_reply(*query, reply);
  CADDIS_CHECK(bytes.size() >= 12 && bytes.size() <= 1232);
  CADDIS_CHECK(!parse_dns_query(bytes));
  reply.answers.clear();
  reply.zone = "example.test";
  CADDIS_CHECK(encode_dns_reply(*query, reply).size() <= 1232);
  return 0;
}
