// The body of a request other than a GET, as it stands in keys: as a query, as indexers of the field write it.
//
//   a form                       name=value
//   a form with files, JSON      its fields; a second one of a name is "name.2_"
//   anything else                __wb_post_data=<base64>
//
// Such a body stands behind the URL (request_url in line.h). Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "caddis/cdx/capture.h"

namespace caddis::cdx {

inline constexpr size_t kMostKeyBody = 4096;
// As much of a body is read for its key: the fields of JSON are known when it is whole.
inline constexpr size_t kMostKeyInput = 1 << 20;

// At most `kMostKeyBody` bytes.
std::string key_body(std::string_view content_type, std::string_view body);
// Anything else, whatever its type; as older versions write it, some bytes longer.
std::string key_body_of_bytes(std::string_view body);

// Whether a key is that of an answer to a POST, PUT or PATCH.
bool is_key_of_request(std::string_view urlkey);
// The URL under which a capture is indexed: its own, or with what was sent behind it.
std::string indexed_url(const Capture& capture);

}  // namespace caddis::cdx
