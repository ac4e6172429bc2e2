// Spans of time as people write them: "mon..fri 08:00..18:00 Europe/Vienna", "22:00..06:00", "2026-12-24..2026-12-26".
//
//   span  = *(days / hours / dates) [ZONE]            ; each once at most, one of them at least; all that stand there count
//   days  = DAY [".." DAY] *("," DAY [".." DAY])      ; mon, tue, wed, thu, fri, sat, sun
//   hours = HH:MM ".." HH:MM                          ; without the end, which may be that of the next day, or 24:00
//   dates = DATE [".." DATE]                          ; 2026-12-24; the last day is in it
//   ZONE  = name of a time zone                       ; Europe/Vienna; UTC if none is named
//
// Hours over midnight belong to the day on which they begin: "fri 22:00..06:00" ends on Saturday. When clocks are put
// forward or back, what the clock on the wall shows counts.
//
// Immutable, any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::text {
class TimeZone;
}  // namespace caddis::text

namespace caddis::scope {

class TimeSpan {
 public:
  // ErrorCode::config says what is wrong, and how a span is written.
  static Result<TimeSpan> parse(std::string_view text);
  bool holds(WallTime moment) const;
  // The next moment at which that changes; nothing if it never does again.
  std::optional<WallTime> next_change(WallTime moment) const;

 private:
  TimeSpan() = default;
  Result<void> take_days(std::string_view word);
  Result<void> take_hours(std::string_view word);
  Result<void> take_dates(std::string_view word);
  bool is_day(std::chrono::sys_days day) const;
  bool holds_at(std::chrono::sys_seconds moment) const;
  // The moments between two days at which it may begin or end.
  void add_moments(std::chrono::sys_days from, std::chrono::sys_days to,
                   std::vector<std::chrono::sys_seconds>& moments) const;

  std::shared_ptr<const text::TimeZone> zone_;
  uint8_t days_ = 0x7f;                                      // a bit for each day of the week, Monday's the lowest
  std::chrono::minutes from_{0}, to_{std::chrono::days(1)};  // of the day; if `to_` is less, of the next
  std::optional<std::chrono::sys_days> first_, last_;
};

// Several spans: they hold while one of them does.
class TimeSpans {
 public:
  static Result<TimeSpans> parse(const std::vector<std::string>& texts);
  bool empty() const { return spans_.empty(); }
  bool hold(WallTime moment) const;
  std::optional<WallTime> next_change(WallTime moment) const;

 private:
  std::vector<TimeSpan> spans_;
};

}  // namespace caddis::scope
