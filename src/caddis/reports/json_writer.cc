#include "caddis/reports/json_writer.h"

#include "caddis/base/json_text.h"

namespace caddis::reports {

void JsonWriter::begin_text() {
  text_ += "{\"report\":";
  append_json_string(text_, report().name);
  text_ += ",\"title\":";
  append_json_string(text_, report().title);
  text_ += ",\"columns\":[";
  for (const Column& column : report().columns) {
    if (&column != &report().columns.front()) text_ += ',';
    append_json_string(text_, column.name);
  }
  text_ += "],\"rows\":[";
}

void JsonWriter::row_text(const Row& row) {
  text_ += is_first_ ? "\n" : ",\n";
  is_first_ = false;
  JsonObject object;
  for (size_t i = 0; i < row.size(); ++i) {
    const Column& column = report().columns[i];
    if (column.kind == CellKind::text)
      object.add(column.name, row[i]);
    else
      object.add_raw(column.name, row[i].empty() ? std::string_view("null") : std::string_view(row[i]));
  }
  text_ += object.finish();
}

void JsonWriter::end_text() { text_ += is_cut() ? "\n],\"is-cut\":true}\n" : "\n]}\n"; }

}  // namespace caddis::reports
