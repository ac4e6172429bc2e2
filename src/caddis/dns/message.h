// DNS messages (RFC 1035 section 4), as far as answers need them. Limits: names of 255 bytes, compression pointers only
// backwards; a message that breaks off is refused as a whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::dns {

enum class Type : uint16_t { a = 1, ns = 2, cname = 5, ptr = 12, aaaa = 28, dname = 39 };

struct Record {
  std::string name;  // in presentation form, with the root's dot: "www.example.org."
  Type type{};
  uint16_t record_class = 1;
  uint32_t ttl = 0;
  std::string data;  // in presentation form; \# of RFC 3597 for types not known here
  bool operator==(const Record&) const = default;
};

struct Message {
  int response_code = 0;
  std::vector<Record> answers;
};

Result<Message> parse_message(std::string_view bytes);

// A question for one name ("www.example.org."), with recursion and the id 0, as RFC 8484 section 4.1 wants it.
// ErrorCode::not_found: it is no name that DNS can ask for.
Result<std::string> query_message(std::string_view name, Type type);

// "www.example.org.\t300\tIN\tA\t192.0.2.1"
std::string to_string(const Record& record);

}  // namespace caddis::dns
