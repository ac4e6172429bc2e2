// crawl-report: the crawl in figures, in Heritrix's words, ours behind them.

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/time_format.h"
#include "caddis/crawl/report_source.h"

namespace caddis::crawl {
namespace {

using reports::Row;

double per_second(uint64_t amount, Duration time) {
  const double seconds = std::chrono::duration<double>(time).count();
  return seconds > 0 ? static_cast<double>(amount) / seconds : 0;
}

std::string size_of(uint64_t bytes) { return format_size(static_cast<long long>(bytes)); }

// Names before which Heritrix leaves a line empty.
bool begins_block(std::string_view name) {
  for (const std::string_view first : {"seeds crawled", "hosts visited", "URIs processed", "novel URIs",
                                       "total crawled bytes", "URIs/sec", "queued URIs"})
    if (name == first) return true;
  return false;
}

std::vector<Row> figures(const ReportSource& source) {
  const Statistics& statistics = source.statistics;
  const ReportFacts& facts = source.facts;
  const Duration time = statistics.running_time();
  const Tally repeated = statistics.repeats().repeated(), unchanged = statistics.repeats().unchanged();
  const uint64_t captured = statistics.documents() + statistics.prerequisites();
  std::vector<Row> rows;
  const auto add = [&](std::string name, auto value, std::string note = {}) {
    rows.push_back({std::move(name), fmt::format("{}", value), std::move(note)});
  };
  const auto add_bytes = [&](std::string name, uint64_t bytes) { add(std::move(name), bytes, size_of(bytes)); };
  add("crawl name", facts.name);
  add("crawl status", facts.status);
  add("duration", format_duration(time));
  add("seeds crawled", source.seeds.crawled);
  add("seeds uncrawled", source.seeds.not_crawled);
  add("hosts visited", statistics.hosts().all().size() + statistics.hosts().others().hosts);
  add("URIs processed", captured + statistics.failed() + statistics.excluded());
  add("URI successes", captured);
  add("URI failures", statistics.failed());
  add("URI disregards", statistics.excluded());
  add("novel URIs", captured - repeated.urls - unchanged.urls);
  if (repeated.urls > 0) add("duplicate-by-hash URIs", repeated.urls);
  if (unchanged.urls > 0) add("not-modified URIs", unchanged.urls);
  add_bytes("total crawled bytes", statistics.bytes());
  add_bytes("novel crawled bytes", statistics.novel_bytes());
  if (repeated.urls > 0) add_bytes("duplicate-by-hash crawled bytes", repeated.bytes);
  if (unchanged.urls > 0) add_bytes("not-modified crawled bytes", unchanged.bytes);
  add("URIs/sec", fmt::format("{:.2f}", per_second(captured, time)));
  add("KB/sec", fmt::format("{:.0f}", per_second(statistics.bytes(), time) / 1024));
  add("queued URIs", facts.frontier.queued);
  add("URIs queued over quota", facts.frontier.queued_over);
  add("documents", statistics.documents());
  add("DNS and robots.txt", statistics.prerequisites());
  add_bytes("WARC record bytes", statistics.warc_bytes());
  add("documents read in part for links", statistics.read_in_part());
  // Redirects back to a URL of their chain, which was fetched again.
  if (const uint64_t walls = statistics.total("consent-walls"); walls > 0) add("consent walls", walls);
  if (source.seeds.removed > 0) add("seeds removed", source.seeds.removed);
  for (const auto& [by, loss] : facts.losses) add(by, loss);
  return rows;
}

}  // namespace

void add_summary_report(const ReportSource& source, ReportList& list) {
  reports::Report report{.name = "crawl-report",
                         .columns = {reports::word("name"), reports::word("value"), reports::word("in-words")},
                         .rows = {}};
  report.rows = [source](const reports::RowCall& row) -> Result<void> {
    for (const Row& one : figures(source)) TRY_VOID(row(one));
    return {};
  };
  report.text_line = [](std::string& text, const Row& row) {
    if (begins_block(row[0])) text += '\n';
    text += fmt::format("{}: {}", row[0], row[1]);
    if (!row[2].empty()) text += fmt::format(" ({})", row[2]);
    text += '\n';
  };
  list.push_back(std::move(report));
}

}  // namespace caddis::crawl
