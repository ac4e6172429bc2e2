// mimetype-report and responsecode-report: what kinds of answers came; and links that no rule took.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/fetch_status.h"
#include "caddis/crawl/report_source.h"
#include "caddis/http/reason.h"

namespace caddis::crawl {
namespace {

using reports::count;
using reports::figure;
using reports::RowCall;
using reports::word;

// The entries of a tally map, most URLs first.
template <class Map>
auto by_urls(const Map& map) {
  std::vector<std::pair<typename Map::key_type, Tally>> rows(map.begin(), map.end());
  std::ranges::sort(rows, [](const auto& a, const auto& b) {
    return a.second.urls != b.second.urls ? a.second.urls > b.second.urls : a.first < b.first;
  });
  return rows;
}

Result<void> write_types(const Statistics& statistics, const RowCall& row) {
  for (const auto& [mime, tally] : by_urls(statistics.mimes()))
    TRY_VOID(row({std::to_string(tally.urls), std::to_string(tally.bytes), mime}));
  return {};
}

Result<void> write_statuses(const Statistics& statistics, const RowCall& row) {
  for (const auto& [status, tally] : by_urls(statistics.statuses())) {
    TRY_VOID(row({std::to_string(tally.urls), std::to_string(status), std::to_string(tally.bytes),
                  std::string(http::describe_status(status))}));
  }
  return {};
}

Result<void> write_rejected(const Statistics& statistics, const RowCall& row) {
  for (const auto& [rule, links] : statistics.rejected()) TRY_VOID(row({std::to_string(links), rule}));
  return {};
}

}  // namespace

void add_kind_reports(const ReportSource& source, ReportList& list) {
  reports::Column words = word("words");
  words.is_hyphenated = true;
  list.push_back({.name = "mimetype-report",
                  .columns = {count("urls"), count("bytes"), word("mime-types")},
                  .rows = [source](const RowCall& row) { return write_types(source.statistics, row); }});
  list.push_back({.name = "responsecode-report",
                  .columns = {count("urls"), figure("rescode"), count("bytes"), words},
                  .rows = [source](const RowCall& row) { return write_statuses(source.statistics, row); }});
  list.push_back({.name = "rejected-links-report",
                  .columns = {count("links"), word("rule")},
                  .rows = [source](const RowCall& row) { return write_rejected(source.statistics, row); }});
}

}  // namespace caddis::crawl
