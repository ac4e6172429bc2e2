// The body of a request other than a GET, as it stands in keys.
//
// A pure function.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace caddis::cdx {

inline constexpr size_t kMostKeyBody = 4096;

// A form as it is, anything else as `__wb_post_data=` and base64; cut to `kMostKeyBody` bytes.
std::string key_body(std::string_view content_type, std::string_view body);

}  // namespace caddis::cdx
