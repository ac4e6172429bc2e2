// Why a queue waits: one table of the states, their names in JSON and reports, and a sentence for people.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace caddis::frontier {

enum class QueueState : uint8_t {
  ready,
  being_visited,
  politeness,
  host_bandwidth,
  asked_to_wait,
  retry,
  no_address,
  no_connection,
  no_robots,
  suspended,
  host_busy,
  group_busy,
  address_busy,
  job_busy,
  abandoned,
  blocked,
  retired,
  retired_by_setting,
  over_quota,
  empty,
};

// "politeness", "host bandwidth": as JSON has it.
std::string_view to_string(QueueState state);
// The state in words, after its name: "waits for the delay between two visits".
std::string_view sentence(QueueState state);
// The state of that name.
std::optional<QueueState> queue_state_named(std::string_view name);

}  // namespace caddis::frontier
