// The plots of the page of reports: how the crawl went over time, and its largest parts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "caddis/crawl/progress_series.h"
#include "caddis/reports/report.h"
#include "caddis/reports/report_page.h"
#include "caddis/reports/svg_chart.h"

namespace caddis::crawl {

// Documents and bytes a second, what waits, what is known, hosts, failures.
void add_time_plots(const std::vector<SeriesPoint>& series, reports::ReportPage& page);

// The largest rows of a report as bars, found while it is written.
class LargestRows {
 public:
  // `name`, `value`: columns.
  LargestRows(std::string title, reports::Unit unit, const reports::Report& report, std::string_view name,
              std::string_view value);
  void add(const reports::Row& row);
  void add_to(reports::ReportPage& page) const;

 private:
  static constexpr size_t kMost = 10;

  const reports::Unit unit_;
  const std::string title_;
  size_t name_ = 0, value_ = 0;
  std::vector<reports::Bar> bars_;  // the largest first
};

}  // namespace caddis::crawl
