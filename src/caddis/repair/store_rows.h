// The families, rows and streams of a crawl's store that a repair reads and writes; crawl/store_layout.h has the others.
#pragma once

#include <string_view>

#include "caddis/store/kv.h"

namespace caddis::repair {

inline constexpr store::Family kMeta = 0, kStreams = 1, kDigests = 11;

// Rows of `meta`.
inline constexpr std::string_view kSeenRunsRow = "seen-runs";  // the seen-set's files (docs/formats/seen.md)
inline constexpr std::string_view kGroupRow = "group:";  // "group:<number>": the latest groups (docs/formats/groups.md)
inline constexpr std::string_view kLossRow = "loss:";    // "loss:<number>" → what a disk lost, in words, for the report
inline constexpr std::string_view kLostCapturesRow =
    "lost-captures:";  // "lost-captures:<WARC file>" → from which offset on its captures are gone
inline constexpr std::string_view kWentBackRow = "went-back";  // the group from which on all are to be done again
inline constexpr std::string_view kAgainRow = "again:";        // "again:<url>": to be captured again

inline constexpr std::string_view kDigestsForgottenRow =
    "digests-forgotten";  // not all payloads that are stored have rows

// Names of streams.
inline constexpr const char* kWarcStream = "warc";
// Each writer beside the first, each prefix of names, and files with a dictionary have streams of their own, which begin
// with this: "warc/pictures/PIC".
constexpr bool is_archive_stream(std::string_view stream) {
  return stream.starts_with(kWarcStream) &&
         (stream.size() == std::string_view(kWarcStream).size() || stream[std::string_view(kWarcStream).size()] == '/');
}
// The index journal names captures as the first writer has stored them.
constexpr bool is_indexed_archive_stream(std::string_view stream) {
  return stream == kWarcStream || stream.starts_with("warc//");
}
inline constexpr const char* kCdxStream = "cdx";
inline constexpr const char* kSeenStream = "seen";

}  // namespace caddis::repair
