// The time that clocks show in a part of the world, by the names of the IANA data base. ICU brings the data: nothing of
// the system is asked.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

#include "caddis/base/error.h"

namespace caddis::text {

// Immutable, any thread.
class TimeZone {
 public:
  // "Europe/Vienna", "UTC". ErrorCode::config if there is no such zone.
  static Result<std::shared_ptr<const TimeZone>> find(std::string_view name);
  ~TimeZone();
  TimeZone(const TimeZone&) = delete;
  TimeZone& operator=(const TimeZone&) = delete;

  // Local time less UTC at that moment.
  std::chrono::seconds offset_at(std::chrono::sys_seconds moment) const;
  // The next moment after that one at which clocks are put forward or back; nothing if they never are again.
  std::optional<std::chrono::sys_seconds> next_change(std::chrono::sys_seconds moment) const;

 private:
  struct Data;
  explicit TimeZone(std::unique_ptr<const Data> data);
  std::unique_ptr<const Data> data_;
};

}  // namespace caddis::text
