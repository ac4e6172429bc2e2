#include "caddis/base/json_text.h"

#include <fmt/format.h>

#include <cmath>

#include "caddis/base/utf8.h"

namespace caddis {

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (size_t i = 0; i < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c >= 0x80) {
      const size_t length = utf8_length(text.substr(i));
      if (length == 0) {
        out += "\xEF\xBF\xBD";
        ++i;
      } else {
        out.append(text, i, length);
        i += length;
      }
      continue;
    }
    ++i;
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (c < 0x20)
          out += fmt::format("\\u{:04x}", c);
        else
          out += static_cast<char>(c);
    }
  }
  out += '"';
}

JsonObject& JsonObject::add(std::string_view name, std::string_view value) {
  if (text_.size() > 1) text_ += ',';
  append_json_string(text_, name);
  text_ += ':';
  append_json_string(text_, value);
  return *this;
}

JsonObject& JsonObject::add(std::string_view name, double value) {
  return add_raw(name, std::isfinite(value) ? fmt::format("{}", value) : "null");
}

JsonObject& JsonObject::add_raw(std::string_view name, std::string_view json) {
  if (text_.size() > 1) text_ += ',';
  append_json_string(text_, name);
  text_ += ':';
  text_ += json;
  return *this;
}

}  // namespace caddis
