#include "caddis/scope/sheet_times.h"

#include <fmt/format.h>

namespace caddis::scope {

Result<SheetTimes> SheetTimes::create(const settings::Sheets& sheets) {
  SheetTimes made;
  for (const settings::Sheet& sheet : sheets) {
    auto times = TimeSpans::parse(sheet.times);
    if (!times) return pass(std::move(times).error(), fmt::format("sheet '{}': times", sheet.name));
    made.times_.push_back(*std::move(times));
  }
  return made;
}

std::vector<size_t> SheetTimes::holding(WallTime moment) const {
  std::vector<size_t> sheets;
  for (size_t i = 0; i < times_.size(); ++i)
    if (holds(i, moment)) sheets.push_back(i);
  return sheets;
}

}  // namespace caddis::scope
