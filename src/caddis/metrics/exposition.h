// Metrics as text, in the exposition format 0.0.4 of Prometheus:
//
//   # HELP caddis_documents_total Documents that were captured.
//   # TYPE caddis_documents_total counter
//   caddis_documents_total 12
//
// Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/metrics/metric_table.h"

namespace caddis::metrics {

inline constexpr std::string_view kMediaType = "text/plain; version=0.0.4; charset=utf-8";

class Exposition {
 public:
  // Begins a metric: the samples that follow are its own.
  Exposition& begin(const Metric& metric);
  // A sample. `label_value` counts if the metric has a label.
  Exposition& add(double value, std::string_view label_value = {});
  std::string finish() { return std::move(text_); }

 private:
  std::string text_;
  Metric metric_;
};

// The metrics of one process among several.
struct Labelled {
  std::string value;  // of the label
  std::string text;   // an exposition
};

// Joins texts to one. Each sample gets the label `name`; one that it has already under that name is kept as
// "exported_<name>", as Prometheus does. Lines that are no samples are left out.
std::string join_metrics(std::string_view name, const std::vector<Labelled>& texts);

}  // namespace caddis::metrics
