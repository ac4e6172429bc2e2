// The times at which sheets hold. Those without times hold at all times.
//
// Immutable, any thread.
#pragma once

#include <optional>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/scope/time_span.h"
#include "caddis/settings/sheet.h"

namespace caddis::scope {

class SheetTimes {
 public:
  // ErrorCode::config for a span that is none; names the sheet.
  static Result<SheetTimes> create(const settings::Sheets& sheets);

  // The sheets that hold at that moment, as indexes.
  std::vector<size_t> holding(WallTime moment) const;
  bool holds(size_t sheet, WallTime moment) const { return times_[sheet].empty() || times_[sheet].hold(moment); }
  // The next moment at which that changes; nothing if it never does.
  std::optional<WallTime> next_change(size_t sheet, WallTime moment) const { return times_[sheet].next_change(moment); }

 private:
  std::vector<TimeSpans> times_;  // of each sheet
};

}  // namespace caddis::scope
