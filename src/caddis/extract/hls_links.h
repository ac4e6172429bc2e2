// Links in HLS playlists (RFC 8216, and its second edition, draft-pantos-hls-rfc8216bis). Internal to extract.
#pragma once

#include <string_view>

#include "caddis/extract/link_sink.h"

namespace caddis::extract {

// Segments, keys, maps and renditions, all of hop E. `Renditions::best`: of a multivariant playlist only the variant
// with the highest bandwidth, and the renditions that it names.
void extract_hls(std::string_view playlist, Renditions renditions, LinkSink& sink);

}  // namespace caddis::extract
