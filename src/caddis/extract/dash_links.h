// Links in manifests of MPEG-DASH (ISO/IEC 23009-1). Internal to extract.
#pragma once

#include <string_view>

#include "caddis/extract/link_sink.h"

namespace caddis::extract {

// Segments and initializations by templates, timelines and lists, index files and other manifests, all of hop E.
// `Renditions::best`: of each set of renditions only the one with the highest bandwidth. It ends where the sink is full.
void extract_dash(std::string_view manifest, Renditions renditions, LinkSink& sink);

}  // namespace caddis::extract
