#include "caddis/why/waiting_words.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "caddis/base/counted.h"
#include "caddis/frontier/queue_state.h"
#include "caddis/http/reason.h"

namespace caddis::why {
namespace {

namespace api = control::api;

// " for 1.5s"; empty if there is nothing to wait for.
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
    case QueueState::retired_by_setting:
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
    case QueueState::job_busy:
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

}  // namespace caddis::why
