#include "caddis/crawl/slowness.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "caddis/base/counted.h"

namespace caddis::crawl {
namespace {

// Of a state of queues: what it is about, and what one or many of them do.
struct Words {
  std::string_view about, one, many, what;
};

Words words(frontier::QueueState state) {
  using frontier::QueueState;
  if (state == QueueState::politeness) return {"politeness", "waits", "wait", "for the delay"};
  if (state == QueueState::host_bandwidth)
    return {"bandwidth", "waits", "wait", "for that of its host (host-bandwidth)"};
  if (state == QueueState::host_busy)
    return {"politeness", "waits", "wait", "for the visit of another queue of the host"};
  if (state == QueueState::group_busy) return {"politeness", "waits", "wait", "for their turn in a politeness group"};
  if (state == QueueState::address_busy)
    return {"politeness", "waits", "wait", "for their turn at an address (max-per-address, address-delay)"};
  if (state == QueueState::job_busy)
    return {"other jobs", "waits", "wait", "for their turn: another job visits the host"};
  if (state == QueueState::asked_to_wait)
    return {"the servers", "is", "are", "to wait as long as the server has said (Retry-After)"};
  if (state == QueueState::retry) return {"failures", "holds", "hold", "nothing but URLs that wait for the next try"};
  if (state == QueueState::no_address) return {"DNS", "waits", "wait", "to look up the host again"};
  if (state == QueueState::no_connection) return {"failures", "waits", "wait", "to be connected to again"};
  if (state == QueueState::no_robots)
    return {"failures", "waits", "wait", "for a robots.txt that the server does not give"};
  if (state == QueueState::suspended) return {"failures", "is", "are", "set aside"};
  if (state == QueueState::ready) return {"this machine", "is", "are", "ready to be visited"};
  if (state == QueueState::retired) return {"the operator", "is", "are", "retired"};
  if (state == QueueState::blocked) return {"the operator", "is", "are", "blocked"};
  if (state == QueueState::retired_by_setting) return {"the settings", "is", "are", "retired (frontier.retire)"};
  if (state == QueueState::over_quota) return {"quotas", "has", "have", "used up a quota"};
  return {to_string(state), "waits", "wait", ""};
}

// "3 of 8 queues wait for the delay"
std::string some_of(uint64_t some, uint64_t all, std::string_view unit, const Words& say) {
  return fmt::format("{}: {} of {} {}{}{}", say.about, some, counted(all, unit), some == 1 ? say.one : say.many,
                     say.what.empty() ? "" : " ", say.what);
}

}  // namespace

std::string slow_because(const frontier::QueueStates& waits, uint64_t max_visits) {
  using frontier::QueueState;
  const uint64_t visits = waits.looking_up + waits.robots + waits.fetching;
  uint64_t queues = 0;
  for (const auto& state : waits.states) queues += state.queues;
  if (waits.looking_up * 2 > visits)
    return some_of(waits.looking_up, visits, "visit", {"DNS", "looks", "look", "up an address"});
  if (visits >= max_visits)
    return fmt::format("the number of visits: all {} allowed (max-visits) are in flight", max_visits);
  if (waits.robots * 2 > visits)
    return some_of(waits.robots, visits, "visit", {"robots.txt", "fetches", "fetch", "it"});
  const auto most = std::ranges::find_if(waits.states, [](const auto& state) {
    return state.state != QueueState::being_visited && state.state != QueueState::empty;
  });
  if (most != waits.states.end() && most->queues * 2 >= queues - std::min(queues, visits)) {
    constexpr Words kBandwidth{"bandwidth", "is", "are",
                               "ready, and held back by what is allowed (politeness.bandwidth)"};
    const bool for_bandwidth = most->state == QueueState::ready && waits.for_bandwidth;
    return some_of(most->queues, queues, "queue", for_bandwidth ? kBandwidth : words(most->state));
  }
  if (visits > 0)
    return some_of(visits, std::max(queues, visits), "queue", {"the servers", "is", "are", "being visited"});
  return most == waits.states.end()
             ? ""
             : fmt::format("{}: {} of {}", to_string(most->state), most->queues, counted(queues, "queue"));
}

}  // namespace caddis::crawl
