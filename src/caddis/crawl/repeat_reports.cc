// dedup-report: how many payloads were known, with the figures of the DeDuplicator; and the hosts that repeat most.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/time_format.h"
#include "caddis/crawl/report_source.h"

namespace caddis::crawl {
namespace {

using reports::count;
using reports::figure;
using reports::Row;
using reports::RowCall;
using reports::word;

std::string percent(uint64_t part, uint64_t whole) {
  return fmt::format("{:.1f}", whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

constexpr std::string_view kBytes = "Bytes ", kHits = " hits";

std::vector<Row> figures(const ReportSource& source) {
  const RepeatTallies& repeats = source.statistics.repeats();
  const Tally all = repeats.looked_up(), known = repeats.repeated();
  const auto text = [](uint64_t number) { return std::to_string(number); };
  std::vector<Row> rows = {{"Total handled", text(all.urls), "", ""},
                           {"Duplicates found", text(known.urls), "", percent(known.urls, all.urls)},
                           {"Bytes total", text(all.bytes), "", ""},
                           {"Bytes duplicate", text(known.bytes), "", percent(known.bytes, all.bytes)},
                           {"New (no hits)", text(all.urls - known.urls), "", ""}};
  constexpr std::pair<dedup::Likeness, const char*> kLikenesses[] = {{dedup::Likeness::url, "Exact URL hits"},
                                                                     {dedup::Likeness::canonical, "Canonical hits"},
                                                                     {dedup::Likeness::digest, "Digest hits"}};
  for (const auto& [likeness, name] : kLikenesses)
    rows.push_back({name, text(repeats.repeated(likeness).urls), text(repeats.repeated(likeness).bytes), ""});
  rows.push_back({"Not modified, as the server said", text(repeats.unchanged().urls), "", ""});
  visit::StepReport looked_up;
  for (const visit::StepReport& step : source.facts.lanes.steps)
    if (step.step == "dedup" && step.part.empty()) looked_up.add(step);
  if (looked_up.times > 0) {
    const auto add_time = [&rows](const char* name, Duration time, uint64_t times) {
      const auto millis = std::chrono::duration<double, std::milli>(time).count();
      rows.push_back({name, fmt::format("{:.3f} ms", millis / static_cast<double>(times)), "", ""});
    };
    add_time("Average lookup time", looked_up.time, looked_up.times);
    add_time("Last lookup time", looked_up.last_time, 1);
  }
  return rows;
}

// "Duplicates found: 12 3.4%", "Bytes total: 123 (123 B)", "Digest hits: 3 bytes: 123".
void append_line(std::string& text, const Row& row) {
  text += fmt::format("{}: {}", row[0], row[1]);
  if (row[0].starts_with(kBytes)) text += fmt::format(" ({})", format_size(std::stoll(row[1])));
  if (row[0].ends_with(kHits)) text += fmt::format(" bytes: {}", row[2]);
  if (!row[3].empty()) text += fmt::format(" {}%", row[3]);
  text += '\n';
}

Result<void> write_hosts(const ReportSource& source, const RowCall& row) {
  constexpr size_t kMost = 1000;
  std::vector<std::pair<std::string_view, const HostTally*>> rows;
  for (const auto& [host, tally] : source.statistics.hosts().all())
    if (tally.repeated + tally.unchanged > 0) rows.emplace_back(host, &tally);
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, rows.size()));
  std::ranges::partial_sort(rows, end, [](const auto& a, const auto& b) {
    return a.second->repeated_bytes != b.second->repeated_bytes ? a.second->repeated_bytes > b.second->repeated_bytes
                                                                : a.first < b.first;
  });
  rows.erase(end, rows.end());
  for (const auto& [host, tally] : rows)
    TRY_VOID(row({std::to_string(tally->repeated), std::to_string(tally->repeated_bytes),
                  percent(tally->repeated_bytes, tally->bytes), std::to_string(tally->unchanged), std::string(host)}));
  return {};
}

}  // namespace

void add_repeat_reports(const ReportSource& source, ReportList& list) {
  list.push_back({.name = "dedup-report",
                  .columns = {word("name"), word("value"), count("bytes"), figure("percent")},
                  .rows = [source](const RowCall& row) -> Result<void> {
                    for (const Row& one : figures(source)) TRY_VOID(row(one));
                    return {};
                  },
                  .text_line = append_line});
  list.push_back({.name = "dedup-hosts-report",
                  .columns = {count("duplicates"),
                              count("bytes"),
                              {"percent", reports::CellKind::number, "[%bytes]"},
                              count("not-modified"),
                              word("host")},
                  .rows = [source](const RowCall& row) { return write_hosts(source, row); }});
}

}  // namespace caddis::crawl
