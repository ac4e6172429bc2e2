// The families of a crawl's key-value store, its streams, and the rows of its `meta` family.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/frontier/frontier.h"
#include "caddis/repair/store_rows.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

using repair::kDigests;
using repair::kMeta;
using repair::kStreams;
inline constexpr store::Family kStatistics = 2;
inline const std::vector<std::string>& family_names() {
  static const std::vector<std::string> names = {"meta",   "streams", "statistics", "hosts",  "chunks", "retries",
                                                 "robots", "inbox",   "due",        "totals", "held",   "digests"};
  return names;
}
inline constexpr frontier::Families kFrontierFamilies = {3, 4, 5, 6, 7, 8, 9, 10};

// Rows of `meta`.
inline constexpr std::string_view kFormatRow = "format";       // the version of all of this
inline constexpr std::string_view kIdentityRow = "identity";   // "<k0> <k1>" in decimal
inline constexpr std::string_view kKeysRow = "keys";           // hashes of the policies of crawl and index key
inline constexpr std::string_view kSettingsRow = "settings";   // effective settings as YAML
inline constexpr std::string_view kSerialRow = "warc-serial";  // number of the next WARC file
inline constexpr std::string_view kSeedRow =
    "seed:";  // "seed:<url>" for every seed, discovered ones included: seed_rows.h
inline constexpr std::string_view kRangeRow =
    "range:";  // "range:<block>" → the seed's host at whose address others may be connected to (fetch/address_policy.h)
inline constexpr std::string_view kBegunRow = "begun:";  // "begun:<serial>" → path of a WARC file no commit knows yet
using repair::kAgainRow;
using repair::kDigestsForgottenRow;
using repair::kGroupRow;
using repair::kLossRow;
using repair::kLostCapturesRow;
using repair::kSeenRunsRow;
using repair::kWentBackRow;
inline constexpr std::string_view kSurtRow = "surt:";           // "surt:<prefix>" of a line among seeds
inline constexpr std::string_view kSeedListRow = "seed-list:";  // "seed-list:<file>" → how far it was read
inline constexpr std::string_view kActionRow = "action:";       // "action:<file>" → how far it was applied
inline constexpr std::string_view kHungRow =
    "hung:";  // "hung:<url>" → "<times> <step>" of a lane that stood still at it
inline constexpr std::string_view kScopeChangedRow =
    "scope-changed";                                       // it is there if URLs wait that an earlier scope took
inline constexpr std::string_view kModuleRow = "module:";  // "module:<name>" → what its listener keeps
inline constexpr std::string_view kFormat = "caddis-crawl 6";

// Names of streams.
using repair::kCdxStream;
using repair::kSeenStream;
using repair::kWarcStream;
inline constexpr const char* kLogStream = "crawl.log";
inline constexpr const char* kErrorStream = "nonfatal-errors.log";
inline constexpr const char* kProgressStream = "progress-statistics.log";
inline constexpr const char* kPagesStream = "pages";
inline constexpr const char* kRecoveryStream = "recovery-log";

}  // namespace caddis::crawl
