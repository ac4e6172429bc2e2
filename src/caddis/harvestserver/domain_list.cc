#include "caddis/harvestserver/domain_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/harvest/domain_name.h"

namespace caddis::harvestserver {
namespace {

enum class Column : uint8_t { domain, seeds, max_bytes, max_objects, template_name, comments };
constexpr std::array<std::pair<std::string_view, Column>, 8> kColumns = {{
    {"domain", Column::domain},
    {"seeds", Column::seeds},
    {"max_bytes", Column::max_bytes},
    {"byte_limit", Column::max_bytes},
    {"max_objects", Column::max_objects},
    {"object_limit", Column::max_objects},
    {"template", Column::template_name},
    {"comments", Column::comments},
}};
constexpr std::string_view kNames = "domain, seeds, max_bytes, max_objects, template, comments";
constexpr std::string_view kMark = "\xEF\xBB\xBF";

struct Record {
  int64_t line = 0;
  std::vector<std::string> cells;  // trimmed
  bool is_open = false;            // the text ended within quotation marks
};

// The records of a text, one after another; those without a character, and remarks, are left out.
class Records {
 public:
  explicit Records(std::string_view text) : rest_(text) {
    if (rest_.starts_with(kMark)) rest_.remove_prefix(kMark.size());
  }

  std::optional<Record> next() {
    for (;;) {
      if (rest_.empty()) return std::nullopt;
      const std::string_view line = rest_.substr(0, rest_.find('\n'));
      const std::string_view text = trim(line);
      if (!text.empty() && !text.starts_with('#')) break;
      rest_.remove_prefix(std::min(rest_.size(), line.size() + 1));
      ++line_;
    }
    if (separator_ == 0) separator_ = separator_of(rest_.substr(0, rest_.find('\n')));
    return read();
  }

 private:
  // A tab; else what comes first outside of quotation marks.
  static char separator_of(std::string_view line) {
    if (line.contains('\t')) return '\t';
    bool is_quoted = false;
    for (const char c : line) {
      if (c == '"') is_quoted = !is_quoted;
      if (!is_quoted && (c == ',' || c == ';')) return c;
    }
    return ',';
  }

  Record read() {
    Record record{line_, {}, false};
    for (;;) {
      record.cells.push_back(read_cell(record.is_open));
      if (rest_.empty()) return record;
      const char end = rest_.front();
      rest_.remove_prefix(1);
      if (end == separator_) continue;
      ++line_;
      return record;
    }
  }

  // Leaves the sign behind the cell.
  std::string read_cell(bool& is_open) {
    while (!rest_.empty() && (rest_.front() == ' ' || (rest_.front() == '\t' && separator_ != '\t')))
      rest_.remove_prefix(1);
    std::string cell;
    if (rest_.starts_with('"')) read_quoted(cell, is_open);
    size_t end = 0;
    while (end < rest_.size() && rest_[end] != separator_ && rest_[end] != '\n') ++end;
    cell += rest_.substr(0, end);
    rest_.remove_prefix(end);
    return std::string(trim(cell));
  }

  void read_quoted(std::string& cell, bool& is_open) {
    size_t at = 1;
    for (; at < rest_.size(); ++at) {
      if (rest_[at] == '\n') ++line_;
      if (rest_[at] != '"') {
        cell += rest_[at];
      } else if (at + 1 < rest_.size() && rest_[at + 1] == '"') {
        cell += rest_[at++];
      } else {
        rest_.remove_prefix(at + 1);
        return;
      }
    }
    is_open = true;
    rest_ = {};
  }

