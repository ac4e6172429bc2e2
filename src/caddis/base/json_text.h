// Writing JSON (RFC 8259) without a library: for lines written in hot paths. Reading goes through nlohmann::json, in
// .cc files.
//
//   JsonObject line;
//   line.add("url", url).add("status", 200);
//   out += line.finish();      // {"url":"...","status":200}
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace caddis {

// Appends `text` as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);

// An object, its members in the order in which they are added.
class JsonObject {
 public:
  JsonObject& add(std::string_view name, std::string_view value);
  JsonObject& add(std::string_view name, const char* value) { return add(name, std::string_view(value)); }
  JsonObject& add(std::string_view name, std::integral auto value) {
    if constexpr (std::same_as<decltype(value), bool>)
      return add_raw(name, value ? "true" : "false");
    else
      return add_raw(name, std::to_string(value));
  }
  JsonObject& add(std::string_view name, double value);
  JsonObject& add_null(std::string_view name) { return add_raw(name, "null"); }
  // `json` is already JSON text.
  JsonObject& add_raw(std::string_view name, std::string_view json);
  // Closes the object; it may not be used afterwards.
  std::string finish() {
    text_ += '}';
    return std::move(text_);
  }

 private:
  std::string text_ = "{";
};

}  // namespace caddis
