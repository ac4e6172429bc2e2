#include "caddis/config/scope_line.h"

#include "caddis/base/strings.h"
#include "caddis/url/surt.h"

namespace caddis::config {

bool is_bullet(std::string_view line) { return line.starts_with("- ") || line.starts_with("-\t"); }

std::optional<ScopeLine> parse_scope_line(std::string_view line) {
  line = trim(line);
  if (!line.starts_with('+') && !line.starts_with('-')) return std::nullopt;
  if (is_bullet(line)) return std::nullopt;
  const std::string_view written = trim(line.substr(1));
  if (written.starts_with('+') || written.starts_with('-')) return std::nullopt;
  url::SurtPrefixSet one;
  if (!one.add_line(written) || one.empty()) return std::nullopt;
  return ScopeLine{line.starts_with('-'), *one.begin()};
}

}  // namespace caddis::config
