#include "caddis/metrics/metric_table.h"

#include <fmt/format.h>

#include <iterator>

namespace caddis::metrics {

std::string markdown_table(const std::vector<Metric>& metrics) {
  std::string table = "| metric | type | label | what |\n|---|---|---|---|\n";
  for (const Metric& metric : metrics)
    fmt::format_to(std::back_inserter(table), "| `{}` | {} | {} | {} |\n", metric.name, to_string(metric.type),
                   metric.label.empty() ? "" : fmt::format("`{}`", metric.label), metric.help);
  return table;
}

}  // namespace caddis::metrics
