#include "caddis/control/feed_handlers.h"

#include <fmt/format.h>

#include <chrono>
#include <set>
#include <vector>

#include "caddis/base/time_format.h"
#include "caddis/control/api_json.h"
#include "caddis/control/frontier_reports.h"
#include "caddis/crawl/feed_book.h"
#include "caddis/crawl/feed_watch.h"

namespace caddis::control {
namespace {

std::string moment(WallTime time) { return time == WallTime() ? "" : rfc3339(time); }

api::Feed to_api(const feeds::FeedPlan& plan, const feeds::FeedState* known) {
  static const feeds::FeedState kNever;
  const feeds::FeedState& state = known == nullptr ? kNever : *known;
  return {.url = plan.url,
          .title = state.title,
          .form = state.form,
          .newest = moment(WallTime(std::chrono::seconds(state.newest))),
          .last_fetch = moment(std::max(state.last_fetch, state.last_failure)),
          .last_found = moment(state.last_found),
          .not_before = moment(state.not_before),
          .items = state.found,
          .fetches = state.fetches,
          .unchanged = state.unchanged,
          .failures = state.failures_in_row,
          .trouble = state.trouble,
          .implied_pages = plan.implied_pages};
}

api::FeedSite to_api(const crawl::KeptFeedSite& kept, const feeds::SiteRules& rules) {
  const feeds::FeedSite& site = kept.site;
  const feeds::SiteFacts& facts = site.facts();
  const auto next = site.next_round(rules);
  api::FeedSite told{.name = site.plan().name,
                     .source = std::string(crawl::to_string(kept.source)),
                     .state = std::string(feeds::to_string(facts.status)),
                     .active = site.plan().active,
                     .wait_seconds = seconds(site.plan().wait.value_or(rules.min_wait)),
                     .round = facts.round,
                     .last_poll = moment(facts.round_began),
                     .next_poll = next ? moment(*next) : "",
                     .in_progress = facts.in_progress,
                     .items = facts.found,
                     .implied = facts.implied,
                     .derived = facts.derived,
                     .captured = facts.captured,
                     .failed = facts.failed,
                     .cut_rounds = facts.cut_rounds,
                     .feeds = {}};
  for (const feeds::FeedPlan& plan : site.plan().feeds) told.feeds.push_back(to_api(plan, site.feed(plan.url)));
  return told;
}

// All of them, or the one that is asked for.
Result<std::string> tell(crawl::Operator& crawl, const std::string& site) {
  const crawl::FeedBook& book = crawl::feeds_of(crawl).book();
  api::FeedSites told;
  for (const auto& [name, kept] : book.sites())
    if (site.empty() || site == name) told.sites.push_back(to_api(kept, book.rules()));
  if (!site.empty() && told.sites.empty())
    return fail(ErrorCode::not_found, fmt::format("there is no site '{}'", site));
  return api::to_json(told);
}

Result<feeds::SitePlan> plan_of(const api::WantedFeedSite& wanted) {
  feeds::SitePlan plan;
  plan.name = wanted.name;
  plan.active = wanted.active.value_or(true);
  if (wanted.wait && !wanted.wait->empty()) {
    auto wait = parse_duration(*wanted.wait);
    if (!wait)
      return fail(ErrorCode::config,
                  fmt::format("wait '{}' of the site '{}': write 30m or 1h30m", *wanted.wait, wanted.name));
    plan.wait = *wait;
  }
  for (const api::WantedFeed& feed : wanted.feeds)
    plan.feeds.push_back({feed.url, feed.implied_pages.value_or(std::vector<std::string>())});
  TRY_VOID(feeds::check_site_plan(plan));
  return plan;
}

Result<std::string> site_in(const Call& call) {
  std::string site(call.parameters.text("site"));
  if (site.empty()) return fail(ErrorCode::parse, "say which site: ?site=NAME");
  return site;
}

}  // namespace

Result<std::string> list_feeds(crawl::Operator& crawl, const Call& call) {
  return tell(crawl, std::string(call.parameters.text("site")));
}

Result<std::string> name_feed_sites(crawl::Operator& crawl, const Call& call) {
  TRY(const bool replaces, call.parameters.flag("replace", false));
  TRY(const auto wanted, api::from_json<api::WantedFeedSites>(call.body));
  std::vector<feeds::SitePlan> plans;
  std::set<std::string, std::less<>> names;
  for (const api::WantedFeedSite& one : wanted.sites) {
    TRY(feeds::SitePlan plan, plan_of(one));
    if (!names.insert(plan.name).second)
      return fail(ErrorCode::config, fmt::format("the site '{}' is there twice", plan.name));
    plans.push_back(std::move(plan));
  }
  TRY_VOID(crawl::feeds_of(crawl).put(std::move(plans), replaces));
  return tell(crawl, "");
}

Result<std::string> poll_feed_site(crawl::Operator& crawl, const Call& call) {
  TRY(const std::string site, site_in(call));
  TRY_VOID(crawl::feeds_of(crawl).poll_now(site));
  return tell(crawl, site);
}

Result<std::string> remove_feed_site(crawl::Operator& crawl, const Call& call) {
  TRY(const std::string site, site_in(call));
  TRY_VOID(crawl::feeds_of(crawl).remove(site));
  return tell(crawl, site);
}

}  // namespace caddis::control
