// Lines of crawl.log: ours, Heritrix's, and Heritrix's with what the DeDuplicator adds.
//
//   time status size url hops via mime thread begin+ms digest source annotations [{"contentSize":…}]
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/flat_json.h"
#include "caddis/dedup/sources.h"
#include "caddis/io/text_lines.h"
#include "caddis/logs/log_line.h"

namespace caddis::dedup {
namespace {

using logs::LogLine;

bool is_revisit(const LogLine& line) {
  return line.has_annotation("duplicate") || line.has_annotation("Revisit:") ||
         line.json().find("\"RevisitProfile\"") != std::string::npos;
}

bool is_unwritten(const LogLine& line) { return line.has_annotation("unwritten:") || line.has_annotation("noRecords"); }

// The beginning of the fetch is the date of its record.
Result<WallTime> date_of(const LogLine& line) {
  const std::string_view begun = line.field(LogLine::fetch);
  if (const auto date = parse_timestamp(begun.substr(0, begun.find('+')))) return date;
  return parse_w3c_date(line.field(LogLine::time));
}

// The text that a name has in quotes: equivalentURL:"http://h/a,b". Empty if it is not there.
std::string_view quoted(std::string_view all, std::string_view name) {
  for (size_t at = 0; (at = all.find(name, at)) != std::string_view::npos; ++at) {
    std::string_view rest = all.substr(at + name.size());
    const bool is_name = at == 0 || all[at - 1] == ',' || all[at - 1] == ';';
    if (!is_name || !rest.starts_with(":\"")) continue;
    rest.remove_prefix(2);
    const size_t end = rest.find('"');
    return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
  }
  return {};
}

// duplicate:"file,offset,timestamp",equivalentURL:"http://h/": the DeDuplicator of NetarchiveSuite has found the payload
// at a URL like the one that was asked for. Without the second it may have been any URL.
void read_equivalent(std::string_view all, std::string& original, std::string& date) {
  const auto origin = split(quoted(all, "duplicate"), ',');
  const std::string_view url = quoted(all, "equivalentURL");
  constexpr size_t kParts = 3;
  if (url.empty() || origin.size() != kParts) return;
  original = url;
  date = origin.back();
}

Result<void> take_revisit(const LogLine& line, int status_code, Intake& intake) {
  Original original;
  std::string date;
  cdx::FlatJson members(line.json());
  while (members.next()) {
    if (members.name() == "RevisitRefersToURI") original.url = members.text();
    if (members.name() == "RevisitRefersToDate") date = members.text();
  }
  if (original.url.empty())
    if (auto repeated = logs::repeated_capture(line)) original.url = std::move(repeated->url), date = repeated->date;
  if (original.url.empty()) read_equivalent(line.field(LogLine::annotations), original.url, date);
  const auto parsed = date.find('-') == std::string::npos ? parse_timestamp(date) : parse_w3c_date(date);
  if (original.url.empty() || !parsed || line.known(LogLine::digest).empty())
    return intake.unresolved(), Result<void>();
  original.date = *parsed;
  return intake.witness({original, line.field(LogLine::digest), status_code, line.known(LogLine::mime)});
}

Result<void> take(std::string_view text, Intake& intake) {
  LogLine line;
  if (!line.parse(text)) return intake.unreadable(), Result<void>();
  const auto code = line.status();
  const auto date = date_of(line);
  if (!code || !date) return intake.unreadable(), Result<void>();
  // Only answers of servers have a record that could be referred to; 1 is an address that was found.
  if (*code < 100 || *code > 999 || is_unwritten(line)) return {};
  if (is_revisit(line)) return take_revisit(line, *code, intake);
  const Original original{std::string(line.field(LogLine::url)), *date, {}, {}, {}};
  return intake.capture({original, line.known(LogLine::digest), *code, line.known(LogLine::mime)});
}

}  // namespace

Result<ReadSource> read_crawl_log(io::Files& files, const std::string& path, Intake& intake) {
  TRY(const auto lines, io::TextLines::open(files, path));
  for (;;) {
    TRY(const auto line, lines->next());
    if (!line) return ReadSource();
    if (!trim(*line).empty()) TRY_VOID(take(*line, intake));
  }
}

}  // namespace caddis::dedup
