#include "caddis/harvest/derby_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"

namespace caddis::harvest {
namespace {

constexpr size_t kPiece = 1 << 20;
constexpr size_t kLongest = 64 << 20;

// The columns of the tables that an import reads. A minus: it is not read, or older versions do not have it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 23> kSchema = {{
    {"config_passwords", "config_id password_id"},
    {"config_seedlists", "config_id seedlist_id"},
    {"configurations", "config_id name comments domain_id template_id maxobjects -maxrate -overridelimits maxbytes"},
    {"domains", "domain_id name comments defaultconfig crawlertraps -edition alias lastaliasupdate"},
    {"eav_attribute", "tree_id -id entity_id type_id val_int -val_datetime -val_varchar -val_text"},
    {"eav_type_attribute",
     "tree_id id name -class_namespace -class_name -datatype -viewtype -def_int -def_datetime -def_varchar -def_text"},
    {"extendedfield",
     "extendedfield_id extendedfieldtype_id name -format defaultvalue options datatype mandatory -historize sequencenr "
     "maxlen"},
    {"extendedfieldvalue", "-extendedfieldvalue_id content extendedfield_id instance_id"},
    {"fullharvests", "harvest_id maxobjects previoushd maxbytes maxjobrunningtime -isindexready"},
    {"global_crawler_trap_expressions", "-id crawler_trap_list_id trap_expression"},
    {"global_crawler_trap_lists", "global_crawler_trap_list_id name description isactive"},
    {"harvest_configs", "harvest_id config_id"},
    {"harvestchannel", "id name issnapshot isdefault comments"},
    {"harvestdefinitions", "harvest_id name comments numevents submitted isactive -edition audience channel_id"},
    {"historyinfo", "-historyinfo_id stopreason objectcount bytecount config_id -harvest_id job_id harvest_time"},
    {"job_configs", "job_id config_id"},
    {"jobs",
     "job_id harvest_id status forcemaxbytes forcemaxcount forcemaxrunningtime orderxml -orderxmldoc seedlist "
     "harvest_num harvest_errors harvest_error_details upload_errors upload_error_details startdate enddate "
     "submitteddate creationdate resubmitted_as_job num_configs -edition continuationof -harvestname_prefix channel "
     "snapshot"},
    {"ordertemplates", "template_id name orderxml -isactive"},
    {"ownerinfo", "-ownerinfo_id domain_id created info"},
    {"partialharvests", "harvest_id schedule_id -nextdate -crawlertraps"},
    {"passwords", "password_id name comments domain_id url realm username password"},
    {"schedules",
     "schedule_id name comments startdate enddate maxrepeats timeunit numtimeunits anytime onminute onhour ondayofweek "
     "ondayofmonth -edition"},
    {"seedlists", "seedlist_id name comments domain_id seeds"},
}};

struct Columns {
  std::vector<std::string> needed, known;
};

// Empty for a table that is not read.
Columns columns_of(std::string_view table) {
  Columns columns;
  for (const auto& [name, list] : kSchema) {
    if (name != table) continue;
    for (const std::string_view column : split(list, ' ')) {
      if (column.front() != '-') columns.needed.emplace_back(column);
      columns.known.emplace_back(column.substr(column.front() == '-' ? 1 : 0));
    }
  }
  return columns;
}

using Fields = std::vector<std::optional<std::string>>;

// The rows of a file, however long it is.
class ExportRows {
 public:
  ExportRows(std::unique_ptr<io::File> file, std::string path)
      : file_(std::move(file)), path_(std::move(path)), buffer_(kPiece, '\0') {}

