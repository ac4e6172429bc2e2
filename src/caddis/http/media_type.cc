#include "caddis/http/media_type.h"

#include "caddis/base/strings.h"
#include "caddis/http/head.h"

namespace caddis::http {
namespace {

// RFC 6838 section 4.2: of type and subtype.
constexpr size_t kMaxName = 127;

bool is_name(std::string_view text) { return text.size() <= kMaxName && is_token(text); }

}  // namespace

std::string_view MediaType::parameter(std::string_view name) const {
  for (const Parameter& each : parameters) {
    if (equals_ignore_case(each.name, name)) return each.value;
  }
  return {};
}

MediaType parse_media_type(std::string_view value) {
  MediaType type;
  // Blanks and commas end an essence too: "text/html charset=x" and "text/html, text/html" are seen in the wild.
  const size_t end = std::min(value.find_first_of(";, \t", value.find_first_not_of(" \t")), value.size());
  const std::string_view essence = trim(value.substr(0, end));
  const size_t slash = essence.find('/');
  if (slash == std::string_view::npos || !is_name(essence.substr(0, slash)) || !is_name(essence.substr(slash + 1)))
    return type;
  type.essence = to_lower(essence);
  type.parameters = parse_parameters(value.substr(end));
  for (Parameter& each : type.parameters) {
    // Single quotes are no quoting in HTTP, but are in the minds of many who write configurations.
    std::string_view bare = trim(each.value);
    if (bare.size() > 1 && bare.front() == '\'' && bare.back() == '\'') bare = bare.substr(1, bare.size() - 2);
    if (bare.size() != each.value.size()) each.value = std::string(bare);
  }
  return type;
}

MediaType content_type(const Head& head) {
  MediaType found;
  for (const std::string_view value : head.find_all("content-type")) {
    if (MediaType type = parse_media_type(value); !type.essence.empty()) found = std::move(type);
  }
  return found;
}

std::string mime_of(const Head& head) {
  std::string essence = content_type(head).essence;
  return essence.empty() ? "unknown" : essence;
}

}  // namespace caddis::http
