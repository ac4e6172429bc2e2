// Lines of crawl.log: ours, Heritrix's, and Heritrix's with what the DeDuplicator adds.
//
//   time status size url hops via mime thread begin+ms digest source annotations [{"contentSize":…}]
#include <algorithm>
#include <array>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/flat_json.h"
#include "caddis/dedup/sources.h"
#include "caddis/dedup/text_lines.h"

namespace caddis::dedup {
namespace {

constexpr size_t kFields = 12;
enum Field : uint8_t { time_of_log, status, size, url, hops, via, mime, thread, begin, digest, source, annotations };

// The twelve fields, and the JSON object behind them if there is one.
struct LogLine {
  std::array<std::string_view, kFields> fields;
  std::string_view json;

  bool take(std::string_view line) {
    for (size_t i = 0; i < kFields; ++i) {
      line = trim(line);
      // Annotations may hold blanks.
      const size_t end =
          i == annotations ? std::min(line.find(" {\""), line.size()) : std::min(line.find(' '), line.size());
      fields[i] = line.substr(0, end);
      line.remove_prefix(end);
      if (fields[i].empty() && i != annotations) return false;
    }
    json = trim(line);
    return true;
  }
};

// Annotations are separated by commas, which may also stand within quotes: duplicate:"file,offset,timestamp".
bool says(std::string_view annotations_field, std::string_view beginning) {
  for (size_t at = 0; (at = annotations_field.find(beginning, at)) != std::string_view::npos; ++at)
    if (at == 0 || annotations_field[at - 1] == ',' || annotations_field[at - 1] == ';') return true;
  return false;
}

bool is_revisit(const LogLine& line) {
  const std::string_view said = line.fields[annotations];
  return says(said, "duplicate") || says(said, "Revisit:") || line.json.find("\"RevisitProfile\"") != std::string::npos;
}

bool is_unwritten(const LogLine& line) {
  return says(line.fields[annotations], "unwritten:") || says(line.fields[annotations], "noRecords");
}

std::string_view known(std::string_view field) { return field == "-" ? std::string_view() : field; }

// The beginning of the fetch is the date of its record.
Result<WallTime> date_of(const LogLine& line) {
  const std::string_view begun = line.fields[begin];
  if (const auto date = parse_timestamp(begun.substr(0, begun.find('+')))) return date;
  return parse_w3c_date(line.fields[time_of_log]);
}

// "revisitOf:20261121004500100:http://h/a%2Cb", as crawl.log of Caddis has it.
void read_annotation(std::string_view all, std::string& original, std::string& date) {
  constexpr std::string_view kRevisitOf = "revisitOf:";
  for (const std::string_view one : split(all, ',')) {
    if (!one.starts_with(kRevisitOf)) continue;
    const std::string_view rest = one.substr(kRevisitOf.size());
    const size_t colon = std::min(rest.find(':'), rest.size());
    date = rest.substr(0, colon);
    for (std::string_view left = rest.substr(std::min(colon + 1, rest.size())); !left.empty();) {
      const bool is_comma = left.starts_with("%2C"), is_escaped = left.starts_with("%252C");
      original += is_comma ? std::string_view(",") : is_escaped ? std::string_view("%2C") : left.substr(0, 1);
      left.remove_prefix(is_comma ? 3 : is_escaped ? 5 : 1);
    }
  }
}

Result<void> take_revisit(const LogLine& line, int status_code, Intake& intake) {
  Original original;
  std::string date;
  cdx::FlatJson members(line.json);
  while (members.next()) {
    if (members.name() == "RevisitRefersToURI") original.url = members.text();
    if (members.name() == "RevisitRefersToDate") date = members.text();
  }
  if (original.url.empty()) read_annotation(line.fields[annotations], original.url, date);
  const auto parsed = date.find('-') == std::string::npos ? parse_timestamp(date) : parse_w3c_date(date);
  if (original.url.empty() || !parsed || known(line.fields[digest]).empty()) return intake.unresolved(), Result<void>();
  original.date = *parsed;
  return intake.witness({original, line.fields[digest], status_code, known(line.fields[mime])});
}

Result<void> take(std::string_view text, Intake& intake) {
  LogLine line;
  if (!line.take(text)) return intake.unreadable(), Result<void>();
  const auto code = parse_int(trim(line.fields[status]));
  const auto date = date_of(line);
  if (!code || !date) return intake.unreadable(), Result<void>();
  // Only answers of servers have a record that could be referred to; 1 is an address that was found.
  if (*code < 100 || *code > 999 || is_unwritten(line)) return {};
  if (is_revisit(line)) return take_revisit(line, static_cast<int>(*code), intake);
  const Original original{std::string(line.fields[url]), *date, {}, {}, {}};
  return intake.capture({original, known(line.fields[digest]), static_cast<int>(*code), known(line.fields[mime])});
}

}  // namespace

Result<ReadSource> read_crawl_log(io::Files& files, const std::string& path, Intake& intake) {
  TRY(const auto lines, TextLines::open(files, path));
  for (;;) {
    TRY(const auto line, lines->next());
    if (!line) return ReadSource();
    if (!trim(*line).empty()) TRY_VOID(take(*line, intake));
  }
}

}  // namespace caddis::dedup
