// The visits that others wait for: the addresses of a host, and the robots.txt of an origin. Both are archived like any
// other.

#include "caddis/archive/capture.h"
#include "caddis/base/log.h"
#include "caddis/crawl/lane.h"
#include "caddis/fetch/decoded_body.h"

namespace caddis::crawl {
namespace {

constexpr int kRobotsRedirects = 5;  // RFC 9309, 2.3.1.2
constexpr size_t kRobotsBytes = 512 * 1024;
constexpr size_t kLookupInMemory = 64 * 1024;

WallTime after(WallTime now, Duration wait) {
  return now + std::chrono::duration_cast<std::chrono::microseconds>(wait);
}

}  // namespace

aio::Task<Finished> Lane::visit_dns(frontier::Lease lease) {
  Finished finished;
  finished.disposition.lease = std::move(lease);
  finished.disposition.touched_host = false;
  const frontier::Lease& what = finished.disposition.lease;
  const WallTime started = loop_.clock().wall();
  const SteadyTime began = loop_.clock().steady();
  const auto answer = co_await resolver_->resolve(what.host);
  if (aborted_) co_return not_tried(std::move(finished.disposition.lease));
  LogEntry entry = entry_for(what, what.what.url, answer ? fetch::status::kDnsOk : fetch::status::kDnsFailed);
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
  frontier::HostAddresses addresses;
  for (const dns::Address& address : answer->addresses) addresses.addresses.push_back(address.text);
  addresses.expires = after(started, answer->ttl);
  finished.disposition.addresses = std::move(addresses);

  const std::string body = dns::dns_record_body(*answer, started);
  entry.size = body.size();
  entry.mime = "text/dns";
  Capture capture(io::Spool(context_.spools, kLookupInMemory));
  archive::Story story;
  story.via = entry.via;
  story.hops = entry.hops;
  story.seed = entry.seed;
  story.fetch_time = entry.duration;
  const auto written = archive::write_dns_capture(entry.url, started, answer->server, body, story,
                                                  warc::Compression::fast, random_, capture.records);
  if (written) {
    capture.url = entry.url;
    capture.date = started;
    capture.mime = entry.mime;
    finished.captures.push_back(std::move(capture));
  } else {
    finished.disposition.verdict = frontier::Verdict::host_failed;
    finished.disposition.local_failure = true;
    finished.reason = written.error().message;
    log_error("crawl", "cannot write the record of {}: {}", entry.url, written.error().message);
  }
  finished.visited.push_back({std::move(entry), what.host, true, false, {}});
  co_return finished;
}

aio::Task<Finished> Lane::visit_robots(frontier::Lease lease) {
  Finished finished;
  finished.disposition.lease = std::move(lease);
  frontier::Disposition& disposition = finished.disposition;
  auto url = url::Url::parse(disposition.lease.what.url);
  std::string address = disposition.lease.address;
  const Duration validity = context_.settings.crawl.robots_validity;
  for (int redirects = 0; url; ++redirects) {
    fetch::FetchRequest request{*url, std::nullopt, address, {}};
    const fetch::FetchOutcome outcome = co_await fetcher_.fetch(std::move(request), context_.settings.fetch);
    if (aborted_ && !outcome.exchange) co_return not_tried(std::move(disposition.lease));
    const WallTime expires = after(loop_.clock().wall(), validity);
    if (!outcome.exchange) {
      take_failure(finished, *url, outcome);
      disposition.verdict = frontier::Verdict::host_failed;
      disposition.local_failure = outcome.status == fetch::status::kSevereError;
      co_return finished;
    }
    const bool cut = outcome.exchange->truncated == http::Truncated::disconnect;
    if (aborted_ && cut) co_return not_tried(std::move(disposition.lease));
    take_exchange(finished, *url, outcome, true);
    if (disposition.local_failure) co_return finished;
    if (cut) {
      // Half a file allows what the other half forbids.
      disposition.verdict = frontier::Verdict::host_failed;
      finished.reason = "the connection ended within robots.txt";
      break;
    }
    const std::string target = finished.visited.back().redirect;
    if (!target.empty() && redirects < kRobotsRedirects) {
      // A robots.txt that moved to another host is asked for there at once, whatever that host's own queue does: rare,
      // and all of this origin waits for it.
      url = url::Url::parse(target);
      disposition.lease.what.hops += 'R';
      if (url && url->hostname() != disposition.lease.host) {
        const auto answer = co_await resolver_->resolve(std::string(url->hostname()));
        if (!answer) {
          disposition.robots = frontier::RobotsText{{}, expires};
          break;
        }
        address = answer->addresses.front().text;
      }
      continue;
    }
    if (outcome.status >= 500 || outcome.status == 429) {
      disposition.retry_after = retry_after(*outcome.exchange);
      const auto tries = static_cast<uint64_t>(context_.settings.politeness.host_failures);
      const bool allow = context_.settings.crawl.robots_unavailable == WhenRobotsUnavailable::allow;
      if (allow && disposition.lease.attempt >= tries) {
        disposition.robots = frontier::RobotsText{{}, expires};
      } else {
        disposition.verdict = frontier::Verdict::host_failed;
        finished.reason = "robots.txt is not to be had now";
      }
      break;
    }
    disposition.robots = frontier::RobotsText{{}, expires};
    if (outcome.status >= 200 && outcome.status < 300) {
      const auto body = fetch::decode_body(*outcome.exchange, kRobotsBytes);
      if (body) disposition.robots->text = std::string(body->bytes());
    }
    break;
  }
  // A Location that is no URL: there is no robots.txt, and everything is allowed.
  if (!url && !disposition.robots) disposition.robots = frontier::RobotsText{{}, after(loop_.clock().wall(), validity)};
  co_return finished;
}

}  // namespace caddis::crawl
