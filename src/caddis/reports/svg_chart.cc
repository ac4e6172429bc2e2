#include "caddis/reports/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "caddis/base/time_format.h"
#include "caddis/reports/html_text.h"

namespace caddis::reports {
namespace {

// In units of the drawing, which is as wide as its place on the page.
constexpr double kWidth = 460, kHeight = 200, kLeft = 58, kRight = 10, kTop = 10, kBottom = 26;
constexpr double kBarHeight = 24, kBarLeft = 168, kBarRight = 66;
constexpr size_t kLongestName = 26;

constexpr std::string_view kNothing = "<p class=\"nothing\">There is nothing to draw yet.</p>\n";

// The distance of the lines of a chart up to `most`: 1, 2 or 5 times a power of ten, so that there are five at most.
double step_of(double most) {
  constexpr int kMostSteps = 5;
  if (most <= 0) return 1;
  const double least = most / kMostSteps;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= least) return step * power;
  return 10 * power;
}

// The same for times: so many seconds, minutes, hours or days as people count.
Duration time_step_of(Duration span) {
  using std::chrono::days, std::chrono::hours, std::chrono::minutes, std::chrono::seconds;
  constexpr int kMostSteps = 4;
  static constexpr Duration kSteps[] = {seconds(1),  seconds(5),  seconds(15), seconds(30), minutes(1), minutes(5),
                                        minutes(15), minutes(30), hours(1),    hours(3),    hours(6),   hours(12),
                                        days(1),     days(2),     days(7),     days(14)};
  for (const Duration step : kSteps)
    if (span / step <= kMostSteps) return step;
  constexpr Duration kMonth = days(30);
  return kMonth * (span / kMonth / kMostSteps + 1);
}

std::string open_svg(std::string_view title, double height) {
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", kWidth, height, html_text(title));
}

std::string text_at(double x, double y, std::string_view kind, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, kind, html_text(text));
}

// "01-02 03:04": as much of the time as tells two steps of the axis apart.
std::string label_of(WallTime time, Duration step) {
  const std::string stamp = rfc3339(time);
  if (step >= std::chrono::hours(24)) return stamp.substr(0, 10);
  if (step >= std::chrono::hours(3)) return stamp.substr(5, 5) + " " + stamp.substr(11, 5);
  return stamp.substr(11, step >= std::chrono::minutes(1) ? 5 : 8);
}

std::string shortened(std::string_view name) {
  std::string text(name);
  if (text.size() <= kLongestName) return text;
  size_t end = kLongestName - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

}  // namespace

std::string short_number(double value, Unit unit) {
  static constexpr std::array<std::string_view, 6> kNumbers = {"", "k", "M", "G", "T", "P"};
  static constexpr std::array<std::string_view, 6> kBytes = {" B", " KB", " MB", " GB", " TB", " PB"};
  size_t step = 0;
  while (std::abs(value) >= 1000 && step + 1 < kNumbers.size()) {
    value /= 1000;
    ++step;
  }
  const bool is_whole = value == std::floor(value);
  const std::string digits = is_whole || value >= 100 ? fmt::format("{:.0f}", value)
                             : value >= 1             ? fmt::format("{:.1f}", value)
                                                      : fmt::format("{:.2g}", value);
  return fmt::format("{}{}", digits, unit == Unit::bytes ? kBytes[step] : kNumbers[step]);
}

std::string draw(const TimeChart& chart) {
  const auto& points = chart.points;
  if (points.size() < 2 || points.back().time <= points.front().time) return std::string(kNothing);
  const WallTime begin = points.front().time;
  const auto span = std::chrono::duration_cast<Duration>(points.back().time - begin);
  double most = 0;
  for (const TimePoint& point : points) most = std::max(most, point.value);
  const double step = step_of(most);
  const double top = std::max(1.0, std::ceil(most / step)) * step;
  const double base = kHeight - kBottom;
  const auto x_of = [&](WallTime time) {
    const double part = std::chrono::duration<double>(time - begin) / std::chrono::duration<double>(span);
    return kLeft + part * (kWidth - kLeft - kRight);
  };
  const auto y_of = [&](double value) { return base - value / top * (base - kTop); };

  std::string out = open_svg(chart.title, kHeight);
  for (int i = 0; i * step <= top * 1.0001; ++i) {
    const double value = step * i;
    out += fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", kLeft, kWidth - kRight,
                       y_of(value), y_of(value), i == 0 ? "axis" : "grid");
    out += text_at(kLeft - 6, y_of(value) + 4, "y", short_number(value, chart.unit));
  }
  std::string line;
  for (const TimePoint& point : points)
    line += fmt::format("{}{:.1f},{:.1f}", line.empty() ? "" : " ", x_of(point.time), y_of(point.value));
  out += fmt::format("<polygon points=\"{:.1f},{:.1f} {} {:.1f},{:.1f}\" class=\"area\"/>\n", x_of(begin), base, line,
                     x_of(points.back().time), base);
  out += fmt::format("<polyline points=\"{}\" class=\"line\"/>\n", line);
  // UTC: days begin at whole multiples of a day.
  const Duration time_step = time_step_of(span);
  const auto since = std::chrono::duration_cast<Duration>(begin.time_since_epoch());
  const auto first = (since + time_step - Duration(1)) / time_step * time_step;
  for (Duration at = first; at <= since + span; at += time_step) {
    const WallTime time(std::chrono::duration_cast<WallTime::duration>(at));
    constexpr double kHalfLabel = 30;
    if (x_of(time) < kLeft + kHalfLabel - kTop || x_of(time) > kWidth - kHalfLabel) continue;
    out += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" class=\"axis\"/>\n",
                       x_of(time), base, base + 4);
    out += text_at(x_of(time), kHeight - 8, "x", label_of(time, time_step));
  }
  return out + "</svg>\n";
}

std::string draw(const BarChart& chart) {
  double most = 0;
  for (const Bar& bar : chart.bars) most = std::max(most, bar.value);
  if (most <= 0) return std::string(kNothing);
  std::string out = open_svg(chart.title, kBarHeight * static_cast<double>(chart.bars.size()) + 4);
  double y = 2;
  for (const Bar& bar : chart.bars) {
    const double width = std::max(1.0, bar.value / most * (kWidth - kBarLeft - kBarRight));
    out += fmt::format("<g><title>{}: {}</title>\n", html_text(bar.name), short_number(bar.value, chart.unit));
    out += text_at(kBarLeft - 8, y + 16, "name", shortened(bar.name));
    out += fmt::format("<rect x=\"{}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" rx=\"2\" class=\"bar\"/>\n",
                       kBarLeft, y + 3, width, kBarHeight - 7);
    out += text_at(kBarLeft + width + 6, y + 16, "value", short_number(bar.value, chart.unit)) + "</g>\n";
    y += kBarHeight;
  }
  return out + "</svg>\n";
}

}  // namespace caddis::reports
