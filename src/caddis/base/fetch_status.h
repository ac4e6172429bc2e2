// The outcome of a fetch, as a number: HTTP's own status codes, Heritrix's negative ones for everything else, and two of
// Caddis's own (-4010, -5010). They stand in crawl.log, in reports and in state on disk: a number never changes its
// meaning. The table behind `find_status` is the only place that says what a number means: frontier, visits, statistics,
// reports and logs all go by it.
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace caddis {

using FetchStatus = int;

namespace status {
inline constexpr FetchStatus kUnattempted = 0;     // never tried
inline constexpr FetchStatus kDnsOk = 1;           // a dns: lookup that was answered
inline constexpr FetchStatus kGetByNameOk = 1001;  // looked up by the operating system
inline constexpr FetchStatus kWhoisOk = 2001;
inline constexpr FetchStatus kGenericOk = 2002;
inline constexpr FetchStatus kDnsFailed = -1;      // the name has no address
inline constexpr FetchStatus kConnectFailed = -2;  // refused, unreachable, or no connection in time
inline constexpr FetchStatus kConnectLost = -3;    // the connection ended before the response, or what came is no HTTP
inline constexpr FetchStatus kTimeout = -4;        // connected, but no response in time
inline constexpr FetchStatus kRuntimeException = -5;          // something unexpected in Caddis; see the operator log
inline constexpr FetchStatus kDomainPrerequisiteFailed = -6;  // its host's dns: lookup failed
inline constexpr FetchStatus kUnfetchable = -7;               // nothing here can fetch such a URL
inline constexpr FetchStatus kTooManyRetries = -8;
inline constexpr FetchStatus kTlsFailed = -9;  // no TLS with this server
inline constexpr FetchStatus kDeferred = -50;  // waits for a prerequisite
inline constexpr FetchStatus kBlockedByQueue = -60;
inline constexpr FetchStatus kRobotsPrerequisiteFailed = -61;
inline constexpr FetchStatus kOtherPrerequisiteFailed = -62;
inline constexpr FetchStatus kPrerequisiteUnschedulable = -63;
inline constexpr FetchStatus kDeemedNotFound = -404;  // robots.txt answered, policy ignores it
inline constexpr FetchStatus kSevereError = -3000;    // our own trouble (disk, memory), not the URL's
inline constexpr FetchStatus kTooManyHops = -4000;
inline constexpr FetchStatus kTooManyLinkHops = -4001;
inline constexpr FetchStatus kTooManyEmbedHops = -4002;
inline constexpr FetchStatus kTooManyRedirects = -4010;  // Caddis's own: a chain of redirects that was left
inline constexpr FetchStatus kOutOfScope = -5000;        // when looked at again
inline constexpr FetchStatus kBlockedByUser = -5001;
inline constexpr FetchStatus kBlockedByProcessor = -5002;
inline constexpr FetchStatus kBlockedByQuota = -5003;
inline constexpr FetchStatus kBlockedByRuntimeLimit = -5004;
inline constexpr FetchStatus kAddressRefused = -5010;  // Caddis's own: no public address, and nobody named it
inline constexpr FetchStatus kDeleted = -6000;
inline constexpr FetchStatus kInterrupted = -7000;  // the operator ended the visit
inline constexpr FetchStatus kRobotsPrecluded = -9998;
}  // namespace status

// The consequence of a status.
enum class StatusGroup : uint8_t {
  success,      // something was captured, be it a 404
  failure,      // nothing was, and nothing will be
  disregarded,  // by decision, not by failure
  retry_now,    // not its own fault: as if it had not been tried
  after_prerequisite,
  retry_later,  // after a delay, as often as the settings allow; counted as a failure in the end
};
std::string_view to_string(StatusGroup group);

// One row of the table. The text is static.
struct StatusInfo {
  FetchStatus status;
  StatusGroup group;
  std::string_view name;    // Heritrix's constant: "S_CONNECT_LOST"
  std::string_view word;    // for operators: "connection lost"
  std::string_view reason;  // for visitors of an archive that lacks the page: "the connection to its server was lost"
  bool is_of_host = false;  // of those tried again later: the host could not be reached, so all of it waits
};

// Every status that is not HTTP's.
std::span<const StatusInfo> all_statuses();
// Null for HTTP's own, and for numbers that nobody uses.
const StatusInfo* find_status(FetchStatus status);
// As the table says. Numbers beyond it: HTTP's and other positive ones are successes, as in Heritrix; the rest failures.
StatusGroup status_group(FetchStatus status);

// How a URL whose visits are over is counted: captured, excluded or failed.
inline bool is_success(FetchStatus status) { return status_group(status) == StatusGroup::success; }
inline bool is_disregarded(FetchStatus status) { return status_group(status) == StatusGroup::disregarded; }

// 429 and 503: the server itself says that it is too much, now.
constexpr bool is_overload(FetchStatus status) { return status == 429 || status == 503; }
// 301, 302, 303, 307, 308, and 300 if a Location comes with it.
constexpr bool is_redirect(FetchStatus status) {
  return status == 300 || status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}
// 4xx and 5xx, and numbers beyond them that servers make up (999).
constexpr bool is_http_error(FetchStatus status) { return status >= 400 && status <= 999; }

}  // namespace caddis
