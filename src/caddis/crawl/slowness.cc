#include "caddis/crawl/slowness.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace caddis::crawl {
namespace {

// Of a state of queues: what it is about, and what they do.
std::pair<std::string_view, std::string_view> words(std::string_view state) {
  if (state == "politeness") return {"politeness", "wait for their delay"};
  if (state == "host busy") return {"politeness", "wait for the visit of another queue of their host"};
  if (state == "group busy") return {"politeness", "wait for another host of their politeness group"};
  if (state == "address busy") return {"politeness", "wait for a place at their address (max-per-address)"};
  if (state == "asked to wait") return {"the servers", "are to wait as long as their server has said (Retry-After)"};
  if (state == "retry") return {"failures", "hold nothing but URLs that wait for their next try"};
  if (state == "no address") return {"DNS", "wait to look up their host again"};
  if (state == "no connection") return {"failures", "wait to be connected to again"};
  if (state == "set aside") return {"failures", "are set aside"};
  if (state == "ready") return {"this machine", "are ready to be visited"};
  if (state == "retired") return {"the operator", "are retired"};
  return {state, "wait"};
}

}  // namespace

std::string slow_because(const frontier::Waits& waits, uint64_t max_visits) {
  const uint64_t visits = waits.looking_up + waits.robots + waits.fetching;
  uint64_t queues = 0;
  for (const auto& state : waits.states) queues += state.queues;
  if (waits.looking_up * 2 > visits)
    return fmt::format("DNS: {} of {} visits look up an address", waits.looking_up, visits);
  if (visits >= max_visits)
    return fmt::format("the number of visits: all {} allowed (max-visits) are in flight", max_visits);
  if (waits.robots * 2 > visits) return fmt::format("robots.txt: {} of {} visits fetch it", waits.robots, visits);
  const auto most = std::ranges::find_if(
      waits.states, [](const auto& state) { return state.name != "being visited" && state.name != "empty"; });
  if (most != waits.states.end() && most->queues * 2 >= queues - std::min(queues, visits)) {
    const auto [about, what] = most->name == "ready" && waits.for_bandwidth
                                   ? std::pair<std::string_view, std::string_view>(
                                         "bandwidth", "are ready and wait for what is allowed (politeness.bandwidth)")
                                   : words(most->name);
    return fmt::format("{}: {} of {} queues {}", about, most->queues, queues, what);
  }
  if (visits > 0)
    return fmt::format("the servers: {} of {} queues are being visited", visits, std::max(queues, visits));
  return most == waits.states.end() ? "" : fmt::format("{}: {} of {} queues", most->name, most->queues, queues);
}

}  // namespace caddis::crawl
