// The families of a recording's store and its streams. Rows of `meta` are `format` and those of archive files
// (warcstore/rows.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/store/kv.h"
#include "caddis/warcstore/rows.h"

namespace caddis::recording {

using warcstore::kMeta;
inline constexpr store::Family kStreams = 1, kOriginals = 2;
inline const std::vector<std::string>& family_names() {
  static const std::vector<std::string> names = {"meta", "streams", "originals"};
  return names;
}

inline constexpr std::string_view kFormatRow = "format";
inline constexpr std::string_view kFormat = "caddis-recording 1";

// Names of streams.
inline constexpr const char* kWarcStream = "warc";
inline constexpr const char* kJournalStream = "cdx";
inline constexpr const char* kLogStream = "crawl.log";
inline constexpr const char* kPagesStream = "pages";

}  // namespace caddis::recording
