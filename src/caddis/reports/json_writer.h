// A report as JSON: {"report": name, "title": …, "columns": [names], "rows": [{name: value, …}, …]}, a row a
// line. Numbers are numbers; an empty cell is null, if it is one of a number. "is-cut": true stands behind the rows if
// there are more.
#pragma once

#include "caddis/reports/report_writer.h"

namespace caddis::reports {

class JsonWriter final : public ReportWriter {
 public:
  using ReportWriter::ReportWriter;

 private:
  void begin_text() override;
  void row_text(const Row& row) override;
  void end_text() override;

  bool is_first_ = true;  // the row that comes
};

}  // namespace caddis::reports
