#include "caddis/fetch/status.h"

#include <algorithm>
#include <array>
#include <utility>

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
    {status::kOutOfScope, disregarded, "S_OUT_OF_SCOPE", "out of scope"},
    {status::kBlockedByUser, disregarded, "S_BLOCKED_BY_USER", "blocked by the operator"},
    {status::kBlockedByProcessor, disregarded, "S_BLOCKED_BY_CUSTOM_PROCESSOR", "left to another crawler"},
    {status::kBlockedByQuota, disregarded, "S_BLOCKED_BY_QUOTA", "a quota is used up"},
    {status::kBlockedByRuntimeLimit, disregarded, "S_BLOCKED_BY_RUNTIME_LIMIT", "time is used up"},
    {status::kDeleted, disregarded, "S_DELETED_BY_USER", "deleted by the operator"},
    {status::kInterrupted, retry_now, "S_PROCESSING_THREAD_KILLED", "interrupted"},
    {status::kRobotsPrecluded, disregarded, "S_ROBOTS_PRECLUDED", "forbidden by robots.txt"},
});

const StatusInfo* find(FetchStatus status) {
  const auto found = std::ranges::find(kStatuses, status, &StatusInfo::status);
  return found == kStatuses.end() ? nullptr : &*found;
}

// RFC 9110 section 15, and those registered since.
std::string_view reason(FetchStatus status) {
  static constexpr auto kReasons =
      std::to_array<std::pair<FetchStatus, std::string_view>>({{200, "OK"},
                                                               {201, "Created"},
                                                               {202, "Accepted"},
                                                               {203, "Non-Authoritative Information"},
                                                               {204, "No Content"},
                                                               {205, "Reset Content"},
                                                               {206, "Partial Content"},
                                                               {300, "Multiple Choices"},
                                                               {301, "Moved Permanently"},
                                                               {302, "Found"},
                                                               {303, "See Other"},
                                                               {304, "Not Modified"},
                                                               {307, "Temporary Redirect"},
                                                               {308, "Permanent Redirect"},
                                                               {400, "Bad Request"},
                                                               {401, "Unauthorized"},
                                                               {402, "Payment Required"},
                                                               {403, "Forbidden"},
                                                               {404, "Not Found"},
                                                               {405, "Method Not Allowed"},
                                                               {406, "Not Acceptable"},
                                                               {407, "Proxy Authentication Required"},
                                                               {408, "Request Timeout"},
                                                               {409, "Conflict"},
                                                               {410, "Gone"},
                                                               {411, "Length Required"},
                                                               {412, "Precondition Failed"},
                                                               {413, "Content Too Large"},
                                                               {414, "URI Too Long"},
                                                               {415, "Unsupported Media Type"},
                                                               {416, "Range Not Satisfiable"},
                                                               {421, "Misdirected Request"},
                                                               {422, "Unprocessable Content"},
                                                               {426, "Upgrade Required"},
                                                               {429, "Too Many Requests"},
                                                               {431, "Request Header Fields Too Large"},
                                                               {451, "Unavailable For Legal Reasons"},
                                                               {500, "Internal Server Error"},
                                                               {501, "Not Implemented"},
                                                               {502, "Bad Gateway"},
                                                               {503, "Service Unavailable"},
                                                               {504, "Gateway Timeout"},
                                                               {505, "HTTP Version Not Supported"}});
  const auto found = std::ranges::find(kReasons, status, &std::pair<FetchStatus, std::string_view>::first);
  return found == kReasons.end() ? std::string_view() : found->second;
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
  return info != nullptr ? info->text : reason(status);
}

std::span<const StatusInfo> all_statuses() { return kStatuses; }

}  // namespace caddis::fetch
