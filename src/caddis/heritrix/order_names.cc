#include "caddis/heritrix/order_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace caddis::heritrix {
namespace {

using Name = std::pair<std::string_view, std::string_view>;

constexpr auto kNames = std::to_array<Name>({
    {"sotimeout-ms", "soTimeoutMs"},
    {"fetch-bandwidth", "maxFetchKBSec"},
    {"trust-level", "sslTrustLevel"},
    {"robot-validity-duration-seconds", "robotsValidityDurationSeconds"},
    {"block-by-regexp", "blockByRegex"},
    {"allow-by-regexp", "allowByRegex"},
    {"max-size-bytes", "maxFileSizeBytes"},
    {"path", "storePaths"},
    {"pool-max-wait", "poolMaxWaitMs"},
    {"total-bytes-to-write", "maxTotalBytesToWrite"},
    {"regexp", "regex"},
    {"trigger-regexp", "regex"},
    {"build-pattern", "format"},
    {"regexp-list", "regexList"},
    {"list-logic", "listLogicalOr"},
    {"override-logger", "logToFile"},
    {"respect-crawl-delay-up-to-secs", "respectCrawlDelayUpToSeconds"},
    {"total-bandwidth-usage-KB-sec", "totalBandwidthUsageKbSec"},
    {"max-per-host-bandwidth-usage-KB-sec", "maxPerHostBandwidthUsageKbSec"},
    {"seed-redirects-new-seed", "seedsRedirectNewSeeds"},
    {"snooze-deactivate-ms", "snoozeLongMs"},
    {"use-preset-pattern", "usePreset"},
    {"midfetch-decide-rules", "shouldFetchBodyRule"},
    {"filters", "shouldProcessRule"},
    {"max-bytes-download", "maxBytesDownload"},
    {"max-document-download", "maxDocumentsDownload"},
    {"max-time-sec", "maxTimeSeconds"},
    {"logs-path", "path"},
    {"state-path", "dir"},
    {"scratch-path", "scratchDir"},
    {"checkpoints-path", "checkpointsDir"},
    {"bdb-cache-percent", "cachePercent"},
    {"checkpoint-copy-bdbje-logs", "checkpointCopyLogs"},
});

constexpr OrderTarget kDisposition = {"disposition", "DispositionProcessor"},
                      kPreparer = {"preparer", "FrontierPreparer"}, kSeeds = {"seeds", "TextSeedModule"},
                      kController = {"crawlController", "CrawlController"},
                      kLimiter = {"crawlLimiter", "CrawlLimitEnforcer"}, kBdb = {"bdb", "BdbModule"},
                      kLogger = {"loggerModule", "CrawlerLoggerModule"},
                      kCheckpoints = {"checkpointService", "CheckpointService"};

struct Move {
  std::string_view kind, property;
  OrderTarget to;
};

constexpr auto kMoves = std::to_array<Move>({
    {"BdbFrontier", "delayFactor", kDisposition},
    {"BdbFrontier", "minDelayMs", kDisposition},
    {"BdbFrontier", "maxDelayMs", kDisposition},
    {"BdbFrontier", "respectCrawlDelayUpToSeconds", kDisposition},
    {"BdbFrontier", "maxPerHostBandwidthUsageKbSec", kDisposition},
    {"BdbFrontier", "preferenceEmbedHops", kPreparer},
    {"BdbFrontier", "sourceTagSeeds", kSeeds},
    {"BdbFrontier", "pauseAtStart", kController},
    {"BdbFrontier", "pauseAtFinish", kController},
    {"LinksScoper", "preferenceDepthHops", kPreparer},
    {"CrawlOrder", "maxBytesDownload", kLimiter},
    {"CrawlOrder", "maxDocumentsDownload", kLimiter},
    {"CrawlOrder", "maxTimeSeconds", kLimiter},
    {"CrawlOrder", "dir", kBdb},
    {"CrawlOrder", "cachePercent", kBdb},
    {"CrawlOrder", "checkpointCopyLogs", kBdb},
    {"CrawlOrder", "path", kLogger},
    {"CrawlOrder", "checkpointsDir", kCheckpoints},
    {"CrawlOrder", "", kController},  // all others
});

constexpr auto kScopes = std::to_array<Name>({
    {"HostScope", "OnHostsDecideRule"},
    {"DomainScope", "OnDomainsDecideRule"},
    {"PathScope", "SurtPrefixedDecideRule"},
    {"SurtPrefixScope", "SurtPrefixedDecideRule"},
    {"BroadScope", "AcceptDecideRule"},
    {"ClassicScope", "AcceptDecideRule"},
});

}  // namespace

std::string property_name(std::string_view order_name) {
  if (order_name.ends_with("#decide-rules")) return "shouldProcessRule";
  const auto* const known = std::ranges::find(kNames, order_name, &Name::first);
  if (known != std::end(kNames)) return std::string(known->second);
  std::string name;
  bool is_upper = false;
  for (const char c : order_name) {
    if (c == '-') {
      is_upper = true;
      continue;
    }
    name += is_upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    is_upper = false;
  }
  return name;
}

OrderTarget moved_to(std::string_view kind, std::string_view property) {
  const auto* const found = std::ranges::find_if(kMoves, [&](const Move& move) {
    return move.kind == kind && (move.property == property || move.property.empty());
  });
  return found == std::end(kMoves) ? OrderTarget() : found->to;
}

std::string_view seed_rule_of_scope(std::string_view kind) {
  const auto* const found = std::ranges::find(kScopes, kind, &Name::first);
  return found == std::end(kScopes) ? std::string_view() : found->second;
}

}  // namespace caddis::heritrix
