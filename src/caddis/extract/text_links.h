// Links in texts: subtitles, calendars, business cards, and any bytes. Internal to extract.
#pragma once

#include <string_view>

#include "caddis/extract/link_sink.h"

namespace caddis::extract {

// Adds the absolute URLs that stand in `text`, without the marks that end a sentence or a bracket around them.
void add_urls_in(std::string_view text, Hop hop, std::string_view context, LinkSink& sink);

// WebVTT and SubRip: URLs in the texts, links in their markup, and cues that are a picture ("s.jpg#xywh=0,0,160,90").
void extract_subtitles(std::string_view text, LinkSink& sink);

// iCalendar (RFC 5545, RFC 7986) and vCard (RFC 6350): properties that are URLs, and URLs in texts.
void extract_calendar(std::string_view text, LinkSink& sink);

}  // namespace caddis::extract
