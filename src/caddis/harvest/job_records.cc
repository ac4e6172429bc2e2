#include "caddis/harvest/job_records.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <functional>
#include <map>

#include "caddis/base/strings.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/source.h"

namespace caddis::harvest {
namespace {

constexpr size_t kLongestLine = 64 * 1024;
constexpr size_t kMostMissed = 1'000'000;

struct Address {
  std::string kind, name;
};

// Kind and name in "metadata://library.example/crawl/logs/crawl.log?…".
std::optional<Address> address_of(std::string_view uri) {
  const size_t begin = uri.find("/crawl/");
  if (!uri.starts_with("metadata://") || begin == std::string_view::npos) return std::nullopt;
  const std::string_view path = uri.substr(begin + 7);
  const size_t slash = path.find('/'), mark = path.find('?');
  if (slash == std::string_view::npos || mark == std::string_view::npos || mark < slash) return std::nullopt;
  Address address{std::string(path.substr(0, slash)), std::string(path.substr(slash + 1, mark - slash - 1))};
  const size_t file = path.find("filename=");
  if (address.kind == "index" && file != std::string_view::npos) address.name = std::string(path.substr(file + 9));
  return address;
}

// Calls `use` for each record with its address, until it returns false.
Result<void> each_record(io::Files& files, const std::string& path,
                         const std::function<Result<bool>(const Address&, warc::Record&)>& use) {
  TRY(const auto file, files.open_read(path));
  const warc::FileSource source(*file);
  warc::Reader reader(source);
  for (;;) {
    TRY(warc::Record* const record, reader.next());
    if (record == nullptr) return {};
    const auto address = address_of(record->header().target_uri());
    if (!address) continue;
    TRY(const bool goes_on, use(*address, *record));
    if (!goes_on) return {};
  }
}

// Calls `use` for each line, until it returns false.
Result<void> each_line(warc::Record& record, const std::function<bool(std::string_view)>& use) {
  std::string rest;
  for (;;) {
    TRY(const std::string_view piece, record.read_block());
    if (piece.empty()) break;
    size_t begin = 0;
    for (size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n', begin)) {
      rest.append(piece.substr(begin, end - begin));
      begin = end + 1;
      if (!use(rest)) return {};
      rest.clear();
    }
    rest.append(piece.substr(begin, kLongestLine));
  }
  if (!rest.empty()) use(rest);
  return {};
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (const std::string_view field : split(line, ' '))
    if (!field.empty()) fields.push_back(field);
  return fields;
}

bool is_embedded(std::string_view hops) { return hops.ends_with('E') || hops.ends_with('X') || hops.ends_with('I'); }

}  // namespace

Result<std::vector<JobRecord>> list_records(io::Files& files, const std::string& path) {
  std::vector<JobRecord> records;
  TRY_VOID(each_record(files, path, [&](const Address& address, warc::Record& record) -> Result<bool> {
    records.push_back({address.kind, address.name, record.content_length()});
    return true;
  }));
  return records;
}

Result<std::string> read_job_record(io::Files& files, const std::string& path, std::string_view kind,
                                    std::string_view name, uint64_t most) {
  std::optional<std::string> text;
  TRY_VOID(each_record(files, path, [&](const Address& address, warc::Record& record) -> Result<bool> {
    if (address.kind != kind || address.name != name) return true;
    TRY(text, record.read_all(most));
    return false;
  }));
  if (text) return *std::move(text);
  return fail(ErrorCode::not_found, fmt::format("the job has kept no {} '{}'", kind, name));
}

Result<LinePage> search_log(io::Files& files, const std::string& path, std::string_view log, const LineQuery& query) {
  const re2::RE2 pattern(query.match, re2::RE2::Quiet);
  if (!pattern.ok()) return fail(ErrorCode::parse, fmt::format("'{}' is no pattern: {}", query.match, pattern.error()));
  LinePage page;
  bool is_there = false;
  TRY_VOID(each_record(files, path, [&](const Address& address, warc::Record& record) -> Result<bool> {
    if (address.kind != "logs" || address.name != log) return true;
    is_there = true;
    uint64_t number = 0;
    TRY_VOID(each_line(record, [&](std::string_view line) {
      if (number++ < query.after) return true;
      const bool fits =
          query.match.empty() || re2::RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), pattern);
      if (!fits) return true;
      if (page.lines.size() == query.limit) {
        page.next = number - 1;
        return false;
      }
      page.lines.emplace_back(line.substr(0, kLongestLine));
      return true;
    }));
    return false;
  }));
  if (is_there) return page;
  return fail(ErrorCode::not_found, fmt::format("the job has kept no log '{}'", log));
}

Result<std::vector<MissedUrl>> missed_urls(io::Files& files, const std::string& path, const MissedQuery& query) {
  std::map<std::string, MissedUrl> missed;
  TRY_VOID(each_record(files, path, [&](const Address& address, warc::Record& record) -> Result<bool> {
    if (address.kind != "logs" || !address.name.starts_with("crawl.log")) return true;
    TRY_VOID(each_line(record, [&](std::string_view line) {
      const auto fields = fields_of(line);
      if (fields.size() < 6) return true;
      const int64_t status = parse_int(fields[1]).value_or(0);
      const std::string_view url = fields[3], hops = fields[4];
      const bool is_well = status >= 200 && status < 400;
      if (is_well) missed.erase(std::string(url));
      const bool is_wanted = is_embedded(hops) || (query.with_links && !hops.ends_with('P') && hops != "-");
      const bool is_page = url.starts_with("http://") || url.starts_with("https://");
      if (is_well || !is_wanted || !is_page || missed.size() >= kMostMissed) return true;
      missed[std::string(url)] = {std::string(url), std::string(fields[5]), status, std::string(hops)};
      return true;
    }));
    return true;
  }));
  std::vector<MissedUrl> found;
  for (auto& [url, one] : missed) {
    if (found.size() == query.limit) break;
    found.push_back(std::move(one));
  }
  return found;
}

}  // namespace caddis::harvest
