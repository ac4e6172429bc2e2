// A metric as a row of a table: the answer to Prometheus and the page of documents are made of the same rows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::metrics {

enum class Type : uint8_t {
  counter,  // only grows, until the process begins anew
  gauge,
};
// "counter"
constexpr std::string_view to_string(Type type) { return type == Type::counter ? "counter" : "gauge"; }

struct Metric {
  std::string_view name;  // "caddis_documents_total"
  Type type = Type::gauge;
  std::string_view help;   // a sentence
  std::string_view label;  // the name of the label by which it has several samples; empty if it has one
};

// The metrics as a table of a page of documents.
std::string markdown_table(const std::vector<Metric>& metrics);

}  // namespace caddis::metrics
