// The archive's own pages as HTML: start page, a collection, the calendar of a URL, a list of URLs, "not in the
// archive". Pure: data in, text out. They work without scripts; style.css is in web/replay.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/cdx/capture.h"
#include "caddis/replay/collection.h"

namespace caddis::replay {

// "2 Jan 2026, 03:04:05 UTC"
std::string readable_time(std::string_view timestamp);

struct CollectionSummary {
  std::string name;
  uint64_t captures = 0;
  bool exact = true;
  uint64_t pages = 0;
  bool pages_exact = true;
  std::vector<std::string> problems;  // what of the collection cannot be used, in words
};
std::string start_page(const std::vector<CollectionSummary>& collections);
std::string collection_page(const CollectionSummary& summary, const PageList& pages);

// `from` and `to` limit the period and may be empty.
struct CalendarView {
  std::string collection, url, from, to;
  bool is_exact = false;               // none of other URLs that share the key
  std::vector<cdx::Capture> captures;  // in order of time
  bool cut = false;                    // there are more
};
inline constexpr size_t kCalendarRows = 2000;  // captures in the table below the calendar
std::string calendar_page(const CalendarView& view);
std::string url_list_page(const CalendarView& view);

struct MissingView {
  std::string collection, url;
  std::vector<std::string> problems;        // captures that exist but cannot be shown, in words
  std::vector<std::string> index_problems;  // what of the collection cannot be used, in words
  std::vector<std::string> reasons;         // why, in sentences
  std::vector<cdx::Capture> same_url;       // other captures of it
  std::vector<cdx::Capture> near;           // captures of URLs around it
};
std::string missing_page(const MissingView& view);

// A page with one sentence.
std::string message_page(std::string_view title, std::string_view sentence);

}  // namespace caddis::replay
