#include "frontier_words.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "caddis/base/counted.h"
#include "caddis/base/fetch_status.h"
#include "caddis/base/time_format.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/why/waiting_words.h"

namespace caddis::cli {
namespace {

namespace api = control::api;

std::string wait_of(double seconds) { return seconds > 0 ? fmt::format(" for {:.1f}s", seconds) : ""; }

void print_usage(std::string_view whose, const api::Usage& usage) {
  fmt::print("  {}: {} captured, {}, {}, {} of them novel{}\n", whose, usage.successes,
             counted(usage.responses, "answer"), format_size(static_cast<long long>(usage.bytes)),
             format_size(static_cast<long long>(usage.novel_bytes)),
             usage.cost == 0 ? "" : fmt::format(", cost {}", usage.cost));
}

void print_orders(const api::Host& host) {
  if (host.blocked)
    fmt::print("  blocked by the operator: its URLs are given up with {}\n", why::status_words(status::kBlockedByUser));
  else if (host.retired)
    fmt::print("  retired by the operator: its URLs wait until it is taken up again\n");
  if (host.sheets) fmt::print("  sheets that hold for it, the later counts: {}\n", fmt::join(*host.sheets, ", "));
  if (host.delay_seconds) fmt::print("  a delay of its own: {}s\n", *host.delay_seconds);
  if (host.budget) fmt::print("  a budget of its own: {}\n", counted(*host.budget, "URL"));
}

void print_waiting(const api::WaitingUrl& one) {
  fmt::print("  {}\n  found on {} by {}\n", why::waiting_words(one), one.via.empty() ? "no page" : one.via,
             one.hops.empty() ? "no hop" : "hops " + one.hops);
}

}  // namespace

void print_queue(const api::Queue& queue) {
  fmt::print("{:>9} {}  {}{}", queue.queued, queue.origin, queue.state, wait_of(queue.wait_seconds));
  if (queue.visiting_seconds > 0) fmt::print("{}", wait_of(queue.visiting_seconds));
  if (queue.given_up != 0) fmt::print(" with {}", why::status_words(queue.given_up));
  if (queue.failures > 0) fmt::print(", {} in a row", counted(queue.failures, "failure"));
  if (queue.retries > 0) fmt::print(", {} to be retried", queue.retries);
  if (queue.again > 0) fmt::print(", {} to be fetched again", queue.again);
  if (queue.crawl_delay_seconds.value_or(0) > 0)
    fmt::print(", Crawl-delay {}s (robots.txt)", *queue.crawl_delay_seconds);
  if (queue.last_fetch_seconds >= 1) fmt::print(", last fetch took {:.1f}s", queue.last_fetch_seconds);
  if (!queue.over_quota.empty()) fmt::print(", quota.{} is used up", queue.over_quota);
  if (queue.retired) fmt::print(", this queue was retired by the operator");
  fmt::print("\n");
}

void print_host(const api::Host& host) {
  if (!host.known) {
    fmt::print("{}: nothing is known of this host\n", host.host);
    return;
  }
  fmt::print("{}: {}, {}\n", host.host, counted(host.finished, "visit"), why::next_of(host));
  print_orders(host);
  print_usage("so far", host.usage);
  if (host.group && host.group_usage) print_usage("politeness group " + *host.group + " so far", *host.group_usage);
  if (host.domain) print_usage("domain " + host.domain->name + " so far", host.domain->usage);
  if (host.host != url::kFilesHost)
    fmt::print("  addresses: {}{}\n",
               host.addresses.empty() ? "none" : fmt::format("{}", fmt::join(host.addresses, " ")),
               host.knows_address ? "" : " (to be looked up)");
  if (host.dns_failures > 0) fmt::print("  {} in a row\n", counted(host.dns_failures, "failed look-up"));
  if (host.given_up != 0) fmt::print("  given up with {}\n", why::status_words(host.given_up));
  if (!host.visiting.empty()) fmt::print("  being visited for {:.1f}s: {}\n", host.visiting_seconds, host.visiting);
  if (host.in_inbox > 0) fmt::print("  {} found while it was not resident\n", counted(host.in_inbox, "URL"));
  for (const api::Queue& queue : host.queues) print_queue(queue);
  if (host.queues.size() < 2) return;
  for (const api::Queue& queue : host.queues) print_usage(queue.origin, queue.usage);
}

void print_url(const api::UrlReport& report) {
  fmt::print("{}\n", report.url);
  if (report.visiting) fmt::print("  is being visited, for {:.1f}s\n", report.visiting_seconds);
  for (const api::WaitingUrl& one : report.waits) print_waiting(one);
  if (report.sheets)
    fmt::print("  sheets that hold for this URL, the later counts: {}\n", fmt::join(*report.sheets, ", "));
  if (!report.seen)
    fmt::print(
        "  was never queued: no page names it, the scope rejected it (caddis scope explain), its host is over its "
        "budget (politeness.host-budget), or pages of its pattern said nothing new (frontier.stale-patterns)\n");
  else if (report.waits.empty() && !report.visiting)
    fmt::print(
        "  was queued, and does not wait any more: it was visited, given up or deleted (logs/crawl.log says which)\n");
  print_host(report.host);
}

}  // namespace caddis::cli
