#include "frontier_words.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "caddis/base/counted.h"
#include "caddis/base/fetch_status.h"
#include "caddis/base/time_format.h"
#include "caddis/http/reason.h"

namespace caddis::cli {
namespace {

using Json = nlohmann::json;

std::string wait_of(const Json& of) {
  const double wait = of.value("wait_seconds", 0.0);
  return wait > 0 ? fmt::format(" for {:.1f}s", wait) : "";
}

std::string status_words(int status) {
  const std::string_view words = http::describe_status(status);
  return words.empty() ? std::to_string(status) : fmt::format("{} ({})", status, words);
}

std::string failures_of(const Json& queue) {
  const auto failures = queue["failures"].get<uint64_t>();
  return failures == 0 ? "" : " after " + counted(failures, "failure") + " in a row";
}

// Why a queue is not visited now; empty where it is, or will be as politeness allows.
std::string obstacle(const Json& queue) {
  const std::string state = queue["state"];
  if (state == "being visited") return state;
  if (state == "retired") return "retired by the operator";
  if (state == "over quota") return fmt::format("quota.{} is used up", queue["over_quota"].get<std::string>());
  if (state == "given up" || state == "blocked") return "given up with " + status_words(queue["given_up"]);
  if (state == "set aside") return "set aside" + wait_of(queue) + failures_of(queue);
  if (state == "no address") return "waits to look up its address again" + wait_of(queue) + failures_of(queue);
  if (state == "no connection") return "waits to be connected to again" + wait_of(queue) + failures_of(queue);
  if (state == "no robots.txt")
    return "its server answers, but does not give its robots.txt (429 or 5xx): asked for again" + wait_of(queue) +
           failures_of(queue);
  if (state == "asked to wait") return "asked to wait by its server (Retry-After)" + wait_of(queue);
  if (state == "retry" && queue["again"] == queue["queued"])
    return "what it holds was captured, and waits to be fetched again (fetch.again)" + wait_of(queue);
  if (state == "retry") return "what it holds failed, and waits for its next try" + wait_of(queue);
  if (state == "host bandwidth") return "waits for its bandwidth (host-bandwidth)" + wait_of(queue);
  if (state == "group busy") return "waits for its turn in its politeness group" + wait_of(queue);
  if (state == "address busy")
    return "waits for its turn at its address (max-per-address, address-delay)" + wait_of(queue);
  return "";
}

std::string next_visit(const Json& host) {
  return "next one " + (wait_of(host).empty() ? "allowed now" : "not" + wait_of(host));
}

// The strongest reason first: what holds up the host, then what holds up all of its queues.
std::string what_is_next(const Json& host) {
  if (host["blocked"].get<bool>()) return "blocked by the operator";
  if (host["retired"].get<bool>()) return "retired by the operator";
  if (const auto status = host["given_up"].get<int>(); status != 0) return "given up with " + status_words(status);
  std::string reason;
  bool waits = false;
  for (const auto& queue : host["queues"]) {
    if (queue["queued"].get<uint64_t>() == 0) continue;
    const std::string why = obstacle(queue);
    if (why.empty() || why == "being visited") return why.empty() ? next_visit(host) : why;
    reason = !waits || reason == why ? why : "all of its queues are held up";
    waits = true;
  }
  if (waits) return reason;
  return host["in_inbox"].get<uint64_t>() > 0 ? next_visit(host) : "no URL of it waits";
}

void print_usage(std::string_view whose, const Json& usage) {
  const auto cost = usage["cost"].get<uint64_t>();
  fmt::print("  {}: {} captured, {}, {}, {} of them novel{}\n", whose, usage["successes"].get<uint64_t>(),
             counted(usage["responses"].get<uint64_t>(), "answer"), format_size(usage["bytes"].get<long long>()),
             format_size(usage["novel_bytes"].get<long long>()), cost == 0 ? "" : fmt::format(", cost {}", cost));
}

std::string joined(const Json& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + name.get<std::string>();
  return out;
}

void print_orders(const Json& host) {
  if (host["blocked"].get<bool>())
    fmt::print("  blocked by the operator: its URLs are given up with {}\n", status_words(status::kBlockedByUser));
  else if (host["retired"].get<bool>())
    fmt::print("  retired by the operator: its URLs wait until it is taken up again\n");
  if (host.contains("sheets")) fmt::print("  sheets that hold for it, the later counts: {}\n", joined(host["sheets"]));
  if (host.contains("delay_seconds")) fmt::print("  a delay of its own: {}s\n", host["delay_seconds"].get<double>());
  if (host.contains("budget"))
    fmt::print("  a budget of its own: {}\n", counted(host["budget"].get<uint64_t>(), "URL"));
}

}  // namespace

void print_queue(const Json& queue) {
  fmt::print("{:>9} {}  {}{}", queue["queued"].get<uint64_t>(), queue["queue"].get<std::string>(),
             queue["state"].get<std::string>(), wait_of(queue));
  if (const double visiting = queue["visiting_seconds"]; visiting > 0) fmt::print(" for {:.1f}s", visiting);
  if (const auto status = queue["given_up"].get<int>(); status != 0) fmt::print(" with {}", status_words(status));
  if (const auto failures = queue["failures"].get<uint64_t>(); failures > 0)
    fmt::print(", {} in a row", counted(failures, "failure"));
  if (const auto retries = queue["retries"].get<uint64_t>(); retries > 0) fmt::print(", {} to be retried", retries);
  if (const auto again = queue["again"].get<uint64_t>(); again > 0) fmt::print(", {} to be fetched again", again);
  if (const double delay = queue.value("crawl_delay_seconds", 0.0); delay > 0)
    fmt::print(", Crawl-delay {}s (robots.txt)", delay);
  if (const double last = queue["last_fetch_seconds"]; last >= 1) fmt::print(", last fetch took {:.1f}s", last);
  if (const std::string quota = queue["over_quota"]; !quota.empty()) fmt::print(", quota.{} is used up", quota);
  if (queue["retired"].get<bool>()) fmt::print(", this queue was retired by the operator");
  fmt::print("\n");
}

void print_host(const Json& host) {
  if (!host["known"].get<bool>()) {
    fmt::print("{}: nothing is known of this host\n", host["host"].get<std::string>());
    return;
  }
  fmt::print("{}: {}, {}\n", host["host"].get<std::string>(), counted(host["finished"].get<uint64_t>(), "visit"),
             what_is_next(host));
  print_orders(host);
  print_usage("so far", host["usage"]);
  if (host.contains("group"))
    print_usage("politeness group " + host["group"].get<std::string>() + " so far", host["group_usage"]);
  std::string addresses;
  for (const auto& address : host["addresses"]) addresses += " " + address.get<std::string>();
  fmt::print("  addresses:{}{}\n", addresses.empty() ? " none" : addresses,
             host["knows_address"].get<bool>() ? "" : " (to be looked up)");
  if (const auto failures = host["dns_failures"].get<uint64_t>(); failures > 0)
    fmt::print("  {} in a row\n", counted(failures, "failed look-up"));
  if (const auto status = host["given_up"].get<int>(); status != 0)
    fmt::print("  given up with {}\n", status_words(status));
  if (const std::string visiting = host["visiting"]; !visiting.empty())
    fmt::print("  being visited for {:.1f}s: {}\n", host["visiting_seconds"].get<double>(), visiting);
  if (const auto letters = host["in_inbox"].get<uint64_t>(); letters > 0)
    fmt::print("  {} found while it was out of memory\n", counted(letters, "URL"));
  for (const auto& queue : host["queues"]) print_queue(queue);
  for (const auto& queue : host["queues"])
    if (host["queues"].size() > 1) print_usage(queue["queue"].get<std::string>(), queue["usage"]);
}

void print_url(const Json& report) {
  fmt::print("{}\n", report["url"].get<std::string>());
  if (report["visiting"].get<bool>())
    fmt::print("  is being visited, for {:.1f}s\n", report["visiting_seconds"].get<double>());
  for (const auto& one : report["waits"]) {
    fmt::print("  waits in {} ({}{}), {} line", one["queue"].get<std::string>(), one["where"].get<std::string>(),
               wait_of(one), one["precedence"].get<std::string>());
    if (one.contains("ahead")) fmt::print(", {} before it", one["ahead"].get<uint64_t>());
    fmt::print(", try {}\n  found on {} by {}\n", one["attempt"].get<uint64_t>(),
               one["via"] == "" ? "no page" : one["via"].get<std::string>(),
               one["hops"] == "" ? "no hop" : "hops " + one["hops"].get<std::string>());
  }
  if (report.contains("sheets"))
    fmt::print("  sheets that hold for this URL, the later counts: {}\n", joined(report["sheets"]));
  if (!report["seen"].get<bool>())
    fmt::print(
        "  was never queued: no page named it, the scope rejected it (caddis scope explain), or a budget of its host "
        "or "
        "a pattern that says nothing new left it out (politeness.host-budget, frontier.stale-patterns)\n");
  else if (report["waits"].empty() && !report["visiting"].get<bool>())
    fmt::print("  was queued, and does not wait any more: visited, given up or deleted (logs/crawl.log)\n");
  print_host(report["host"]);
}

}  // namespace caddis::cli
