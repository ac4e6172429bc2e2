#include "caddis/heritrix/expressions.h"

#include <fmt/format.h>

#include "caddis/base/strings.h"

namespace caddis::heritrix {
namespace {

std::string_view without_quotes(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front())
    return text.substr(1, text.size() - 2);
  return text;
}

// The default in an expression; npos-like: false if it has none.
bool default_of(std::string_view inside, bool is_spel, std::string_view& value) {
  const std::string_view sign = is_spel ? "?:" : ":";
  const size_t at = inside.find(sign);
  if (at == std::string_view::npos) return false;
  value = without_quotes(inside.substr(at + sign.size()));
  return true;
}

}  // namespace

std::string without_expressions(const std::string& text, ItemId item, ImportReport& report) {
  if (!text.contains("#{") && !text.contains("${")) return text;
  std::string out;
  size_t at = 0;
  while (at < text.size()) {
    const bool is_spel = text.compare(at, 2, "#{") == 0;
    const size_t end = is_spel || text.compare(at, 2, "${") == 0 ? text.find('}', at) : std::string::npos;
    if (end == std::string::npos) {
      out += text[at++];
      continue;
    }
    const std::string_view whole = std::string_view(text).substr(at, end + 1 - at);
    std::string_view value = whole;
    if (default_of(whole.substr(2, whole.size() - 3), is_spel, value))
      report.note(item,
                  fmt::format("'{}' is calculated when Heritrix starts; its default '{}' counts here", whole, value));
    out += value;
    at = end + 1;
  }
  return out;
}

bool is_open(std::string_view text) { return text.contains("%{") || text.contains("#{"); }

}  // namespace caddis::heritrix
