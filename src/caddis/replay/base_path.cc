#include "caddis/replay/base_path.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::replay {
namespace {

// "20260102im_" stands in front of the URLs of captures: client scripts find those by it.
bool looks_like_a_time(std::string_view segment) { return is_digit(segment.front()) && segment.back() == '_'; }

bool is_segment(std::string_view segment) {
  return !segment.empty() && segment.front() != '.' && segment.front() != '~' && segment != "-" &&
         !looks_like_a_time(segment) && std::ranges::all_of(segment, [](char c) {
           return is_alnum(c) || c == '-' || c == '_' || c == '.' || c == '~';
         });
}

}  // namespace

Result<std::string> parse_base_path(std::string_view text) {
  std::string_view path = text;
  if (path.starts_with('/')) path.remove_prefix(1);
  if (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  if (path.empty()) return std::string();
  for (const std::string_view segment : split(path, '/'))
    if (!is_segment(segment))
      return fail(ErrorCode::config, "'" + std::string(text) +
                                         "' is no path for a server: give segments of letters, digits, '-', '_' and "
                                         "'.', as in /wayback or /collections/web");
  return '/' + std::string(path);
}

std::optional<std::string> below_base(std::string_view base, std::string_view target) {
  if (!target.starts_with(base)) return std::nullopt;
  target.remove_prefix(base.size());
  if (!target.starts_with('/')) return std::nullopt;
  return std::string(target);
}

std::optional<http::ServerRequest> below_base(std::string_view base, const http::ServerRequest& request) {
  auto target = below_base(base, target_of(request));
  if (!target) return std::nullopt;
  http::ServerRequest below = request;
  below.path = target->substr(0, target->find('?'));
  below.target = *std::move(target);
  return below;
}

std::string target_of(const http::ServerRequest& request) {
  if (request.target.starts_with('/')) return request.target;
  return request.path + (request.query.empty() ? "" : '?' + request.query);
}

}  // namespace caddis::replay
