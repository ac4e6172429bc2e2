// TimeMaps (RFC 7089, section 5): the captures of one URL in pages, in three forms.
//
//   timemap/<form>/<url>               the first page; most URLs have no other
//   timemap/<form>/<timestamp>/<url>   from that time on
//
// `form` is link (application/link-format), json (a capture a line) or cdxj. A page names the next one by rel="timemap"
// with the time at which that begins, the TimeMap in link format in its text, the others in the field Link.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/url_captures.h"
#include "caddis/replay/memento.h"

namespace caddis::replay {

struct TimeMapRequest {
  cdx::Output form = cdx::Output::link;
  std::string form_name;  // "link"
  std::string from;       // 14 digits, or empty
  std::string url;
};
// `rest` is what stands behind "timemap/". ErrorCode::not_found for a form that is none.
Result<TimeMapRequest> parse_timemap(std::string_view rest);

// A page of at most so many captures, and bytes of them.
inline constexpr size_t kTimeMapCaptures = 10'000;
inline constexpr size_t kTimeMapBytes = 1 << 20;

struct TimeMapPage {
  std::vector<cdx::Capture> captures;
  std::string next;         // where the next page begins; empty: this is the last
  std::string first, last;  // of all captures, not of the page
  uint64_t broken = 0;      // lines that were passed over, since they cannot be parsed
};
// Captures of one URL and second are one memento.
// ErrorCode::timeout if it takes longer than `longest` (0: any time).
Result<TimeMapPage> timemap_page(const cdx::UrlCaptures& captures, std::string_view from, const Clock& clock,
                                 Duration longest);

// The text in the form that was asked for, and for others than link the value of the field Link.
std::string timemap_text(const TimeMapRequest& request, const TimeMapPage& page, const MementoBase& base);
std::string timemap_links(const TimeMapRequest& request, const TimeMapPage& page, const MementoBase& base);

}  // namespace caddis::replay
