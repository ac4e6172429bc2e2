#include "caddis/rest/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "caddis/base/check.h"
#include "caddis/base/json_text.h"
#include "caddis/base/utf8.h"

namespace caddis::rest {
namespace {

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};

bool is_xml_character(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF);
}

void append_xml_text(std::string& out, std::string_view text) {
  while (!text.empty()) {
    switch (text.front()) {
      case '&':
        out += "&amp;";
        text.remove_prefix(1);
        continue;
      case '<':
        out += "&lt;";
        text.remove_prefix(1);
        continue;
      case '>':
        out += "&gt;";
        text.remove_prefix(1);
        continue;
      case '\r':  // a reader would make a line end of it
        out += "&#13;";
        text.remove_prefix(1);
        continue;
      default:
        break;
    }
    const char32_t character = take_utf8(text);
    append_utf8(out, is_xml_character(character) ? character : U'\uFFFD');
  }
}

std::string number_text(double number) { return fmt::format("{}", number); }

void append_xml(std::string& out, std::string_view name, const Node& node, size_t depth) {
  const std::string indent(2 * depth, ' ');
  const auto scalar = [&](std::string_view text) {
    out += fmt::format("{}<{}>", indent, name);
    append_xml_text(out, text);
    out += fmt::format("</{}>\n", name);
  };
  const auto nested = [&](const auto& children, const auto& append) {
    if (children.empty()) {
      out += fmt::format("{0}<{1}></{1}>\n", indent, name);
      return;
    }
    out += fmt::format("{}<{}>\n", indent, name);
    for (const auto& child : children) append(child);
    out += fmt::format("{}</{}>\n", indent, name);
  };
  std::visit(Match{
                 [&](std::monostate) { scalar(""); },
                 [&](const std::string& text) { scalar(text); },
                 [&](bool flag) { scalar(flag ? "true" : "false"); },
                 [&](int64_t number) { scalar(fmt::format("{}", number)); },
                 [&](double number) { scalar(number_text(number)); },
                 [&](const Fields& fields) {
                   nested(fields, [&](const Field& field) { append_xml(out, field.first, field.second, depth + 1); });
                 },
                 [&](const Items& items) {
                   nested(items, [&](const Node& item) { append_xml(out, "value", item, depth + 1); });
                 },
             },
             node.value);
}

void append_json(std::string& out, const Node& node) {
  std::visit(Match{
                 [&](std::monostate) { out += "null"; },
                 [&](const std::string& text) { append_json_string(out, text); },
                 [&](bool flag) { out += flag ? "true" : "false"; },
                 [&](int64_t number) { out += fmt::format("{}", number); },
                 [&](double number) { out += number_text(number); },
                 [&](const Fields& fields) {
                   out += '{';
                   for (size_t i = 0; i < fields.size(); ++i) {
                     if (i != 0) out += ',';
                     append_json_string(out, fields[i].first);
                     out += ':';
                     append_json(out, fields[i].second);
                   }
                   out += '}';
                 },
                 [&](const Items& items) {
                   out += '[';
                   for (size_t i = 0; i < items.size(); ++i) {
                     if (i != 0) out += ',';
                     append_json(out, items[i]);
                   }
                   out += ']';
                 },
             },
             node.value);
}

}  // namespace

Node& Node::add(std::string_view name, Node field) {
  auto* fields = std::get_if<Fields>(&value);
  CADDIS_CHECK(fields != nullptr);
  fields->emplace_back(std::string(name), std::move(field));
  return *this;
}

Node& Node::count(std::string_view name, uint64_t number) {
  constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  return add(name, Node(static_cast<int64_t>(std::min(number, kMost))));
}

Node texts(const std::vector<std::string>& lines) {
  Items items;
  for (const std::string& line : lines) items.emplace_back(line);
  return Node(std::move(items));
}

std::string to_xml(std::string_view root, const Node& node) {
  // Without an encoding, as Heritrix has it: lxml reads no decoded text that names one.
  std::string out = "<?xml version=\"1.0\" standalone=\"yes\"?>\n";
  append_xml(out, root, node, 0);
  return out;
}

std::string to_json(const Node& node) {
  std::string out;
  append_json(out, node);
  return out + "\n";
}

}  // namespace caddis::rest
