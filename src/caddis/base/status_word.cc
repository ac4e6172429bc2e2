#include "caddis/base/status_word.h"

#include <algorithm>
#include <array>

namespace caddis {
namespace {

using Word = std::pair<FetchStatus, std::string_view>;

constexpr std::string_view kConnectTimeout = "connect-timeout";

constexpr auto kWords = std::to_array<Word>({
    {status::kUnattempted, "never-tried"},
    {status::kDnsFailed, "dns-failed"},
    {status::kConnectFailed, "connect-failed"},
    {status::kConnectLost, "connection-lost"},
    {status::kTimeout, "response-timeout"},
    {status::kRuntimeException, "internal-failure"},
    {status::kDomainPrerequisiteFailed, "host-unresolved"},
    {status::kUnfetchable, "unfetchable"},
    {status::kTooManyRetries, "too-many-tries"},
    {status::kTlsFailed, "tls-failed"},
    {status::kDeferred, "deferred"},
    {status::kBlockedByQueue, "queue-discarded"},
    {status::kRobotsPrerequisiteFailed, "robots-unavailable"},
    {status::kOtherPrerequisiteFailed, "prerequisite-failed"},
    {status::kPrerequisiteUnschedulable, "prerequisite-unschedulable"},
    {status::kDeemedNotFound, "deemed-not-found"},
    {status::kSevereError, "severe-failure"},
    {status::kTooManyHops, "too-many-hops"},
    {status::kTooManyLinkHops, "too-many-link-hops"},
    {status::kTooManyEmbedHops, "too-many-embed-hops"},
    {status::kTooManyRedirects, "too-many-redirects"},
    {status::kOutOfScope, "out-of-scope"},
    {status::kBlockedByUser, "blocked-by-operator"},
    {status::kBlockedByProcessor, "blocked-by-processor"},
    {status::kBlockedByQuota, "quota"},
    {status::kBlockedByRuntimeLimit, "limit"},
    {status::kAddressRefused, "address-refused"},
    {status::kDeleted, "deleted"},
    {status::kInterrupted, "interrupted"},
    {status::kRobotsPrecluded, "robots-excluded"},
});

}  // namespace

std::span<const std::pair<FetchStatus, std::string_view>> all_status_words() { return kWords; }

std::string_view status_word(FetchStatus status, bool is_timeout) {
  if (status == status::kConnectFailed && is_timeout) return kConnectTimeout;
  const auto* const found = std::ranges::find(kWords, status, &Word::first);
  return found == kWords.end() ? std::string_view() : found->second;
}

std::optional<FetchStatus> status_of_word(std::string_view word) {
  if (word == kConnectTimeout) return status::kConnectFailed;
  const auto* const found = std::ranges::find(kWords, word, &Word::second);
  if (found == kWords.end()) return std::nullopt;
  return found->first;
}

}  // namespace caddis
