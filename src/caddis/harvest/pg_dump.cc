#include "caddis/harvest/pg_dump.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::harvest {
namespace {

constexpr size_t kPiece = 1 << 20;
constexpr size_t kLongest = 64 << 20;

// Lines of the file, however long it is.
class Lines {
 public:
  explicit Lines(const io::File& file) : file_(file), buffer_(kPiece, '\0') {}

  // False behind the last. A line that is too long is empty, and `is_long` says so.
  Result<bool> next(std::string_view& line, bool& is_long) {
    rest_.clear();
    is_long = false;
    for (;;) {
      const size_t end = buffer_.find('\n', at_);
      if (at_ < got_ && end < got_) {
        take(std::string_view(buffer_).substr(at_, end - at_), is_long);
        at_ = end + 1;
        break;
      }
      if (at_ < got_) take(std::string_view(buffer_).substr(at_, got_ - at_), is_long);
      const bool had = at_ < got_ || !rest_.empty() || is_long;
      TRY(got_, file_.read_at(offset_, buffer_.data(), buffer_.size()));
      offset_ += got_;
      at_ = 0;
      if (got_ > 0) continue;
      if (!had) return false;
      break;
    }
    ++number_;
    if (rest_.ends_with('\r')) rest_.pop_back();
    line = rest_;
    return true;
  }
  int64_t number() const { return number_; }

 private:
  void take(std::string_view piece, bool& is_long) {
    if (rest_.size() + piece.size() > kLongest) is_long = true;
    if (is_long)
      rest_.clear();
    else
      rest_ += piece;
  }

  const io::File& file_;
  std::string buffer_, rest_;
  size_t at_ = 0, got_ = 0;
  uint64_t offset_ = 0;
  int64_t number_ = 0;
};

std::string unquoted(std::string_view name) {
  name = trim(name);
  if (name.size() >= 2 && name.starts_with('"') && name.ends_with('"')) name = name.substr(1, name.size() - 2);
  return to_lower(name);
}

// Calls `begin` with each block: true if its rows are wanted.
Result<void> each_row(io::Files& files, const std::string& path, const std::function<bool(const CopyBlock&)>& begin,
                      const std::function<Result<void>(const CopyBlock&, std::string_view, int64_t)>& use,
                      const std::function<void(int64_t)>& too_long) {
  TRY(const auto file, files.open_read(path));
  Lines lines(*file);
  std::optional<CopyBlock> block;
  bool is_wanted = false;
  for (;;) {
    std::string_view line;
    bool is_long = false;
    TRY(const bool has_line, lines.next(line, is_long));
    if (!has_line) break;
    if (!block) {
      block = copy_block_of(line);
      is_wanted = block && begin(*block);
    } else if (line == "\\.") {
      block.reset();
    } else if (is_wanted && is_long) {
      too_long(lines.number());
    } else if (is_wanted) {
      TRY_VOID(use(*block, line, lines.number()));
    }
  }
  if (block)
    return fail(ErrorCode::corrupt, fmt::format("{} ends within the rows of the table {}", path, block->table));
  return {};
}

}  // namespace

std::optional<CopyBlock> copy_block_of(std::string_view line) {
  constexpr std::string_view kEnd = " FROM stdin;";
  if (!line.starts_with("COPY ") || !line.ends_with(kEnd)) return std::nullopt;
  const std::string_view inner = trim(line.substr(5, line.size() - 5 - kEnd.size()));
  const size_t open = inner.find('(');
  if (open == std::string_view::npos || !inner.ends_with(')')) return std::nullopt;
  std::string_view name = trim(inner.substr(0, open));
  if (const size_t dot = name.rfind('.'); dot != std::string_view::npos) name = name.substr(dot + 1);
  CopyBlock block{unquoted(name), {}};
  for (const std::string_view column : split(inner.substr(open + 1, inner.size() - open - 2), ','))
    block.columns.push_back(unquoted(column));
  return block;
}

std::vector<std::optional<std::string>> copy_fields_of(std::string_view line) {
  std::vector<std::optional<std::string>> fields;
  for (const std::string_view field : split(line, '\t')) {
    if (field == "\\N") {
      fields.emplace_back();
      continue;
    }
    std::string text;
    for (size_t i = 0; i < field.size(); ++i) {
      if (field[i] != '\\' || i + 1 == field.size()) {
        text += field[i];
        continue;
      }
      constexpr std::string_view kLetters = "bfnrtv", kBytes = "\b\f\n\r\t\v";
      const char c = field[++i];
      const size_t known = kLetters.find(c);
      text += known == std::string_view::npos ? c : kBytes[known];
    }
    fields.emplace_back(std::move(text));
  }
  return fields;
}

std::string DumpRow::text(std::string_view column) const {
  const auto found = std::ranges::find(block_.columns, column);
  const auto at = static_cast<size_t>(found - block_.columns.begin());
  return at < fields_.size() && fields_[at] ? *fields_[at] : std::string();
}

std::optional<int64_t> DumpRow::number(std::string_view column) const { return parse_int(text(column)); }

Result<void> each_dump_row(io::Files& files, const std::string& path, std::string_view table,
                           const std::function<Result<void>(const DumpRow&)>& use,
                           const std::function<void(int64_t line)>& too_long) {
  return each_row(
      files, path, [&](const CopyBlock& block) { return block.table == table; },
      [&](const CopyBlock& block, std::string_view line, int64_t number) {
        return use(DumpRow(block, copy_fields_of(line), number));
      },
      too_long);
}

Result<std::map<std::string, int64_t>> dump_tables(io::Files& files, const std::string& path) {
  std::map<std::string, int64_t> tables;
  TRY_VOID(each_row(
      files, path,
      [&](const CopyBlock& block) {
        tables.try_emplace(block.table, 0);
        return true;
      },
      [&](const CopyBlock& block, std::string_view, int64_t) -> Result<void> {
        ++tables[block.table];
        return {};
      },
      [](int64_t) {}));
  if (!tables.contains("domains") || !tables.contains("configurations"))
    return fail(ErrorCode::corrupt, fmt::format("{} is no plain dump of NetarchiveSuite's database: it has no rows of "
                                                "'domains' and 'configurations' (make one by pg_dump --format=plain)",
                                                path));
  return tables;
}

}  // namespace caddis::harvest
