// The visits that others wait for: the addresses of a host, and the robots.txt of an origin. Both are archived like any
// other.

#include <algorithm>

#include "caddis/archive/capture.h"
#include "caddis/base/log.h"
#include "caddis/crawl/lane.h"
#include "caddis/fetch/decoded_body.h"
#include "caddis/frontier/politeness.h"

namespace caddis::crawl {
namespace {

constexpr int kRobotsRedirects = 5;  // RFC 9309, 2.3.1.2
constexpr size_t kRobotsBytes = 512 * 1024;
static_assert(kRobotsBytes >= robots::Robots::kMaxText);
constexpr size_t kLookupInMemory = 64 * 1024;

WallTime after(WallTime now, Duration wait) {
  return now + std::chrono::duration_cast<std::chrono::microseconds>(wait);
}

bool can_be_fetched(const url::Url& url) { return url.is_http() && url.effective_port() != 0; }

}  // namespace

aio::Task<VisitResult> Lane::visit_dns(frontier::Lease lease) {
  VisitResult finished;
  finished.disposition.lease = std::move(lease);
  finished.disposition.touched_host = false;
  const frontier::Lease& what = finished.disposition.lease;
  const WallTime started = loop_.clock().wall();
  const SteadyTime began = loop_.clock().steady();
  begin_step(what.id, "look-up");
  const auto answer = co_await resolver_->resolve(what.host);
  steps_.enter(what.id, "records");
  if (aborted_) co_return not_tried(std::move(finished.disposition.lease));
  LogEntry entry = entry_for(what, what.candidate.url, answer ? status::kDnsOk : status::kDnsFailed);
  entry.started = started;
  entry.duration = loop_.clock().steady() - began;
  finished.disposition.status = entry.status;
  if (!answer) {
    finished.disposition.verdict = frontier::Verdict::host_failed;
    finished.disposition.host_is_hopeless = answer.error().code == ErrorCode::not_found;
    finished.reason = answer.error().message;
    finished.visited.push_back({std::move(entry), what.host, true, false, {}});
    co_return finished;
  }
  take_addresses(finished, entry, *answer, after(started, answer->ttl));
  const std::string body = dns::dns_record_body(*answer, started);
  entry.size = body.size();
  entry.mime = "text/dns";
  Capture capture(io::Spool(context_.spools, kLookupInMemory));
  archive::CaptureMetadata metadata;
  metadata.via = entry.via;
  metadata.hops = entry.hops;
  metadata.seed = entry.seed;
  metadata.fetch_time = entry.duration;
  const auto written = archive::write_dns_capture(entry.url, started, answer->server, body, metadata,
                                                  warc::Compression::fast, random_, capture.records);
  if (written) {
    capture.url = entry.url;
    capture.date = started;
    capture.mime = entry.mime;
    finished.captures.push_back(std::move(capture));
  } else {
    fail_locally(finished, written.error());
  }
  finished.visited.push_back({std::move(entry), what.host, true, false, {}});
  co_return finished;
}

// Those that may be connected to. Where there are none, all that waits for the host is given up.
void Lane::take_addresses(VisitResult& finished, LogEntry& entry, const dns::Answer& answer, WallTime expires) {
  frontier::Disposition& disposition = finished.disposition;
  const std::string& host = disposition.lease.host;
  std::vector<std::string> all;
  for (const dns::Address& address : answer.addresses) all.push_back(address.text);
  if (disposition.lease.first_lookup) finished.new_ranges = context_.addresses.take_lookup(host, all);
  const std::vector<std::string>& allowed = sites_.of_host(host).fetch.allow_addresses;
  std::vector<std::string> open, refused;
  for (std::string& address : all)
    (context_.addresses.refusal({address, 0}, allowed) ? refused : open).push_back(std::move(address));
  if (!refused.empty()) entry.annotations.push_back("refused:" + refused.front());
  if (open.empty()) {
    disposition.host_is_hopeless = true;
    disposition.status = status::kAddressRefused;
    refused.resize(1);
    disposition.addresses = frontier::HostAddresses{std::move(refused), frontier::kRefused};
  } else {
    disposition.addresses = frontier::HostAddresses{std::move(open), expires};
  }
}

// RFC 9309, 2.3.1.4: what cannot be reached now forbids everything. After all tries the settings may say otherwise.
void Lane::robots_unreachable(VisitResult& finished, std::string reason) {
  frontier::Disposition& disposition = finished.disposition;
  const config::EffectiveSettings& site = sites_.of_host(disposition.lease.host);
  const auto tries = static_cast<uint64_t>(site.host->politeness.host_failures);
  const bool allow = site.robots_unavailable == robots::WhenUnavailable::allow;
  if (allow && disposition.lease.attempt >= tries) {
    take_robots(finished, {});
  } else {
    disposition.verdict = frontier::Verdict::host_failed;
    finished.reason = std::move(reason);
  }
}

void Lane::take_robots(VisitResult& finished, std::string text) {
  const config::EffectiveSettings& site = sites_.of_host(finished.disposition.lease.host);
  const WallTime expires = after(loop_.clock().wall(), site.robots_validity);
  finished.disposition.robots = frontier::RobotsText{std::move(text), expires};
}

// What the last answer means for the origin that waits (RFC 9309, 2.3.1).
void Lane::judge_robots(VisitResult& finished, const fetch::FetchOutcome& outcome) {
  if (!outcome.exchange) return robots_unreachable(finished, outcome.error);
  if (outcome.status >= 500 || outcome.status == 429) {
    const config::EffectiveSettings& site = sites_.of_host(finished.disposition.lease.host);
    finished.disposition.retry_after = retry_after(*outcome.exchange, site.host->politeness.max_retry_delay);
    return robots_unreachable(finished, "robots.txt is not to be had now");
  }
  if (outcome.status < 200 || outcome.status >= 300) return take_robots(finished, {});
  const auto body = fetch::decode_body(*outcome.exchange, kRobotsBytes);
  if (!body) return fail_locally(finished, body.error());
  // Half a file allows what the other half forbids; but no more is ever read than so much.
  const bool is_whole = outcome.exchange->truncated == http::Truncated::none && body->complete();
  if (!is_whole && body->bytes().size() < robots::Robots::kMaxText)
    return robots_unreachable(finished, "robots.txt did not come to its end");
  take_robots(finished, std::string(body->bytes()));
}

// Where to connect for one hop of robots.txt; what moved to another host is asked for there at once, whatever that
// host's own queue does: rare, and all of this origin waits for it. A proxy finds the address itself.
aio::Task<Result<std::string>> Lane::robots_address(const frontier::Lease& lease, std::string host) {
  if (host == lease.host || !context_.settings.fetch.proxy.empty()) co_return lease.address;
  const auto answer = co_await resolver_->resolve(std::move(host));
  if (!answer) co_return std::unexpected(answer.error());
  const std::vector<std::string>& allowed = sites_.of_host(answer->host).fetch.allow_addresses;
  const auto open = std::ranges::find_if(answer->addresses, [&](const dns::Address& address) {
    return !context_.addresses.refusal({address.text, 0}, allowed);
  });
  // Where none is, the fetch itself is refused, and on record.
  co_return (open == answer->addresses.end() ? answer->addresses.front() : *open).text;
}

// Ends early when the crawl is stopped.
aio::Task<void> Lane::pause(Duration how_long) {
  constexpr Duration kStep = std::chrono::milliseconds(200);
  const SteadyTime until = loop_.clock().steady() + how_long;
  while (!aborted_ && loop_.clock().steady() < until) {
    const Duration left = until - loop_.clock().steady();
    co_await aio::sleep_for(loop_, std::min(left, kStep));
  }
}

aio::Task<VisitResult> Lane::visit_robots(frontier::Lease lease) {
  VisitResult finished;
  finished.disposition.lease = std::move(lease);
  frontier::Disposition& disposition = finished.disposition;
  const config::EffectiveSettings& site = sites_.of_host(disposition.lease.host);
  fetch::FetchSettings settings = site.fetch;
  if (settings.max_length != 0) settings.max_length = std::max<int64_t>(settings.max_length, kRobotsBytes);
  auto url = url::Url::parse(disposition.lease.candidate.url);
  for (int redirects = 0; url && can_be_fetched(*url); ++redirects) {
    auto address = co_await robots_address(disposition.lease, std::string(url->hostname()));
    if (aborted_) co_return not_tried(std::move(disposition.lease));
    if (!address) {
      robots_unreachable(finished, std::move(address).error().message);
      co_return finished;
    }
    fetch::FetchRequest request = request_for(*url, disposition.lease, site);
    request.address = *std::move(address);
    request.ticket = disposition.lease.id;
    begin_step(disposition.lease.id, "connect");
    const fetch::FetchOutcome outcome = co_await fetcher_.fetch(std::move(request), settings);
    const bool cut = outcome.exchange && outcome.exchange->truncated == http::Truncated::disconnect;
    if (aborted_ && (!outcome.exchange || cut)) co_return not_tried(std::move(disposition.lease));
    if (outcome.exchange)
      take_exchange(finished, *url, outcome, true);
    else
      take_failure(finished, *url, outcome);
    if (outcome.no_room) {
      robots_unreachable(finished, outcome.error);
      co_return finished;
    }
    if (outcome.status == status::kAddressRefused) {
      disposition.touched_host = redirects > 0;
      if (url->hostname() == disposition.lease.host) {
        disposition.host_is_hopeless = true;
        co_return finished;
      }
      break;
    }
    disposition.local_failure |= outcome.status == status::kSevereError;
    if (disposition.local_failure) co_return finished;
    const std::string target = finished.visited.back().redirect;
    if (target.empty() || redirects == kRobotsRedirects) {
      steps_.enter(disposition.lease.id, "robots");
      judge_robots(finished, outcome);
      co_return finished;
    }
    url = url::Url::parse(target);
    disposition.lease.candidate.hops += 'R';
    steps_.leave();
    // The host is ours until the visit ends, and is given its pause between two requests all the same.
    co_await pause(frontier::politeness_delay(site.host->politeness, outcome.took, std::nullopt));
    if (aborted_) co_return not_tried(std::move(disposition.lease));
  }
  // It leads to where nobody could follow: there is no robots.txt, and everything is allowed.
  take_robots(finished, {});
  co_return finished;
}

}  // namespace caddis::crawl
