#include "caddis/extract/script_type.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::extract {
namespace {

// "{name}", whose brace stands at the front of `text`.
bool is_braced_name(std::string_view text) {
  const size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.", 1);
  return end != std::string_view::npos && end > 1 && text[end] == '}';
}

}  // namespace

bool is_script_type(std::string_view type) {
  static constexpr std::string_view kNames[] = {"",         "module",       "module-shim",     "text/babel",
                                                "text/jsx", "text/jscript", "text/typescript", "text/partytown"};
  return std::ranges::any_of(kNames, [type](std::string_view name) { return equals_ignore_case(type, name); }) ||
         contains_ignore_case(type, "javascript") || contains_ignore_case(type, "ecmascript") ||
         type.ends_with("-module");
}

bool is_template_type(std::string_view type) {
  static constexpr std::string_view kWords[] = {"template", "tmpl", "mustache", "handlebars", "jsrender"};
  type = trim(type.substr(0, type.find(';')));
  return equals_ignore_case(type, "text/html") ||
         std::ranges::any_of(kWords, [type](std::string_view word) { return contains_ignore_case(type, word); });
}

bool has_placeholder(std::string_view value) {
  static constexpr std::string_view kMarks[] = {"{{", "{%", "{$", "<%", "<?", "${", "#{"};
  if (std::ranges::any_of(kMarks, [value](std::string_view mark) { return value.contains(mark); })) return true;
  for (size_t at = value.find('{'); at != std::string_view::npos; at = value.find('{', at + 1))
    if (is_braced_name(value.substr(at))) return true;
  return false;
}

}  // namespace caddis::extract
