#include "frontier_words.h"

#include <fmt/format.h>

#include <string>

#include "caddis/base/counted.h"
#include "caddis/base/fetch_status.h"
#include "caddis/base/time_format.h"
#include "caddis/frontier/queue_state.h"
#include "caddis/http/reason.h"

namespace caddis::cli {
namespace {

namespace api = control::api;

std::string wait_of(double seconds) { return seconds > 0 ? fmt::format(" for {:.1f}s", seconds) : ""; }

}  // namespace

std::string status_words(int64_t status) {
  const std::string_view words = http::describe_status(static_cast<int>(status));
  return words.empty() ? std::to_string(status) : fmt::format("{} ({})", status, words);
}

namespace {

std::string failures_of(const api::Queue& queue) {
  return queue.failures == 0 ? "" : " after " + counted(queue.failures, "failure") + " in a row";
}

// Why a queue is not visited now; empty where it is, or will be as politeness allows.
std::string obstacle(const api::Queue& queue) {
  using frontier::QueueState;
  const auto state = frontier::queue_state_named(queue.state);
  if (!state) return "";
  const std::string words(frontier::sentence(*state));
  const std::string wait = wait_of(queue.wait_seconds);
  switch (*state) {
    case QueueState::being_visited:
      return queue.state;
    case QueueState::retired:
      return words;
    case QueueState::over_quota:
      return fmt::format("quota.{} is used up", queue.over_quota);
    case QueueState::abandoned:
    case QueueState::blocked:
      return "given up with " + status_words(queue.given_up);
    case QueueState::suspended:
    case QueueState::no_address:
    case QueueState::no_connection:
    case QueueState::no_robots:
      return words + wait + failures_of(queue);
    case QueueState::retry:
      if (queue.again == queue.queued)
        return "what it holds was captured, and waits to be fetched again (fetch.again)" + wait;
      return words + wait;
    case QueueState::asked_to_wait:
    case QueueState::host_bandwidth:
    case QueueState::group_busy:
    case QueueState::address_busy:
      return words + wait;
    case QueueState::ready:
    case QueueState::politeness:
    case QueueState::host_busy:
    case QueueState::empty:
      return "";
  }
  return "";
}

std::string next_visit(const api::Host& host) {
  const std::string wait = wait_of(host.wait_seconds);
  return "next one " + (wait.empty() ? "allowed now" : "not" + wait);
}

}  // namespace

std::string next_of(const api::Host& host) {
  if (host.blocked) return "blocked by the operator";
  if (host.retired) return "retired by the operator";
  if (host.given_up != 0) return "given up with " + status_words(host.given_up);
  std::string reason;
  bool waits = false;
  for (const api::Queue& queue : host.queues) {
    if (queue.queued == 0) continue;
    const std::string why = obstacle(queue);
    if (why.empty() || why == "being visited") return why.empty() ? next_visit(host) : why;
    reason = !waits || reason == why ? why : "all of its queues are held up";
    waits = true;
  }
  if (waits) return reason;
  return host.in_inbox > 0 ? next_visit(host) : "no URL of it waits";
}

std::string waiting_words(const api::WaitingUrl& one) {
  return fmt::format("waits in {} ({}{}), {} line{}, try {}", one.queue, one.where,
                     wait_of(one.wait_seconds.value_or(0)), one.precedence,
                     one.ahead ? fmt::format(", {} before it", *one.ahead) : "", one.attempt);
}

namespace {

void print_usage(std::string_view whose, const api::Usage& usage) {
  fmt::print("  {}: {} captured, {}, {}, {} of them novel{}\n", whose, usage.successes,
             counted(usage.responses, "answer"), format_size(static_cast<long long>(usage.bytes)),
             format_size(static_cast<long long>(usage.novel_bytes)),
             usage.cost == 0 ? "" : fmt::format(", cost {}", usage.cost));
}

void print_orders(const api::Host& host) {
  if (host.blocked)
    fmt::print("  blocked by the operator: its URLs are given up with {}\n", status_words(status::kBlockedByUser));
  else if (host.retired)
    fmt::print("  retired by the operator: its URLs wait until it is taken up again\n");
  if (host.sheets) fmt::print("  sheets that hold for it, the later counts: {}\n", fmt::join(*host.sheets, ", "));
  if (host.delay_seconds) fmt::print("  a delay of its own: {}s\n", *host.delay_seconds);
  if (host.budget) fmt::print("  a budget of its own: {}\n", counted(*host.budget, "URL"));
}

void print_waiting(const api::WaitingUrl& one) {
  fmt::print("  {}\n  found on {} by {}\n", waiting_words(one), one.via.empty() ? "no page" : one.via,
             one.hops.empty() ? "no hop" : "hops " + one.hops);
}

}  // namespace

void print_queue(const api::Queue& queue) {
  fmt::print("{:>9} {}  {}{}", queue.queued, queue.origin, queue.state, wait_of(queue.wait_seconds));
  if (queue.visiting_seconds > 0) fmt::print("{}", wait_of(queue.visiting_seconds));
  if (queue.given_up != 0) fmt::print(" with {}", status_words(queue.given_up));
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
  fmt::print("{}: {}, {}\n", host.host, counted(host.finished, "visit"), next_of(host));
  print_orders(host);
  print_usage("so far", host.usage);
  if (host.group && host.group_usage) print_usage("politeness group " + *host.group + " so far", *host.group_usage);
  if (host.domain) print_usage("domain " + host.domain->name + " so far", host.domain->usage);
  fmt::print("  addresses: {}{}\n", host.addresses.empty() ? "none" : fmt::format("{}", fmt::join(host.addresses, " ")),
             host.knows_address ? "" : " (to be looked up)");
  if (host.dns_failures > 0) fmt::print("  {} in a row\n", counted(host.dns_failures, "failed look-up"));
  if (host.given_up != 0) fmt::print("  given up with {}\n", status_words(host.given_up));
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
