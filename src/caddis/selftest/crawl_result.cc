#include "caddis/selftest/crawl_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/cdx/indexer.h"
#include "caddis/cdx/line.h"
#include "caddis/collection/layout.h"
#include "caddis/io/files.h"
#include "caddis/warc/check.h"
#include "caddis/warc/source.h"

namespace caddis::selftest {
namespace {

constexpr size_t kColumns = 12;

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (const std::string_view word : split(line, ' '))
    if (!word.empty()) words.emplace_back(word);
  return words;
}

// Where a capture lies: as an index says, or as a file has it.
using Place = std::string;

Result<Place> place_of(std::string_view line) {
  TRY(const cdx::Capture capture, cdx::parse_line(line));
  return fmt::format("{} {} {} {}", capture.filename, capture.offset, capture.length, capture.url);
}

Result<std::set<Place>> places_in_indexes(const collection::Layout& layout) {
  io::Files& files = io::real_files();
  std::set<Place> places;
  TRY(const auto entries, files.list(layout.indexes()));
  for (const io::DirectoryEntry& entry : entries) {
    if (!collection::is_index_name(entry.name)) continue;
    TRY(const std::string text, files.read_all(io::join_path(layout.indexes(), entry.name)));
    for (const std::string_view line : split(text, '\n')) {
      if (line.empty() || line.starts_with('!') || line.starts_with(' ')) continue;
      TRY(Place place, place_of(line));
      places.insert(std::move(place));
    }
  }
  return places;
}

Result<std::set<Place>> places_in_archives(const std::vector<std::string>& archives) {
  std::set<Place> places;
  for (const std::string& path : archives) {
    const auto use = [&](std::string_view line) -> Result<void> {
      TRY(Place place, place_of(line));
      places.insert(std::move(place));
      return {};
    };
    TRY_VOID(cdx::index_archive(io::real_files(), path, io::base_name(path), use));
  }
  return places;
}

void tell_missing(const std::set<Place>& from, const std::set<Place>& in, std::string_view what,
                  std::vector<std::string>& flaws) {
  for (const Place& place : from)
    if (!in.contains(place)) flaws.push_back(fmt::format("{}: {}", what, place));
}

}  // namespace

bool LogLine::is_repetition() const { return columns.back().find("duplicate:") != std::string::npos; }

Result<LogLines> read_crawl_log(const collection::Launch& launch) {
  TRY(const std::string text, io::real_files().read_all(launch.crawl_log()));
  LogLines lines;
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty()) continue;
    auto columns = words_of(line);
    if (columns.size() != kColumns)
      return fail(ErrorCode::corrupt, fmt::format("crawl.log has a line of {} columns: {}", columns.size(), line));
    const std::string url = columns[3];
    if (url.starts_with("dns:")) continue;
    const auto status = parse_int(columns[1]);
    if (!status) return fail(ErrorCode::corrupt, fmt::format("crawl.log has a line without status: {}", line));
    if (!lines.try_emplace(url, LogLine{static_cast<int>(*status), std::move(columns)}).second)
      return fail(ErrorCode::corrupt, fmt::format("crawl.log has two lines of {}", url));
  }
  return lines;
}

Result<std::map<std::string, std::string>> read_crawl_report(const collection::Launch& launch) {
  TRY(const std::string text, io::real_files().read_all(launch.reports() + "/crawl-report.txt"));
  std::map<std::string, std::string> figures;
  for (const std::string_view line : split(text, '\n'))
    if (const size_t colon = line.find(':'); colon != std::string_view::npos)
      figures.emplace(to_lower(trim(line.substr(0, colon))), trim(line.substr(colon + 1)));
  return figures;
}

Result<ArchiveFindings> check_archive(const std::string& collection) {
  const collection::Layout layout(collection);
  io::Files& files = io::real_files();
  TRY(const auto archives, cdx::find_archives(files, layout.archive()));
  ArchiveFindings findings;
  warc::ArchiveCheck check([&](const std::string& file, const warc::Finding& finding) {
    if (finding.level != warc::Level::error) return;
    findings.flaws.push_back(fmt::format("{} at {}: {}", io::base_name(file), finding.offset, finding.message));
  });
  for (const std::string& path : archives) {
    TRY(const auto file, files.open_read(path));
    TRY(const warc::CheckSummary summary, check.file(path, warc::FileSource(*file)));
    ++findings.files;
    findings.records += summary.records;
    findings.digests += summary.digests;
  }
  const auto revisits = check.finish();
  findings.revisits = revisits.all;
  if (revisits.unresolved > 0)
    findings.flaws.push_back(fmt::format("{} revisits refer to nothing in the archive", revisits.unresolved));
  TRY(const auto indexed, places_in_indexes(layout));
  TRY(const auto stored, places_in_archives(archives));
  findings.lines = indexed.size();
  tell_missing(stored, indexed, "in no index", findings.flaws);
  tell_missing(indexed, stored, "in no WARC file", findings.flaws);
  return findings;
}

}  // namespace caddis::selftest
