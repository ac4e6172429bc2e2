#include "caddis/frontier/queue_state.h"

#include <algorithm>
#include <array>

namespace caddis::frontier {
namespace {

struct Row {
  QueueState state;
  std::string_view name;
  std::string_view sentence;
};

constexpr auto kRows = std::to_array<Row>({
    {QueueState::ready, "ready", "may be visited now"},
    {QueueState::being_visited, "being visited", "is being visited"},
    {QueueState::politeness, "politeness", "waits for the delay between two visits"},
    {QueueState::host_bandwidth, "host bandwidth", "waits for its bandwidth (host-bandwidth)"},
    {QueueState::asked_to_wait, "asked to wait", "asked to wait by its server (Retry-After)"},
    {QueueState::retry, "retry", "what it holds failed, and waits for its next try"},
    {QueueState::no_address, "no address", "waits to look up its address again"},
    {QueueState::no_connection, "no connection", "waits to be connected to again"},
    {QueueState::no_robots, "no robots.txt",
     "its server answers, but does not give its robots.txt (429 or 5xx): asked for again"},
    {QueueState::suspended, "set aside", "set aside"},
    {QueueState::host_busy, "host busy", "waits for the visit of another queue of its host"},
    {QueueState::group_busy, "group busy", "waits for its turn in its politeness group"},
    {QueueState::address_busy, "address busy", "waits for its turn at its address (max-per-address, address-delay)"},
    {QueueState::job_busy, "job busy", "waits for its turn: another job visits its host"},
    {QueueState::abandoned, "given up", "given up"},
    {QueueState::blocked, "blocked", "blocked by the operator"},
    {QueueState::retired, "retired", "retired by the operator"},
    {QueueState::retired_by_setting, "retired by setting", "retired by the setting frontier.retire"},
    {QueueState::over_quota, "over quota", "has used up a quota"},
    {QueueState::empty, "empty", "holds no URL"},
});

constexpr bool stand_in_order() {
  for (size_t i = 0; i < kRows.size(); ++i)
    if (static_cast<size_t>(kRows[i].state) != i) return false;
  return kRows.size() == static_cast<size_t>(QueueState::empty) + 1;
}
static_assert(stand_in_order());

}  // namespace

std::string_view to_string(QueueState state) { return kRows[static_cast<size_t>(state)].name; }

std::string_view sentence(QueueState state) { return kRows[static_cast<size_t>(state)].sentence; }

std::optional<QueueState> queue_state_named(std::string_view name) {
  const auto* const row = std::ranges::find(kRows, name, &Row::name);
  return row == kRows.end() ? std::nullopt : std::optional(row->state);
}

}  // namespace caddis::frontier
