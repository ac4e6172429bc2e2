// Paths with names for some of their segments: "/api/jobs/{job}/logs/{log}"; the last may stand for all that follows,
// "{path...}", and for nothing. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace caddis::engine {

using Segments = std::map<std::string, std::string, std::less<>>;

// The segments that have names, percent-decoded. Nothing if the path is another one.
std::optional<Segments> match_path(std::string_view pattern, std::string_view path);

}  // namespace caddis::engine
