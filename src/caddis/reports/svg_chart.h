// Plots as SVG elements for a page: lines over time, and bars. Colours are the page's (classes of page.css), so they
// follow light, dark and print. Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/clock.h"

namespace caddis::reports {

struct TimePoint {
  WallTime time;
  double value = 0;
};

// How values are written at an axis.
enum class Unit : uint8_t { number, bytes };

struct TimeChart {
  std::string title;  // for those who do not see it, too
  Unit unit = Unit::number;
  std::vector<TimePoint> points;  // in order
};
// "<svg …>"; a sentence in its place if there are fewer than two points.
std::string draw(const TimeChart& chart);

struct Bar {
  std::string name;
  double value = 0;
};
struct BarChart {
  std::string title;
  Unit unit = Unit::number;
  std::vector<Bar> bars;  // in order, the first on top
};
std::string draw(const BarChart& chart);

// "1.5k", "12", "3.2 MB": short enough for an axis.
std::string short_number(double value, Unit unit);

}  // namespace caddis::reports
