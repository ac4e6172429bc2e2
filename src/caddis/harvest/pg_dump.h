// Reads the rows of tables out of a plain dump of PostgreSQL (pg_dump): the blocks "COPY table (columns) FROM stdin;".
//
// Rows are read one by one, from the beginning of the file for each call. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::harvest {

struct CopyBlock {
  std::string table;  // in lower case, without its schema
  std::vector<std::string> columns;
};
// The block that the line begins; nothing: it begins none.
std::optional<CopyBlock> copy_block_of(std::string_view line);
// The fields of a row; a field without a value is nothing.
std::vector<std::optional<std::string>> copy_fields_of(std::string_view line);

class DumpRow {
 public:
  DumpRow(const CopyBlock& block, std::vector<std::optional<std::string>> fields, int64_t line)
      : block_(block), fields_(std::move(fields)), line_(line) {}

  int64_t line() const { return line_; }  // of the file, from 1
  // Empty if the column has no value, or there is none of that name.
  std::string text(std::string_view column) const;
  std::optional<int64_t> number(std::string_view column) const;
  int64_t number(std::string_view column, int64_t otherwise) const { return number(column).value_or(otherwise); }
  bool flag(std::string_view column) const {
    const std::string given = text(column);
    return given == "t" || given == "1" || given == "true";
  }
  bool is_whole() const { return fields_.size() == block_.columns.size(); }

 private:
  const CopyBlock& block_;
  const std::vector<std::optional<std::string>> fields_;
  const int64_t line_;
};

// Calls `use` for each row of the table. Rows of more than 64 MiB are passed over, and told by `too_long`. A table that is not
// in the file has no rows.
Result<void> each_dump_row(io::Files& files, const std::string& path, std::string_view table,
                           const std::function<Result<void>(const DumpRow&)>& use,
                           const std::function<void(int64_t line)>& too_long);
// How many rows each table has. ErrorCode::corrupt if the file is no such dump.
Result<std::map<std::string, int64_t>> dump_tables(io::Files& files, const std::string& path);

}  // namespace caddis::harvest
