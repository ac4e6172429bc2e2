// A report as CSV (RFC 4180): lines end with CR LF, the first one has the names of the columns, and a cell with a
// comma, a quotation mark, CR or LF stands in quotation marks.
#pragma once

#include "caddis/reports/report_writer.h"

namespace caddis::reports {

class CsvWriter final : public ReportWriter {
 public:
  using ReportWriter::ReportWriter;

 private:
  void begin_text() override;
  void row_text(const Row& row) override;
};

}  // namespace caddis::reports
