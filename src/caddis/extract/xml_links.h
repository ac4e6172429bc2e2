// Links in XML of any kind: feeds, OpenDocument, maps. Internal to extract.
#pragma once

#include <string_view>

#include "caddis/extract/link_sink.h"

namespace caddis::extract {

// Texts and attributes that are surely URLs, href and src also where they are relative, markup inside texts (the items
// of a feed), and `<?xml-stylesheet href="…"?>`.
void extract_xml(std::string_view source, LinkSink& sink);

}  // namespace caddis::extract
