// A report as Heritrix writes it: a line of headings, then cells with blanks between them; or the lines that the report
// makes itself. A cell is one word: blanks and control characters in it are percent-encoded, an empty one is "-".
#pragma once

#include <string>
#include <string_view>

#include "caddis/reports/report_writer.h"

namespace caddis::reports {

class TextWriter final : public ReportWriter {
 public:
  using ReportWriter::ReportWriter;

 private:
  void begin_text() override;
  void row_text(const Row& row) override;
};

// Appends the cell as one word.
void append_word(std::string& text, std::string_view cell);

}  // namespace caddis::reports
