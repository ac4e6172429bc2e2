#include "caddis/crawl/feed_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/base/log.h"
#include "caddis/base/time_format.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/event_log.h"
#include "caddis/crawl/feed_book.h"
#include "caddis/crawl/feed_database.h"
#include "caddis/crawl/feed_patience.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/limit_enforcer.h"
#include "caddis/crawl/url_intake.h"
#include "caddis/crawl/world.h"
#include "caddis/url/url.h"

namespace caddis::crawl {
namespace {

// How often a question to a database is looked after; and how long it may take at the end of the crawl.
constexpr Duration kLookInterval = std::chrono::seconds(5);

}  // namespace

FeedWatch::FeedWatch(Parts parts) : parts_(parts), book_(parts.path.outputs.feeds()), changed_(parts.world.loop) {
  FeedBook::Hooks hooks;
  hooks.form = [this](const url::Url& url) { return parts_.intake.form_of(url); };
  hooks.log = [this](std::string_view text) { parts_.log.tell(CrawlEvent::Source::crawl, text); };
  hooks.on_failure = [this](std::string_view site, std::string_view feed, const feeds::FeedState& state) {
    const auto told = static_cast<uint64_t>(parts_.state.settings.now().feeds.failures_told);
    const std::pair<std::string, std::string> key(site, feed);
    if (state.failures_in_row == 1) told_feeds_.erase(key);
    if (told == 0 || state.failures_in_row < told || !told_feeds_.insert(key).second) return;
    log_warn("feeds", "the feed {} of {} has failed {} times in a row: {}; it is asked less often from now on", feed,
             site, state.failures_in_row, state.trouble);
  };
  book_.set_hooks(std::move(hooks));
}

FeedWatch::~FeedWatch() { book_.set_hooks({}); }

Result<void> FeedWatch::open() {
  follow_settings();
  for (const auto& [name, kept] : book_.sites())
    if (kept.site.facts().status != feeds::SiteStatus::ended) allow({kept.site.plan()});
  return {};
}

void FeedWatch::follow_settings() {
  auto now = parts_.state.settings.snapshot();
  if (now == followed_) return;
  followed_ = std::move(now);
  changed_.notify();
  const feeds::FeedSettings& settings = parts_.state.settings.now().feeds;
  book_.follow(settings);
  auto plans = feeds::parse_site_plans(settings.sites);
  if (!plans) return log_error("feeds", "feeds.sites: {}", plans.error().message);
  for (const std::string& name : book_.replace(FeedSource::settings, *plans))
    log_warn("feeds", "the site '{}' of feeds.sites is there by another way already, and stays as it is", name);
  allow(*plans);
  if (!book_.sites().empty()) parts_.path.committer.commit_soon();
}

// A person has named them: they may be connected to as seeds may.
void FeedWatch::allow(const std::vector<feeds::SitePlan>& plans) {
  bool is_new = false;
  for (const feeds::SitePlan& plan : plans)
    for (const feeds::FeedPlan& feed : plan.feeds)
      if (const auto url = url::Url::parse(feed.url)) is_new |= parts_.state.addresses.take_seed(*url);
  if (is_new) parts_.state.frontier->admin().recheck_refused();
}

bool FeedWatch::tick() {
  follow_settings();
  if (!parts_.lifecycle.is_running() || parts_.lifecycle.is_importing() || parts_.limits.runs_dry()) return false;
  auto urls = book_.poll();
  if (urls.empty()) return false;
  parts_.path.ledger.schedule(std::move(urls));
  return true;
}

// --- the database

void FeedWatch::close() {
  is_closed_ = true;
  changed_.notify();
}

aio::Task<void> FeedWatch::rest(Duration how_long) {
  aio::Loop& loop = parts_.world.loop;
  const SteadyTime until = loop.clock().steady() + how_long;
  const auto timer = loop.at(until, [this] { changed_.notify(); });
  while (!is_closed_ && loop.clock().steady() < until) co_await changed_.wait();
  loop.cancel(timer);
}

// Once more at the end, for what the last visits have found, unless the database hangs.
aio::Task<void> FeedWatch::follow_database() {
  bool has_answered = true;
  while (!is_closed_) {
    has_answered = co_await ask_database();
    const Duration interval = parts_.state.settings.now().feeds.database_interval;
    // Without one, until the settings change.
    if (database_)
      co_await rest(interval);
    else if (!is_closed_)
      co_await changed_.wait();
  }
  if (has_answered) co_await ask_database();
}

void FeedWatch::tell_once(std::string trouble) {
  if (!trouble.empty() && trouble != told_) {
    log_warn("feeds", "the database of feeds: {}", trouble);
  }
  told_ = std::move(trouble);
}

// A simulated world has no threads.
aio::Blocking& FeedWatch::worker() {
  if (parts_.world.sorting == nullptr) return parts_.world.blocking;
  if (!worker_) worker_ = aio::make_blocking(1);
  return *worker_;
}

aio::Task<bool> FeedWatch::ask_database() {
  const std::string address = parts_.state.settings.now().feeds.database;
  if (address.empty()) {
    database_.reset();
    co_return true;
  }
  if (!database_ || database_->address() != address) database_ = std::make_unique<FeedDatabase>(address);
  std::vector<FeedSiteFigures> figures;
  for (const auto& [name, kept] : book_.sites())
    if (kept.source == FeedSource::database) figures.push_back(FeedSiteFigures::of(kept.site));
  Result<NamedFeedSites> named;
  std::function<void()> work = [&] {
    const auto written = database_->write(figures);
    if (written)
      named = database_->read();
    else
      named = std::unexpected(written.error());
  };
  aio::Loop& loop = parts_.world.loop;
  FeedPatience patience(loop.clock().steady(), database_->answered());
  bool is_given_up = false;
  aio::Loop::TimerId timer = 0;
  std::function<void()> look = [&] {
    timer = loop.at(loop.clock().steady() + kLookInterval, look);
    if (!patience.is_lost(loop.clock().steady(), database_->answered()) && !is_closed_) return;
    is_given_up = true;
    database_->interrupt();
  };
  timer = loop.at(loop.clock().steady() + kLookInterval, look);
  co_await worker().run(loop, std::move(work));
  loop.cancel(timer);
  if (!named) {
    const std::string_view given_up = is_given_up ? "it was given up, since it did not answer in time: " : "";
    tell_once(fmt::format("{}{}; sites are polled as they were", given_up, named.error().message));
    co_return !is_given_up;
  }
  if (!is_closed_) take(*named);
  co_return true;
}

void FeedWatch::take(const NamedFeedSites& named) {
  std::vector<std::string> troubles = named.wrong;
  for (const std::string& name : book_.replace(FeedSource::database, named.plans))
    troubles.push_back(fmt::format("the site '{}' is there by another way already, and stays as it is", name));
  tell_once(fmt::format("{}", fmt::join(troubles, "; ")));
  for (const auto& [site, feeds] : named.newest)
    for (const auto& [feed, newest] : feeds) book_.adopt(site, feed, newest);
  allow(named.plans);
  parts_.path.committer.commit_soon();
}

// --- what others ask

bool FeedWatch::keeps_crawl_open() const {
  if (parts_.limits.runs_dry()) return false;
  return book_.has_active() || !parts_.state.settings.now().feeds.database.empty();
}

std::string FeedWatch::waits_for() const {
  if (!keeps_crawl_open()) return "";
  const auto next = book_.next_round();
  if (!next) return "no site of feeds is to be polled";
  const auto left = std::max(*next, parts_.world.clock.wall()) - parts_.world.clock.wall();
  return fmt::format("the next poll of a feed is due in {}",
                     format_duration(std::chrono::duration_cast<std::chrono::seconds>(left)));
}

Result<void> FeedWatch::put(std::vector<feeds::SitePlan> plans, bool replaces) {
  for (const feeds::SitePlan& plan : plans) TRY_VOID(book_.check_source(FeedSource::api, plan.name));
  for (const feeds::SitePlan& plan : plans)
    parts_.log.log_operator_action("names a site of feeds: " + feeds::to_line(plan));
  if (replaces)
    (void)book_.replace(FeedSource::api, plans);
  else
    for (const feeds::SitePlan& plan : plans) TRY_VOID(book_.put(FeedSource::api, plan));
  allow(plans);
  parts_.path.committer.commit_soon();
  return {};
}

Result<void> FeedWatch::remove(std::string_view name) {
  TRY_VOID(book_.remove(FeedSource::api, name));
  parts_.log.log_operator_action(fmt::format("takes the site of feeds {} away", name));
  parts_.path.committer.commit_soon();
  parts_.lifecycle.changed().notify();
  return {};
}

Result<void> FeedWatch::poll_now(std::string_view name) { return book_.ask_for_poll(name); }

}  // namespace caddis::crawl
