// The documents of Heritrix's REST API as trees, and the two forms in which they are sent. A list is written as elements
// `value` in XML, and as an array in JSON; the twins say the same.
//
//   Node job{Fields{}};
//   job.add("shortName", Node(name)).add("isRunning", Node(true));
//   http body = to_xml("job", job);
//
// Plain values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace caddis::rest {

struct Node;
using Field = std::pair<std::string, Node>;
using Fields = std::vector<Field>;
using Items = std::vector<Node>;

struct Node {
  Node() = default;  // null: an empty element
  explicit Node(std::string text) : value(std::move(text)) {}
  explicit Node(std::string_view text) : value(std::string(text)) {}
  explicit Node(const char* text) : value(std::string(text)) {}
  explicit Node(bool flag) : value(flag) {}
  explicit Node(int64_t number) : value(number) {}
  explicit Node(double number) : value(number) {}
  explicit Node(Fields fields) : value(std::move(fields)) {}
  explicit Node(Items items) : value(std::move(items)) {}

  // Adds the next field of an object.
  Node& add(std::string_view name, Node field);
  // The same for a number of things or bytes; what is beyond 2^63 is cut.
  Node& count(std::string_view name, uint64_t number);

  std::variant<std::monostate, std::string, bool, int64_t, double, Fields, Items> value;
};

// A list of texts.
Node texts(const std::vector<std::string>& lines);

// XML 1.0 in UTF-8. A character that XML cannot hold becomes U+FFFD.
std::string to_xml(std::string_view root, const Node& node);
std::string to_json(const Node& node);

}  // namespace caddis::rest
