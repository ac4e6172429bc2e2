// feeds-report: the sites whose feeds are polled, a row for each feed, as CrawlRSS tells of them.

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "caddis/base/time_format.h"
#include "caddis/crawl/feed_rows.h"
#include "caddis/crawl/report_source.h"

namespace caddis::crawl {
namespace {

using reports::count;
using reports::Row;
using reports::RowCall;
using reports::word;

std::string moment(WallTime time) { return time == WallTime() ? "-" : rfc3339(time); }

std::string newest_of(const feeds::FeedState& state) {
  return state.newest == 0 ? "-" : rfc3339(WallTime(std::chrono::seconds(state.newest)));
}

std::string wait_of(const feeds::FeedSite& site) { return site.plan().wait ? format_duration(*site.plan().wait) : "-"; }

Row row_of(const KeptFeedSite& kept, const feeds::FeedPlan& plan) {
  static const feeds::FeedState kNever;
  const feeds::FeedState* const known = kept.site.feed(plan.url);
  const feeds::FeedState& state = known == nullptr ? kNever : *known;
  const feeds::SiteFacts& facts = kept.site.facts();
  return {kept.site.plan().name,
          std::string(feeds::to_string(facts.status)),
          wait_of(kept.site),
          std::to_string(facts.round),
          moment(facts.round_began),
          moment(facts.next),
          std::to_string(facts.in_progress),
          std::to_string(facts.found),
          plan.url,
          state.form.empty() ? "-" : state.form,
          newest_of(state),
          std::to_string(state.fetches),
          std::to_string(state.unchanged),
          std::to_string(state.found),
          std::to_string(state.failures_in_row),
          std::to_string(plan.implied_pages.size()),
          std::to_string(facts.lost_redirects),
          state.trouble.empty() ? "-" : state.trouble};
}

Result<void> write_feeds(const ReportSource& source, const RowCall& row) {
  TRY(const auto sites, read_feed_sites(source.kv));
  for (const auto& [name, kept] : sites)
    for (const feeds::FeedPlan& plan : kept.site.plan().feeds) TRY_VOID(row(row_of(kept, plan)));
  return {};
}

}  // namespace

void add_feed_reports(const ReportSource& source, ReportList& list) {
  reports::Column trouble = word("trouble");
  trouble.is_hyphenated = true;
  list.push_back({.name = "feeds-report",
                  .columns = {word("site"), word("state"), word("wait"), count("polls"), word("last-poll"),
                              word("next-poll"), count("in-progress"), count("site-items"), word("feed"), word("form"),
                              word("newest"), count("fetches"), count("unchanged"), count("items"), count("failures"),
                              count("implied-pages"), count("lost-redirects"), trouble},
                  .rows = [source](const RowCall& row) { return write_feeds(source, row); }});
}

}  // namespace caddis::crawl
