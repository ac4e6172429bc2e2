#include "caddis/crawl/alert_log.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <iterator>
#include <utility>

#include "caddis/base/visible.h"
#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {
namespace {

// "Jan 02, 2026 3:04:05 AM", as SimpleFormatter writes it in English.
std::string java_date(WallTime time) {
  static constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss hours(std::chrono::floor<std::chrono::seconds>(time - day));
  const auto hour = hours.hours().count();
  return fmt::format("{} {:02}, {} {}:{:02}:{:02} {}", kMonths[static_cast<unsigned>(date.month()) - 1],
                     static_cast<unsigned>(date.day()), static_cast<int>(date.year()), hour % 12 == 0 ? 12 : hour % 12,
                     hours.minutes().count(), hours.seconds().count(), hour < 12 ? "AM" : "PM");
}

}  // namespace

std::string_view java_level(LogLevel level) { return level == LogLevel::error ? "SEVERE" : "WARNING"; }

AlertLog::AlertLog(std::string path, const Clock& clock)
    : path_(std::move(path)),
      clock_(clock),
      tap_([this](LogLevel level, std::string_view module, std::string_view text) {
        const std::lock_guard lock(mutex_);
        fmt::format_to(std::back_inserter(lines_), "{} caddis.{}\n{}: {}\n", java_date(clock_.wall()), module,
                       java_level(level), visible(text));
      }) {}

Result<void> AlertLog::open(store::StreamSet& streams) { return streams.open_stream(kAlertStream, path_); }

void AlertLog::stage(commit::CommitGroup& group) {
  std::string lines;
  {
    const std::lock_guard lock(mutex_);
    lines.swap(lines_);
  }
  group.append(kAlertStream, std::move(lines));
}

}  // namespace caddis::crawl
