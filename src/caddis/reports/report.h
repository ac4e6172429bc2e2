// A report: a table with a name, columns, and rows that come one after the other, however many they are. Its writers
// (report_writer.h) know nothing of what it tells, and whoever makes it knows nothing of files.
//
//   Report report{.name = "mimetype-report", .title = "Media types", .columns = {count("urls"), word("mime-types")}};
//   report.rows = [&](const RowCall& row) -> Result<void> { return row({"12", "text/html"}); };
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::reports {

// The names that a report may have which people ask for so, itself first: "hosts" and "hosts-report.txt" are "hosts-report".
std::vector<std::string> names_meant(std::string_view given);

enum class CellKind : uint8_t { text, number };

struct Column {
  std::string name;  // in JSON and CSV: "urls"
  CellKind kind = CellKind::text;
  std::string heading;         // in text, as Heritrix writes it: "[#urls]"
  bool is_hyphenated = false;  // in text a blank is "-"
};

// "[#urls]": a number of things.
Column count(std::string name);
// "[slowest-ms]": another number.
Column figure(std::string name);
// "[host]"
Column word(std::string name);

// As many cells as there are columns; an empty one says nothing. Numbers are decimal.
using Row = std::vector<std::string>;
using RowCall = std::function<Result<void>(const Row& row)>;

struct Report {
  std::string name;        // of its file, without an ending: "hosts-report"
  std::string title = {};  // for people: "Hosts"
  std::vector<Column> columns;
  // Calls for each row, and ends with the first error. May be called more than once.
  std::function<Result<void>(const RowCall& row)> rows;
  // Appends the row to the text form, with its line end. None: the cells with blanks between them, below the headings.
  std::function<void(std::string& text, const Row& row)> text_line = nullptr;
};

}  // namespace caddis::reports
