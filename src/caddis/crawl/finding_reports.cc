// traps-report, extraction-limits-report, refused-addresses-report, walls-report and logins-report: what a crawl found that somebody
// should look at.

#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/crawl/report_source.h"
#include "caddis/crawl/site_tallies.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/io/text_lines.h"
#include "caddis/logs/log_files.h"

namespace caddis::crawl {
namespace {

using reports::count;
using reports::RowCall;
using reports::word;

// "2026-01-02T03:04:05Z PATTERN http://a.example/… says nothing new": as the frontier said it when it judged one.
Result<void> write_traps(const ReportSource& source, const RowCall& row) {
  constexpr std::string_view kWord = " PATTERN ";
  TRY(const auto paths, logs::files_of_log(source.files, source.launch.progress_log()));
  for (const std::string& path : paths) {
    TRY(const auto lines, io::TextLines::open(source.files, path));
    for (;;) {
      TRY(const auto line, lines->next());
      if (!line) break;
      const size_t at = line->find(kWord);
      if (at == std::string_view::npos || line->find(' ') != at) continue;
      TRY_VOID(row({std::string(line->substr(0, at)), std::string(line->substr(at + kWord.size()))}));
    }
  }
  return {};
}

Result<void> write_limits(const ReportSource& source, const RowCall& row) {
  for (const std::string_view kind :
       {SiteTallies::kReadInPart, SiteTallies::kLinksDropped, SiteTallies::kDocumentsFailed}) {
    const bool is_links = kind == SiteTallies::kLinksDropped;
    const std::string prefix = std::string(kind) + " ";
    const auto add = [&](std::string_view name, const Finding& finding) -> Result<void> {
      const std::string amount = std::to_string(finding.amount);
      return row({std::string(kind), std::string(name.substr(prefix.size())), std::to_string(finding.times),
                  is_links ? "" : amount, is_links ? amount : ""});
    };
    TRY_VOID(each_tally<Finding>(source.kv, kStatistics, SiteTallies::kFindingRow, prefix, add));
  }
  return {};
}

Result<void> write_refused(const ReportSource& source, const RowCall& row) {
  const std::string prefix = std::string(SiteTallies::kRefused) + " ";
  const auto add = [&](std::string_view name, const Finding& finding) -> Result<void> {
    const std::string_view rest = name.substr(prefix.size());
    const size_t blank = rest.find(' ');
    return row(
        {std::to_string(finding.times), std::string(rest.substr(0, blank)), std::string(rest.substr(blank + 1))});
  };
  return each_tally<Finding>(source.kv, kStatistics, SiteTallies::kFindingRow, prefix, add);
}

// "bot:cloudflare www.example.org" → how often.
Result<void> write_walls(const ReportSource& source, const RowCall& row) {
  const std::string prefix = std::string(SiteTallies::kWall) + " ";
  const auto add = [&](std::string_view name, const Finding& finding) -> Result<void> {
    const std::string_view rest = name.substr(prefix.size());
    const size_t colon = rest.find(':'), blank = rest.find(' ');
    if (blank == std::string_view::npos || colon > blank) return {};
    return row({std::to_string(finding.times), std::to_string(finding.amount), std::string(rest.substr(0, colon)),
                std::string(rest.substr(colon + 1, blank - colon - 1)), std::string(rest.substr(blank + 1))});
  };
  return each_tally<Finding>(source.kv, kStatistics, SiteTallies::kFindingRow, prefix, add);
}

// "form-again www.example.org" → how often.
Result<void> write_logins(const ReportSource& source, const RowCall& row) {
  const std::string prefix = std::string(SiteTallies::kLogin) + " ";
  const auto add = [&](std::string_view name, const Finding& finding) -> Result<void> {
    const std::string_view rest = name.substr(prefix.size());
    const size_t dash = rest.find('-'), blank = rest.find(' ');
    if (blank == std::string_view::npos || dash > blank) return {};
    return row({std::to_string(finding.times), std::string(rest.substr(dash + 1, blank - dash - 1)),
                std::string(rest.substr(0, dash)), std::string(rest.substr(blank + 1))});
  };
  return each_tally<Finding>(source.kv, kStatistics, SiteTallies::kFindingRow, prefix, add);
}

}  // namespace

void add_finding_reports(const ReportSource& source, ReportList& list) {
  list.push_back(
      {.name = "traps-report",
       .columns = {word("time"), word("pattern")},
       .rows = [source](const RowCall& row) { return write_traps(source, row); },
       .text_line = [](std::string& text, const reports::Row& row) { text += row[0] + " " + row[1] + "\n"; }});
  list.push_back({.name = "extraction-limits-report",
                  .columns = {word("limit"), word("host"), count("documents"), count("bytes"), count("links")},
                  .rows = [source](const RowCall& row) { return write_limits(source, row); }});
  list.push_back({.name = "refused-addresses-report",
                  .columns = {count("urls"), word("address"), word("host")},
                  .rows = [source](const RowCall& row) { return write_refused(source, row); }});
  list.push_back({.name = "walls-report",
                  .columns = {count("urls"), count("bytes"), word("kind"), word("wall"), word("host")},
                  .rows = [source](const RowCall& row) { return write_walls(source, row); }});
  list.push_back({.name = "logins-report",
                  .columns = {count("times"), word("outcome"), word("way"), word("host")},
                  .rows = [source](const RowCall& row) { return write_logins(source, row); }});
}

}  // namespace caddis::crawl
