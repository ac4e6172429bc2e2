#include "caddis/cdx/log_duplicates.h"

#include <string>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/line.h"
#include "caddis/io/text_lines.h"
#include "caddis/logs/log_line.h"

namespace caddis::cdx {
namespace {

using logs::LogLine;

// The beginning of the fetch, which is the date of a record.
Result<WallTime> date_of(const LogLine& line) {
  const std::string_view begun = line.field(LogLine::fetch);
  if (const auto date = parse_timestamp(begun.substr(0, begun.find('+')))) return date;
  return parse_w3c_date(line.field(LogLine::time));
}

// A name in an index is that of a file, without folders.
bool is_plain_name(std::string_view name) { return !name.contains('/') && !name.contains('\\') && name != ".."; }

// Found under the URL of the log. Replay reads no record of another key than that of the line's URL, so a line whose
// original lies under another one names that.
std::string line_of(const LogLine& line, const logs::DuplicateOrigin& origin, WallTime date,
                    const url::KeyPolicy& policy) {
  Capture capture;
  capture.timestamp = timestamp14(date);
  const std::string_view url = line.field(LogLine::url);
  capture.urlkey = index_key(url, policy, capture.timestamp);
  capture.url = index_key(url) == index_key(origin.url) ? url : origin.url;
  capture.mime = index_mime(line.known(LogLine::mime));
  capture.status = trim(line.field(LogLine::status_code));
  capture.digest = index_digest(line.known(LogLine::digest));
  capture.offset = std::to_string(origin.offset);
  capture.filename = origin.filename;
  return cdxj_line(capture);
}

}  // namespace

bool is_crawl_log(io::Files& files, const std::string& path) {
  const auto lines = io::TextLines::open(files, path);
  if (!lines) return false;
  auto first = (*lines)->next();
  // The head of the record of a metadata file (ARC) from which it was taken.
  if (first && *first && (*first)->starts_with("metadata://")) first = (*lines)->next();
  LogLine line;
  return first && *first && line.parse(**first) && line.status() && parse_w3c_date(line.field(LogLine::time));
}

Result<IndexedLog> index_duplicates(io::Files& files, const std::string& path,
                                    const std::function<Result<void>(std::string_view line)>& use,
                                    const url::KeyPolicy& policy) {
  TRY(const auto lines, io::TextLines::open(files, path));
  IndexedLog indexed;
  for (;;) {
    TRY(const auto text, lines->next());
    if (!text) return indexed;
    LogLine line;
    if (!line.parse(*text) || !line.has_annotation("duplicate")) continue;
    const auto origin = logs::duplicate_origin(line);
    const auto date = date_of(line);
    if (!origin || !date || !is_plain_name(origin->filename)) {
      ++indexed.untold;
      continue;
    }
    ++indexed.lines;
    TRY_VOID(use(line_of(line, *origin, *date, policy)));
  }
}

}  // namespace caddis::cdx
