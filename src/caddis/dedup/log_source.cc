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
  if (original.url.empty())
    if (const auto origin = logs::duplicate_origin(line)) original.url = origin->url, date = origin->timestamp;
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
