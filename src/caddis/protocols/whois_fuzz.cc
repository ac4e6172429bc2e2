// Answers of WHOIS servers: a referral is the host of a URL.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/protocols/whois.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto server = protocols::whois_referral(text);
  if (!server) return 0;
  if (server->empty() || server->find_first_of("/@ \r\n") != std::string::npos) __builtin_trap();
  if (!protocols::whois_url(*server, "a.example", {}).starts_with("whois://" + *server + "/")) __builtin_trap();
  return 0;
}
