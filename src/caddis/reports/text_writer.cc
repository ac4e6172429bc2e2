#include "caddis/reports/text_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace caddis::reports {

void append_word(std::string& text, std::string_view cell) {
  if (cell.empty()) text += '-';
  for (const char c : cell) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || byte == 0x7f)
      text += fmt::format("%{:02X}", byte);
    else
      text += c;
  }
}

void TextWriter::begin_text() {
  if (report().text_line) return;
  for (const Column& column : report().columns) {
    if (&column != &report().columns.front()) text_ += ' ';
    text_ += column.heading;
  }
  text_ += '\n';
}

void TextWriter::row_text(const Row& row) {
  if (report().text_line) {
    report().text_line(text_, row);
    return;
  }
  for (size_t i = 0; i < row.size(); ++i) {
    if (i > 0) text_ += ' ';
    if (!report().columns[i].is_hyphenated) {
      append_word(text_, row[i]);
      continue;
    }
    std::string words = row[i];
    std::ranges::replace(words, ' ', '-');
    append_word(text_, words);
  }
  text_ += '\n';
}

}  // namespace caddis::reports
