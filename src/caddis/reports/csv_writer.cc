#include "caddis/reports/csv_writer.h"

namespace caddis::reports {
namespace {

void append_cell(std::string& text, std::string_view cell) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    text += cell;
    return;
  }
  text += '"';
  for (const char c : cell) {
    if (c == '"') text += '"';
    text += c;
  }
  text += '"';
}

}  // namespace

void CsvWriter::begin_text() {
  for (const Column& column : report().columns) {
    if (&column != &report().columns.front()) text_ += ',';
    append_cell(text_, column.name);
  }
  text_ += "\r\n";
}

void CsvWriter::row_text(const Row& row) {
  for (const std::string& cell : row) {
    if (&cell != &row.front()) text_ += ',';
    append_cell(text_, cell);
  }
  text_ += "\r\n";
}

}  // namespace caddis::reports
