#include "caddis/base/fetch_status.h"

#include <algorithm>
#include <array>

namespace caddis {
namespace {

using enum StatusGroup;

constexpr auto kStatuses = std::to_array<StatusInfo>({
    {status::kUnattempted, retry_now, "S_UNATTEMPTED", "never tried", "it was never tried"},
    {status::kDnsOk, success, "S_DNS_SUCCESS", "address found", ""},
    {status::kGetByNameOk, success, "S_GETBYNAME_SUCCESS", "address found by the system", ""},
    {status::kWhoisOk, success, "S_WHOIS_SUCCESS", "whois answered", ""},
    {status::kGenericOk, success, "S_OTHER_SUCCESS", "fetched", ""},
    {status::kDnsFailed, retry_later, "S_DOMAIN_UNRESOLVABLE", "no address for the host",
     "the name of its host could not be resolved", true},
    {status::kConnectFailed, retry_later, "S_CONNECT_FAILED", "no connection",
     "no connection to its server could be made", true},
    {status::kConnectLost, retry_later, "S_CONNECT_LOST", "connection lost", "the connection to its server was lost"},
    {status::kTimeout, retry_later, "S_TIMEOUT", "no response in time", "its server did not answer in time"},
    {status::kRuntimeException, failure, "S_RUNTIME_EXCEPTION", "internal failure",
     "the crawler failed while fetching it"},
    {status::kDomainPrerequisiteFailed, failure, "S_DOMAIN_PREREQUISITE_FAILURE", "host could not be resolved",
     "the name of its host could not be resolved"},
    {status::kUnfetchable, failure, "S_UNFETCHABLE_URI", "no such URL can be fetched",
     "it is of a kind that cannot be fetched"},
    {status::kTooManyRetries, failure, "S_TOO_MANY_RETRIES", "too many tries",
     "it was tried too often without success"},
    {status::kTlsFailed, retry_later, "S_SSL_ERROR", "no TLS with the server",
     "no secure connection to its server could be made", true},
    {status::kDeferred, after_prerequisite, "S_DEFERRED", "waiting for a prerequisite",
     "it was put off and has not been fetched since"},
    {status::kBlockedByQueue, failure, "S_QUEUE_DISCARDED", "queue discarded",
     "the crawl ended before it was its turn"},
    {status::kRobotsPrerequisiteFailed, failure, "S_ROBOTS_PREREQUISITE_FAILURE", "robots.txt could not be had",
     "the robots.txt of its site could not be fetched"},
    {status::kOtherPrerequisiteFailed, failure, "S_OTHER_PREREQUISITE_FAILURE", "a prerequisite failed",
     "something that had to be fetched before it could not be"},
    {status::kPrerequisiteUnschedulable, failure, "S_PREREQUISITE_UNSCHEDULABLE_FAILURE", "a prerequisite is no URL",
     "something that had to be fetched before it could not be scheduled"},
    {status::kDeemedNotFound, failure, "S_DEEMED_NOT_FOUND", "deemed not found",
     "its server answered like for a page that does not exist"},
    {status::kSevereError, retry_later, "S_SERIOUS_ERROR", "severe failure",
     "the crawler failed badly while fetching it"},
    {status::kTooManyHops, disregarded, "S_TOO_MANY_HOPS", "too many hops", "it was too many links away from a seed"},
    {status::kTooManyLinkHops, disregarded, "S_TOO_MANY_LINK_HOPS", "too many link hops",
     "it was too many links away from a seed"},
    {status::kTooManyEmbedHops, disregarded, "S_TOO_MANY_EMBED_HOPS", "too many embed hops",
     "it was too many embeds away from a page"},
    {status::kTooManyRedirects, disregarded, "S_TOO_MANY_REDIRECTS", "too many redirects in a row",
     "it stood at the end of too many redirects in a row"},
    {status::kOutOfScope, disregarded, "S_OUT_OF_SCOPE", "out of scope", "it is outside the scope of the crawl"},
    {status::kBlockedByUser, disregarded, "S_BLOCKED_BY_USER", "blocked by the operator",
     "the operator of the crawl excluded it"},
    {status::kBlockedByProcessor, disregarded, "S_BLOCKED_BY_CUSTOM_PROCESSOR", "left to another crawler",
     "a processor of the crawl excluded it"},
    {status::kBlockedByQuota, disregarded, "S_BLOCKED_BY_QUOTA", "a quota is used up",
     "a quota of the crawl was used up"},
    {status::kBlockedByRuntimeLimit, disregarded, "S_BLOCKED_BY_RUNTIME_LIMIT",
     "given up when a limit of the crawl was reached", "a limit of the crawl was reached"},
    {status::kAddressRefused, disregarded, "S_ADDRESS_REFUSED", "an address that is not public",
     "its server has an address that is not public"},
    {status::kDeleted, disregarded, "S_DELETED_BY_USER", "deleted by the operator",
     "the operator of the crawl removed it"},
    {status::kInterrupted, disregarded, "S_PROCESSING_THREAD_KILLED", "interrupted",
     "the crawl was stopped while it was fetched"},
    {status::kRobotsPrecluded, disregarded, "S_ROBOTS_PRECLUDED", "forbidden by robots.txt",
     "the robots.txt of its site forbids it"},
});

}  // namespace

std::string_view to_string(StatusGroup group) {
  switch (group) {
    case success:
      return "success";
    case failure:
      return "failure";
    case disregarded:
      return "disregarded";
    case retry_now:
      return "retry now";
    case after_prerequisite:
      return "after prerequisite";
    case retry_later:
      return "retry later";
  }
  return "";
}

std::span<const StatusInfo> all_statuses() { return kStatuses; }

const StatusInfo* find_status(FetchStatus status) {
  const auto found = std::ranges::find(kStatuses, status, &StatusInfo::status);
  return found == kStatuses.end() ? nullptr : &*found;
}

StatusGroup status_group(FetchStatus status) {
  // Nearly every question is about HTTP's own.
  if (status >= 100 && status <= 999) return success;
  if (const StatusInfo* const info = find_status(status)) return info->group;
  return status > 0 ? success : failure;
}

}  // namespace caddis
