// The families of a crawl's key-value store, its streams, and the rows of its `meta` family.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/frontier/frontier.h"
#include "caddis/logs/json_log.h"
#include "caddis/repair/store_rows.h"
#include "caddis/store/kv.h"
#include "caddis/warcstore/rows.h"

namespace caddis::crawl {

using repair::kDigests;
using repair::kMeta;
using repair::kStreams;
static_assert(kMeta == warcstore::kMeta);
inline constexpr store::Family kStatistics = 2;
inline const std::vector<std::string>& family_names() {
  static const std::vector<std::string> names = {"meta",   "streams", "statistics", "hosts",  "chunks", "retries",
                                                 "robots", "inbox",   "due",        "totals", "held",   "digests"};
  return names;
}
inline constexpr frontier::Families kFrontierFamilies = {3, 4, 5, 6, 7, 8, 9, 10};

// Rows of `meta`.
inline constexpr std::string_view kFormatRow = "format";      // the version of all of this
inline constexpr std::string_view kIdentityRow = "identity";  // "<k0> <k1>" in decimal
inline constexpr std::string_view kKeysRow = "keys";          // hashes of the policies of crawl and index key
inline constexpr std::string_view kSettingsRow = "settings";  // effective settings as YAML
using warcstore::kSerialRow;
inline constexpr std::string_view kSeedRow =
    "seed:";  // "seed:<url>" for every seed, discovered ones included: seed_rows.h
inline constexpr std::string_view kRangeRow =
    "range:";  // "range:<block>" → the seed's host at whose address others may be connected to (fetch/address_policy.h)
using repair::kAgainRow;
using repair::kDigestsForgottenRow;
using repair::kGroupRow;
using repair::kLossRow;
using repair::kLostCapturesRow;
using repair::kSeenRunsRow;
using repair::kWentBackRow;
using warcstore::kBegunRow;
inline constexpr std::string_view kSurtRow = "surt:";           // "surt:<prefix>" of a line with + among seeds
inline constexpr std::string_view kNarrowingRow = "surt-out:";  // of a line with -
inline constexpr std::string_view kSeedListRow = "seed-list:";  // "seed-list:<file>" → how far it was read
inline constexpr std::string_view kActionRow = "action:";       // "action:<file>" → how far it was applied
inline constexpr std::string_view kHungRow =
    "hung:";  // "hung:<url>" → "<times> <step>" of a lane that stood still at it
inline constexpr std::string_view kScopeChangedRow =
    "scope-changed";                                       // it is there if URLs wait that an earlier scope took
inline constexpr std::string_view kLogDayRow = "log-day";  // the day of the last lines of logs: "20260102"
inline constexpr std::string_view kModuleRow = "module:";  // "module:<name>" → what its listener keeps
// "writer-failed:<name>" → how many captures it has left out since, a blank, and why.
inline constexpr std::string_view kWriterFailedRow = "writer-failed:";
inline constexpr std::string_view kDictionaryRow = "dictionary";   // that of files packed by zstd
inline constexpr std::string_view kCookieRow = "cookies:";         // "cookies:<domain> <jar>" → docs/formats/cookies.md
inline constexpr std::string_view kCookieFileRow = "cookie-file";  // a hash of the file of cookies.load that was taken
inline constexpr std::string_view kFormat = "caddis-crawl 9";

// Rows of `digests` (docs/formats/digest-index.md).
inline constexpr std::string_view kDigestPackRow = "p";   // "p<number>" → packed rows of originals
inline constexpr std::string_view kDigestRunRow = "r";    // "r<run>" → facts of a run
inline constexpr std::string_view kDigestBlockRow = "b";  // "b<run><block>" → places of originals

// Names of streams.
using repair::is_archive_stream;
using repair::kCdxStream;
using repair::kSeenStream;
using repair::kWarcStream;
// The files of one writer (empty: of the first one), with one prefix of names (empty: the crawl's), with or without a
// dictionary.
inline std::string archive_stream(std::string_view writer, std::string_view prefix, bool has_dictionary) {
  std::string stream = kWarcStream;
  if (!writer.empty() || !prefix.empty() || has_dictionary)
    stream.append("/").append(writer).append("/").append(prefix).append(has_dictionary ? "/zstd" : "");
  return stream;
}
// Beside it, files for one capture each.
inline std::string own_file_stream(const std::string& stream) {
  return stream + (stream == kWarcStream ? "///own" : "/own");
}
// Whether it is one of those of that writer.
inline bool is_stream_of(std::string_view stream, std::string_view writer) {
  if (!is_archive_stream(stream)) return false;
  const size_t slash = stream.find('/');
  if (slash == std::string_view::npos) return writer.empty();
  const std::string_view rest = stream.substr(slash + 1);
  return rest.substr(0, rest.find('/')) == writer;
}
inline constexpr const char* kLogStream = "crawl.log";
inline constexpr const char* kErrorStream = "nonfatal-errors.log";
inline constexpr const char* kProgressStream = "progress-statistics.log";
inline constexpr const char* kOutlinkStream = "outlinks.jsonl";
inline constexpr const char* kUriErrorStream = "uri-errors.log";
inline constexpr const char* kRuntimeStream = "runtime-errors.log";
inline constexpr const char* kAlertStream = "alerts.log";
inline constexpr const char* kJobStream = "job.log";
inline constexpr const char* kMirrorStream = "mirror.jsonl";
inline constexpr const char* kPagesStream = "pages";
// A log by protocol or fate; its file has that name, too.
inline std::string json_log_stream(logs::JsonLog log) { return std::string(to_string(log)) + ".jsonl"; }
inline constexpr const char* kRecoveryStream = "recovery-log";
// Logs that may go on in another file.
inline std::vector<std::string> rolling_logs() {
  std::vector<std::string> names = {kLogStream,     kErrorStream, kUriErrorStream, kRuntimeStream,
                                    kOutlinkStream, kAlertStream, kJobStream,      kProgressStream};
  for (size_t i = 0; i < logs::kJsonLogs; ++i) names.push_back(json_log_stream(static_cast<logs::JsonLog>(i)));
  return names;
}

}  // namespace caddis::crawl
