#include "caddis/robots/line_reader.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/robots/robots.h"

namespace caddis::robots {
namespace {

struct Name {
  std::string_view name;
  Directive directive;
};
// With the misspellings that real files hold often enough to matter.
constexpr Name kNames[] = {
    {"user-agent", Directive::user_agent},   {"useragent", Directive::user_agent},
    {"user agent", Directive::user_agent},   {"disallow", Directive::disallow},
    {"dissallow", Directive::disallow},      {"dissalow", Directive::disallow},
    {"disalow", Directive::disallow},        {"diasllow", Directive::disallow},
    {"disallaw", Directive::disallow},       {"allow", Directive::allow},
    {"sitemap", Directive::sitemap},         {"site-map", Directive::sitemap},
    {"crawl-delay", Directive::crawl_delay},
};

Directive directive_of(std::string_view name) {
  const auto found =
      std::ranges::find_if(kNames, [&](const Name& known) { return equals_ignore_case(known.name, name); });
  return found == std::end(kNames) ? Directive::unknown : found->directive;
}

// Without a colon, a name and a single value with white space between are understood as well.
size_t find_separator(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon != text.npos) return colon;
  const size_t space = text.find_first_of(" \t");
  if (space == text.npos) return text.npos;
  return trim(text.substr(space)).find_first_of(" \t") == text.npos ? space : text.npos;
}

Line parse_line(std::string_view text, int number) {
  Line line;
  line.number = number;
  text = text.substr(0, Robots::kMaxLine);
  line.text = trim(text.substr(0, text.find('#')));
  const size_t separator = find_separator(line.text);
  if (separator == line.text.npos) return line;
  const std::string_view name = trim(line.text.substr(0, separator));
  if (name.empty()) return line;
  line.directive = directive_of(name);
  line.value = trim(line.text.substr(separator + 1));
  return line;
}

}  // namespace

LineReader::LineReader(std::string_view text) : rest_(text) {
  for (char mark : {'\xEF', '\xBB', '\xBF'}) {
    if (!rest_.starts_with(mark)) break;
    rest_.remove_prefix(1);
  }
}

bool LineReader::next(Line& line) {
  if (ended_) return false;
  const size_t end = rest_.find_first_of("\r\n");
  line = parse_line(rest_.substr(0, end), ++number_);
  if (end == rest_.npos) {
    ended_ = true;
    return true;
  }
  rest_.remove_prefix(rest_.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
  // What follows the last line end is a line only if something stands there.
  ended_ = rest_.empty();
  return true;
}

}  // namespace caddis::robots