  std::string_view rest_;
  int64_t line_ = 1;
  char separator_ = 0;
};

// "Byte limit" is byte_limit.
std::string column_name(std::string_view cell) {
  std::string name = to_lower(cell);
  std::ranges::replace_if(name, [](char c) { return c == ' ' || c == '-'; }, '_');
  return name;
}

bool is_header(const Record& record) {
  return std::ranges::any_of(record.cells, [](const std::string& cell) { return column_name(cell) == "domain"; });
}

Result<std::vector<std::optional<Column>>> columns_of(const Record& header) {
  std::vector<std::optional<Column>> columns;
  std::set<Column> seen;
  for (const std::string& cell : header.cells) {
    const std::string name = column_name(cell);
    const auto* const known = std::ranges::find(kColumns, name, &std::pair<std::string_view, Column>::first);
    if (known == kColumns.end() && !name.empty())
      return fail(ErrorCode::parse,
                  fmt::format("line {}: there is no column '{}'; there are {}", header.line, cell, kNames));
    if (known != kColumns.end() && !seen.insert(known->second).second)
      return fail(ErrorCode::parse, fmt::format("line {}: the column '{}' stands there twice", header.line, cell));
    columns.push_back(known == kColumns.end() ? std::nullopt : std::optional(known->second));
  }
  return columns;
}

Result<std::optional<int64_t>> limit_in(std::string_view text) {
  if (text.empty()) return std::optional<int64_t>();
  const auto number = parse_int(text);
  if (!number || *number < -1)
    return fail(ErrorCode::parse, fmt::format("'{}' is no limit: a number from 0 on, or -1 for none", text));
  return std::optional(*number);
}

Result<std::string> seeds_in(std::string_view text) {
  std::string seeds;
  for (size_t at = 0; at < text.size();) {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    const size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    if (end > at) seeds.append(text.substr(at, end - at)).push_back('\n');
    at = end;
  }
  TRY_VOID(harvest::check_seeds(seeds));
  return seeds;
}

Result<void> take_cell(ListedDomain& domain, Column column, const std::string& cell) {
  switch (column) {
    case Column::domain:
      break;
    case Column::seeds: {
      TRY(domain.seeds, seeds_in(cell));
      break;
    }
    case Column::max_bytes: {
      TRY(domain.max_bytes, limit_in(cell));
      break;
    }
    case Column::max_objects: {
      TRY(domain.max_objects, limit_in(cell));
      break;
    }
    case Column::template_name:
      domain.template_name = cell;
      break;
    case Column::comments:
      domain.comments = cell;
      break;
  }
  return {};
}

// The name first, so that an error is told with it.
Result<void> take_record(ListedDomain& domain, const Record& record,
                         const std::vector<std::optional<Column>>& columns) {
  for (size_t i = 0; i < std::min(columns.size(), record.cells.size()); ++i)
    if (columns[i] == Column::domain) domain.given = record.cells[i];
  constexpr size_t kMostTold = 200;
  if (record.is_open) {
    domain.given.resize(std::min(domain.given.size(), kMostTold));
    return fail(ErrorCode::parse, "a quotation mark is not closed: nothing behind it was read");
  }
  TRY(domain.name, harvest::domain_name_of(domain.given));
  for (size_t i = 0; i < record.cells.size(); ++i) {
    const std::optional<Column> column = i < columns.size() ? columns[i] : std::nullopt;
    if (!column && !record.cells[i].empty())
      return fail(ErrorCode::parse,
                  fmt::format("'{}' stands in no column: a first line has their names ({})", record.cells[i], kNames));
    if (column) TRY_VOID(take_cell(domain, *column, record.cells[i]));
  }
  return {};
}

}  // namespace

Result<DomainList> read_domain_list(std::string_view text) {
  Records records(text);
  DomainList list;
  std::set<std::string, std::less<>> seen;
  std::vector<std::optional<Column>> columns = {Column::domain};
  bool is_first = true;
  while (const auto record = records.next()) {
    if (std::exchange(is_first, false) && is_header(*record)) {
      TRY(columns, columns_of(*record));
      continue;
    }
    ListedDomain domain;
    domain.line = record->line;
    if (const auto taken = take_record(domain, *record, columns); !taken)
      list.wrong.push_back({record->line, domain.given, taken.error().message});
    else if (seen.insert(domain.name).second)
      list.domains.push_back(std::move(domain));
  }
  return list;
}

}  // namespace caddis::harvestserver
