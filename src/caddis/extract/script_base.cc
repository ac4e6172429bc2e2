#include "caddis/extract/script_base.h"

#include "caddis/extract/js_strings.h"

namespace caddis::extract {
namespace {

constexpr auto kNone = std::string_view::npos;

// The text of the string that is the value of the key `key` behind `from`; empty if none follows it at once.
std::string value_of_key(std::string_view script, size_t from, std::string_view key) {
  constexpr size_t kFront = 4096;
  script = script.substr(from, kFront);
  const size_t at = script.find(key);
  if (at == kNone || at == 0 || (script[at - 1] != '"' && script[at - 1] != '\'')) return {};
  JsStrings strings(script.substr(at + key.size() + 1));
  JsString value;
  if (!strings.next(value) || value.before != ':' || value.is_part) return {};
  return value.has_escape ? js_unescape(value.raw) : std::string(value.raw);
}

}  // namespace

std::string drupal_base(std::string_view script) {
  constexpr std::string_view kCall = "(Drupal.settings,", kState = "{\"path\":{\"baseUrl\":";
  if (const size_t call = script.find(kCall); call != kNone) return value_of_key(script, call, "basePath");
  const size_t start = script.find_first_not_of(" \t\r\n");
  return start != kNone && script.substr(start).starts_with(kState) ? value_of_key(script, start, "baseUrl")
                                                                    : std::string();
}

}  // namespace caddis::extract
