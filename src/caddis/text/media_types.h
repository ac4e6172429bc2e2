// Media types by the endings of names; any thread.
#pragma once

#include <string_view>

namespace caddis::text {

// The media type that a file's name stands for: "text/html" for "a/index.html"; "application/octet-stream" if its ending
// is unknown.
std::string_view media_type_of(std::string_view name);

}  // namespace caddis::text