  // False behind the last. A row that is too long has no fields, and `is_long` says so.
  Result<bool> next(Fields& fields, bool& is_long) {
    fields.clear();
    is_long = false;
    began_ = line_;
    std::string field;
    bool was_quoted = false, is_inside = false, is_empty = true;
    size_t size = 0;
    const auto end_field = [&] {
      if (!is_long) fields.push_back(field.empty() && !was_quoted ? std::nullopt : std::optional(std::move(field)));
      field.clear();
      was_quoted = false;
    };
    for (;;) {
      TRY(const int c, take());
      if (c < 0) {
        if (is_inside)
          return fail(ErrorCode::corrupt,
                      fmt::format("{}, line {}: a text in quotes never ends; export the table again", path_, began_));
        if (!is_empty) end_field();
        return !is_empty;
      }
      if (c == '\n') ++line_;
      if (is_inside) {
        if (c == '"') {
          TRY(const int following, look());
          is_inside = following == '"';
          if (!is_inside) continue;
          at_ += 1;
        }
      } else if (c == '\n') {
        // An empty line is no row.
        if (is_empty) {
          began_ = line_;
          continue;
        }
        end_field();
        return true;
      } else if (c == '\r') {
        continue;
      } else if (c == ',') {
        is_empty = false;
        end_field();
        continue;
      } else if (c == '"' && field.empty() && !was_quoted) {
        is_empty = false;
        was_quoted = is_inside = true;
        continue;
      }
      is_empty = false;
      if (++size > kLongest && !is_long) {
        is_long = true;
        fields.clear();
        field.clear();
      }
      if (!is_long) field += static_cast<char>(c);
    }
  }
  // The line in which the last row began, from 1.
  int64_t began() const { return began_; }

 private:
  // The byte that follows, without taking it; -1 at the end.
  Result<int> look() {
    if (at_ == got_) {
      TRY(got_, file_->read_at(offset_, buffer_.data(), buffer_.size()));
      offset_ += got_;
      at_ = 0;
    }
    return at_ == got_ ? -1 : static_cast<unsigned char>(buffer_[at_]);
  }
  Result<int> take() {
    TRY(const int c, look());
    at_ += c < 0 ? 0 : 1;
    return c;
  }

  const std::unique_ptr<io::File> file_;
  const std::string path_;
  std::string buffer_;
  size_t at_ = 0, got_ = 0;
  uint64_t offset_ = 0;
  int64_t line_ = 1, began_ = 1;
};

// "domains" for "domains.csv" and "APP.DOMAINS.del"; empty for names that begin with a dot.
std::string table_of(std::string_view name) {
  constexpr std::array<std::string_view, 4> kEndings{".csv", ".del", ".txt", ".dat"};
  std::string table = to_lower(name);
  for (const std::string_view ending : kEndings)
    if (table.ends_with(ending)) table.resize(table.size() - ending.size());
  return table.starts_with('.') ? std::string() : table.substr(table.rfind('.') + 1);
}

bool is_identifier(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '_'; });
}

bool is_header(const Fields& fields) {
  return !fields.empty() &&
         std::ranges::all_of(fields, [](const auto& field) { return field && is_identifier(*field); });
}

std::vector<std::string> names_in(const Fields& header) {
  std::vector<std::string> names;
  for (const auto& field : header) names.push_back(to_lower(*field));
  return names;
}

std::vector<std::string> without(const std::vector<std::string>& names, const std::vector<std::string>& others) {
  std::vector<std::string> left;
  for (const std::string& name : names)
    if (std::ranges::find(others, name) == others.end()) left.push_back(name);
  return left;
}

// The names in the first line, for a table that is read.
Result<std::vector<std::string>> read_header(const Fields& fields, const Columns& columns, const std::string& table,
                                             const std::string& where) {
  if (!is_header(fields))
    return fail(ErrorCode::corrupt,
                fmt::format("{}: the first line has to name the columns, in the order of the file, since databases of "
                            "NetarchiveSuite differ in it; docs/harvesting.md shows how the names are put in "
                            "(\"Derby\")",
                            where));
  std::vector<std::string> names = names_in(fields);
  if (const auto unknown = without(names, columns.known); !unknown.empty())
    return fail(ErrorCode::corrupt,
                fmt::format("{}: the table {} of NetarchiveSuite has no column {}: correct the name, or export the "
                            "table without it (SYSCS_UTIL.SYSCS_EXPORT_QUERY). It has {}",
                            where, table, fmt::join(unknown, ", "), fmt::join(columns.known, ", ")));
  if (const auto lacking = without(columns.needed, names); !lacking.empty())
    return fail(ErrorCode::corrupt, fmt::format("{}: the columns {} of the table {} are not among those that the first "
                                                "line names: export the table with them",
                                                where, fmt::join(lacking, ", "), table));
  auto sorted = names;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    return fail(ErrorCode::corrupt, fmt::format("{}: the column {} is named twice: correct the names", where, *twice));
  return names;
}

