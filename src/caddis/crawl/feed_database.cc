#include "caddis/crawl/feed_database.h"

#include <fmt/format.h>

#include <chrono>

#include "caddis/base/time_format.h"
#include "caddis/feeds/feed_date.h"
#include "caddis/sql/database.h"
#include "caddis/url/url.h"

namespace caddis::crawl {
namespace {

using sql::Values;

// The columns of people come first, those of the crawl behind them.
constexpr std::string_view kTables[] = {
    "CREATE TABLE IF NOT EXISTS feed_sites (name TEXT PRIMARY KEY, min_wait TEXT, active INTEGER NOT NULL DEFAULT 1, "
    "state TEXT, last_feed_update TEXT, next_poll TEXT, in_progress INTEGER, items INTEGER)",
    "CREATE TABLE IF NOT EXISTS feeds (site TEXT NOT NULL, uri TEXT NOT NULL, most_recently_seen TEXT, "
    "last_digest TEXT, last_fetch TEXT, items INTEGER, failures INTEGER, trouble TEXT, PRIMARY KEY (site, uri))",
    "CREATE TABLE IF NOT EXISTS implied_pages (site TEXT NOT NULL, feed TEXT NOT NULL, uri TEXT NOT NULL, "
    "PRIMARY KEY (site, feed, uri))"};

std::string moment(WallTime time) { return time == WallTime() ? "" : rfc3339(time); }

int64_t seconds_of(WallTime time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

}  // namespace

FeedSiteFigures FeedSiteFigures::of(const feeds::FeedSite& site) {
  const feeds::SiteFacts& facts = site.facts();
  FeedSiteFigures figures{.name = site.plan().name,
                          .state = std::string(feeds::to_string(facts.status)),
                          .last_feed_update = moment(facts.round_began),
                          .next_poll = moment(facts.next),
                          .in_progress = facts.in_progress,
                          .items = facts.found,
                          .feeds = {}};
  for (const feeds::FeedPlan& plan : site.plan().feeds) {
    const feeds::FeedState* const state = site.feed(plan.url);
    if (state == nullptr) continue;
    figures.feeds.push_back(
        {.uri = plan.url,
         .most_recently_seen = state->newest == 0 ? "" : moment(WallTime(std::chrono::seconds(state->newest))),
         .last_digest = state->capture.digest,
         .last_fetch = moment(std::max(state->last_fetch, state->last_failure)),
         .trouble = state->trouble,
         .items = state->found,
         .failures = state->failures_in_row});
  }
  return figures;
}

FeedDatabase::FeedDatabase(std::string address, std::chrono::milliseconds longest_statement)
    : address_(std::move(address)), longest_statement_(longest_statement) {}

FeedDatabase::~FeedDatabase() = default;

Result<void> FeedDatabase::open() {
  if (!database_) {
    TRY(auto made, sql::Database::open(address_, longest_statement_));
    const std::scoped_lock lock(mutex_);
    database_ = std::move(made);
  }
  if (has_tables_) return {};
  TRY_VOID(database_->transact([this](sql::Connection& c) -> Result<void> {
    for (const std::string_view table : kTables) {
      TRY_VOID(c.execute(table));
      ++answered_;
    }
    return {};
  }));
  has_tables_ = true;
  return {};
}

void FeedDatabase::interrupt() {
  const std::scoped_lock lock(mutex_);
  if (database_) database_->interrupt();
}

// A feed is written under the URL that people gave it, which may be written otherwise there.
Result<void> FeedDatabase::write(const std::vector<FeedSiteFigures>& figures) {
  if (figures.empty()) return {};
  TRY_VOID(open());
  return database_->transact([&](sql::Connection& c) -> Result<void> {
    for (const FeedSiteFigures& site : figures) {
      TRY_VOID(c.execute(
          "UPDATE feed_sites SET state = ?, last_feed_update = ?, next_poll = ?, in_progress = ?, items = ? "
          "WHERE name = ?",
          Values(site.state, site.last_feed_update, site.next_poll, site.in_progress, site.items, site.name)));
      ++answered_;
      TRY(const auto rows, c.rows("SELECT uri FROM feeds WHERE site = ?", Values(site.name)));
      ++answered_;
      for (const sql::Row& row : rows) {
        const auto url = url::Url::parse(row.text(0));
        if (!url) continue;
        for (const FeedSiteFigures::Feed& feed : site.feeds) {
          if (url->without_fragment() != feed.uri) continue;
          TRY_VOID(
              c.execute("UPDATE feeds SET most_recently_seen = ?, last_digest = ?, last_fetch = ?, items = ?, "
                        "failures = ?, trouble = ? WHERE site = ? AND uri = ?",
                        Values(feed.most_recently_seen, feed.last_digest, feed.last_fetch, feed.items, feed.failures,
                               feed.trouble, site.name, row.text(0))));
          ++answered_;
        }
      }
    }
    return {};
  });
}

Result<NamedFeedSites> FeedDatabase::read() {
  TRY_VOID(open());
  return database_->read([this](sql::Connection& c) -> Result<NamedFeedSites> {
    NamedFeedSites named;
    std::map<std::string, feeds::SitePlan> plans;
    TRY(const auto sites, c.rows("SELECT name, min_wait, active FROM feed_sites"));
    ++answered_;
    for (const sql::Row& row : sites) {
      feeds::SitePlan plan;
      plan.name = row.text(0);
      const std::string wait = row.text(1);
      if (!wait.empty()) {
        const auto duration = parse_duration(wait);
        if (!duration) {
          named.wrong.push_back(
              fmt::format("the site '{}' has the min_wait '{}': write 30m or 1h30m", plan.name, wait));
          continue;
        }
        plan.wait = *duration;
      }
      plan.active = row.number(2) != 0;
      plans.emplace(plan.name, std::move(plan));
    }
    TRY(const auto feeds, c.rows("SELECT site, uri, most_recently_seen FROM feeds ORDER BY site, uri"));
    ++answered_;
    TRY(const auto pages, c.rows("SELECT site, feed, uri FROM implied_pages ORDER BY site, feed, uri"));
    ++answered_;
    for (const sql::Row& row : feeds) {
      const auto plan = plans.find(row.text(0));
      if (plan == plans.end()) continue;
      feeds::FeedPlan feed{row.text(1), {}};
      for (const sql::Row& page : pages)
        if (page.text(0) == row.text(0) && page.text(1) == feed.url) feed.implied_pages.push_back(page.text(2));
      const auto url = url::Url::parse(feed.url);
      const auto newest = feeds::parse_feed_date(row.text(2));
      if (url && newest) named.newest[row.text(0)][std::string(url->without_fragment())] = seconds_of(*newest);
      plan->second.feeds.push_back(std::move(feed));
    }
    for (auto& [name, plan] : plans) {
      if (plan.feeds.empty()) continue;  // its feeds are yet to come
      if (auto sound = feeds::check_site_plan(plan))
        named.plans.push_back(std::move(plan));
      else
        named.wrong.push_back(sound.error().message);
    }
    return named;
  });
}

}  // namespace caddis::crawl
