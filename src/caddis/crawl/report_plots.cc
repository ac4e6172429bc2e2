#include "caddis/crawl/report_plots.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>

#include "caddis/base/strings.h"

namespace caddis::crawl {
namespace {

using reports::TimeChart;
using reports::Unit;

using Member = uint64_t SeriesPoint::*;

constexpr size_t kMostPoints = 150;  // of a rate: fewer, so that it is a line and no comb

TimeChart chart_of(const std::vector<SeriesPoint>& series, std::string title, Member member) {
  TimeChart chart{.title = std::move(title), .unit = Unit::number, .points = {}};
  for (const SeriesPoint& point : series) chart.points.push_back({point.time, static_cast<double>(point.*member)});
  return chart;
}

// The growth a second, over some points at a time.
TimeChart rate_of(const std::vector<SeriesPoint>& series, std::string title, Unit unit, Member member) {
  TimeChart chart{.title = std::move(title), .unit = unit, .points = {}};
  const size_t step = std::max<size_t>(1, series.size() / kMostPoints);
  for (size_t i = step; i < series.size(); i += step) {
    const SeriesPoint &before = series[i - step], &now = series[i];
    const double seconds = std::chrono::duration<double>(now.time - before.time).count();
    if (seconds <= 0) continue;
    const uint64_t grown = now.*member - std::min(now.*member, before.*member);
    chart.points.push_back({now.time, static_cast<double>(grown) / seconds});
  }
  return chart;
}

}  // namespace

void add_time_plots(const std::vector<SeriesPoint>& series, reports::ReportPage& page) {
  const auto add = [&](const TimeChart& chart) { page.add_plot(chart.title, reports::draw(chart)); };
  add(rate_of(series, "Documents a second", Unit::number, &SeriesPoint::documents));
  add(rate_of(series, "Bytes a second", Unit::bytes, &SeriesPoint::bytes));
  add(chart_of(series, "URLs that wait", &SeriesPoint::queued));
  add(chart_of(series, "URLs known", &SeriesPoint::seen));
  add(chart_of(series, "Hosts", &SeriesPoint::hosts));
  add(chart_of(series, "Failures", &SeriesPoint::failed));
}

LargestRows::LargestRows(std::string title, reports::Unit unit, const reports::Report& report, std::string_view name,
                         std::string_view value)
    : unit_(unit), title_(std::move(title)) {
  for (size_t i = 0; i < report.columns.size(); ++i) {
    if (report.columns[i].name == name) name_ = i;
    if (report.columns[i].name == value) value_ = i;
  }
}

void LargestRows::add(const reports::Row& row) {
  const auto value = static_cast<double>(parse_int(row[value_]).value_or(0));
  if (value <= 0 || (bars_.size() == kMost && bars_.back().value >= value)) return;
  const auto place = std::ranges::find_if(bars_, [&](const reports::Bar& bar) { return bar.value < value; });
  bars_.insert(place, {row[name_], value});
  if (bars_.size() > kMost) bars_.pop_back();
}

void LargestRows::add_to(reports::ReportPage& page) const {
  page.add_plot(title_, reports::draw(reports::BarChart{.title = title_, .unit = unit_, .bars = bars_}));
}

}  // namespace caddis::crawl
