#include "caddis/engine/path_pattern.h"

#include "caddis/url/percent.h"

namespace caddis::engine {
namespace {

// The first segment of `path`, which is cut to what follows its slash.
std::string_view take_segment(std::string_view& path) {
  const size_t slash = path.find('/');
  const std::string_view segment = path.substr(0, slash);
  path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  return segment;
}

}  // namespace

std::optional<Segments> match_path(std::string_view pattern, std::string_view path) {
  Segments segments;
  if (!pattern.starts_with('/') || !path.starts_with('/')) return std::nullopt;
  pattern.remove_prefix(1);
  path.remove_prefix(1);
  while (!pattern.empty()) {
    if (pattern.ends_with("...}") && pattern.find('/') == std::string_view::npos) {
      segments.emplace(pattern.substr(1, pattern.size() - 5), url::percent_decode(path));
      return segments;
    }
    const std::string_view wanted = take_segment(pattern);
    const std::string_view found = take_segment(path);
    if (wanted.starts_with('{')) {
      if (found.empty()) return std::nullopt;
      segments.emplace(wanted.substr(1, wanted.size() - 2), url::percent_decode(found));
    } else if (wanted != found) {
      return std::nullopt;
    }
  }
  if (!path.empty()) return std::nullopt;
  return segments;
}

}  // namespace caddis::engine