Result<void> each_row(io::Files& files, const std::string& path, const std::string& table,
                      const std::function<Result<void>(const DumpRow&)>& use,
                      const std::function<void(int64_t)>& too_long) {
  const Columns columns = columns_of(table);
  const bool is_read = !columns.known.empty();
  CopyBlock block{table, {}};
  TRY(auto file, files.open_read(path));
  ExportRows rows(std::move(file), path);
  Fields fields;
  bool is_long = false;
  for (bool is_first = true;; is_first = false) {
    TRY(const bool has_row, rows.next(fields, is_long));
    if (!has_row) return {};
    if (is_first && is_read) {
      TRY(block.columns, read_header(fields, columns, table, fmt::format("{}, line {}", path, rows.began())));
      continue;
    }
    if (is_first && is_header(fields)) continue;
    if (is_long) {
      too_long(rows.began());
      continue;
    }
    if (is_read && fields.size() != block.columns.size())
      return fail(ErrorCode::corrupt,
                  fmt::format("{}, line {}: it has {} fields, and the first line names the {} columns {}: export the "
                              "table again, and name the columns in the order of the file",
                              path, rows.began(), fields.size(), block.columns.size(), fmt::join(block.columns, ", ")));
    TRY_VOID(use(DumpRow(block, fields, rows.began())));
  }
}

// Tables and their files.
Result<std::map<std::string, std::string>> files_of(io::Files& files, const std::string& folder) {
  std::map<std::string, std::string> paths;
  TRY(const auto entries, files.list(folder));
  for (const io::DirectoryEntry& entry : entries) {
    const std::string table = table_of(entry.name);
    if (entry.is_directory || table.empty()) continue;
    const auto [there, is_new] = paths.try_emplace(table, io::join_path(folder, entry.name));
    if (!is_new)
      return fail(ErrorCode::conflict, fmt::format("{} and {} are both of the table {}: take one away",
                                                   io::base_name(there->second), entry.name, table));
  }
  return paths;
}

}  // namespace

Result<void> each_exported_row(io::Files& files, const std::string& folder, std::string_view table,
                               const std::function<Result<void>(const DumpRow&)>& use,
                               const std::function<void(int64_t line)>& too_long) {
  TRY(const auto paths, files_of(files, folder));
  const auto found = paths.find(std::string(table));
  if (found == paths.end()) return {};
  return each_row(files, found->second, found->first, use, too_long);
}

Result<std::map<std::string, int64_t>> exported_tables(io::Files& files, const std::string& folder) {
  TRY(const auto paths, files_of(files, folder));
  if (!paths.contains("domains") || !paths.contains("configurations"))
    return fail(ErrorCode::corrupt,
                fmt::format("{} is no export of NetarchiveSuite's tables: it has no file of 'domains' and of "
                            "'configurations', as domains.csv (SYSCS_UTIL.SYSCS_EXPORT_TABLE makes one a table)",
                            folder));
  std::map<std::string, int64_t> tables;
  for (const auto& [table, path] : paths) {
    int64_t& count = tables[table];
    TRY_VOID(each_row(
        files, path, table,
        [&](const DumpRow&) -> Result<void> {
          ++count;
          return {};
        },
        [](int64_t) {}));
  }
  return tables;
}

}  // namespace caddis::harvest
