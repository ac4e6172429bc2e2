#include "caddis/fetch/status.h"

#include <algorithm>
#include <array>

#include "caddis/http/reason.h"

namespace caddis::fetch {
namespace {

using enum StatusGroup;

constexpr auto kStatuses = std::to_array<StatusInfo>({
    {status::kUnattempted, retry_now, "S_UNATTEMPTED", "never tried"},
    {status::kDnsOk, success, "S_DNS_SUCCESS", "address found"},
    {status::kGetByNameOk, success, "S_GETBYNAME_SUCCESS", "address found by the system"},
    {status::kWhoisOk, success, "S_WHOIS_SUCCESS", "whois answered"},
    {status::kGenericOk, success, "S_OTHER_SUCCESS", "fetched"},
    {status::kDnsFailed, retry_later, "S_DOMAIN_UNRESOLVABLE", "no address for the host"},
    {status::kConnectFailed, retry_later, "S_CONNECT_FAILED", "no connection"},
    {status::kConnectLost, retry_later, "S_CONNECT_LOST", "connection lost"},
    {status::kTimeout, retry_later, "S_TIMEOUT", "no response in time"},
    {status::kRuntimeException, failure, "S_RUNTIME_EXCEPTION", "internal failure"},
    {status::kDomainPrerequisiteFailed, failure, "S_DOMAIN_PREREQUISITE_FAILURE", "host could not be resolved"},
    {status::kUnfetchable, failure, "S_UNFETCHABLE_URI", "no such URL can be fetched"},
    {status::kTooManyRetries, failure, "S_TOO_MANY_RETRIES", "too many tries"},
    {status::kTlsFailed, failure, "S_SSL_ERROR", "no TLS with the server"},
    {status::kDeferred, after_prerequisite, "S_DEFERRED", "waiting for a prerequisite"},
    {status::kBlockedByQueue, failure, "S_QUEUE_DISCARDED", "queue discarded"},
    {status::kRobotsPrerequisiteFailed, failure, "S_ROBOTS_PREREQUISITE_FAILURE", "robots.txt could not be had"},
    {status::kOtherPrerequisiteFailed, failure, "S_OTHER_PREREQUISITE_FAILURE", "a prerequisite failed"},
    {status::kPrerequisiteUnschedulable, failure, "S_PREREQUISITE_UNSCHEDULABLE_FAILURE", "a prerequisite is no URL"},
    {status::kDeemedNotFound, failure, "S_DEEMED_NOT_FOUND", "deemed not found"},
    {status::kSevereError, retry_later, "S_SERIOUS_ERROR", "severe failure"},
    {status::kTooManyHops, disregarded, "S_TOO_MANY_HOPS", "too many hops"},
    {status::kTooManyLinkHops, disregarded, "S_TOO_MANY_LINK_HOPS", "too many link hops"},
    {status::kTooManyEmbedHops, disregarded, "S_TOO_MANY_EMBED_HOPS", "too many embed hops"},
    {status::kTooManyRedirects, disregarded, "S_TOO_MANY_REDIRECTS", "too many redirects in a row"},
    {status::kOutOfScope, disregarded, "S_OUT_OF_SCOPE", "out of scope"},
    {status::kBlockedByUser, disregarded, "S_BLOCKED_BY_USER", "blocked by the operator"},
    {status::kBlockedByProcessor, disregarded, "S_BLOCKED_BY_CUSTOM_PROCESSOR", "left to another crawler"},
    {status::kBlockedByQuota, disregarded, "S_BLOCKED_BY_QUOTA", "a quota is used up"},
    {status::kBlockedByRuntimeLimit, disregarded, "S_BLOCKED_BY_RUNTIME_LIMIT",
     "given up when a limit of the crawl was reached"},
    {status::kAddressRefused, disregarded, "S_ADDRESS_REFUSED", "an address that is not public"},
    {status::kDeleted, disregarded, "S_DELETED_BY_USER", "deleted by the operator"},
    {status::kInterrupted, retry_now, "S_PROCESSING_THREAD_KILLED", "interrupted"},
    {status::kRobotsPrecluded, disregarded, "S_ROBOTS_PRECLUDED", "forbidden by robots.txt"},
});

const StatusInfo* find(FetchStatus status) {
  const auto found = std::ranges::find(kStatuses, status, &StatusInfo::status);
  return found == kStatuses.end() ? nullptr : &*found;
}

}  // namespace

StatusGroup group(FetchStatus status) {
  if (const StatusInfo* const info = find(status)) return info->group;
  return status > 0 ? success : failure;
}

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

std::string_view describe(FetchStatus status) {
  const StatusInfo* const info = find(status);
  return info != nullptr ? info->text : http::reason_of(status);
}

std::span<const StatusInfo> all_statuses() { return kStatuses; }

}  // namespace caddis::fetch
