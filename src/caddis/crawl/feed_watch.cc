#include "caddis/crawl/feed_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/log.h"
#include "caddis/base/time_format.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/event_log.h"
#include "caddis/crawl/feed_book.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/limit_enforcer.h"
#include "caddis/crawl/url_intake.h"
#include "caddis/crawl/world.h"
#include "caddis/url/url.h"

namespace caddis::crawl {

FeedWatch::FeedWatch(Parts parts) : parts_(parts), book_(parts.path.outputs.feeds()) {
  FeedBook::Hooks hooks;
  hooks.form = [this](const url::Url& url) { return parts_.intake.form_of(url); };
  hooks.log = [this](std::string_view text) { parts_.log.tell(CrawlEvent::Source::crawl, text); };
  hooks.on_failure = [this](std::string_view site, std::string_view feed, const feeds::FeedState& state) {
    const auto told = static_cast<uint64_t>(parts_.state.settings.now().feeds.failures_told);
    if (told == 0 || state.failures_in_row != told) return;
    log_warn("feeds", "the feed {} of {} has failed {} times in a row: {}; it is asked less often from now on", feed, site,
             told, state.trouble);
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
  const feeds::FeedSettings& settings = parts_.state.settings.now().feeds;
  book_.follow(settings);
  auto plans = feeds::parse_site_plans(settings.sites);
  if (!plans) return log_error("feeds", "feeds.sites: {}", plans.error().message);
  for (const std::string& name : book_.replace(FeedSource::settings, *plans))
    log_warn("feeds", "the site '{}' of feeds.sites is there by another way already, and stays as it is", name);
  allow(*plans);
  parts_.path.committer.commit_soon();
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

Result<void> FeedWatch::put(feeds::SitePlan plan) {
  TRY_VOID(feeds::check_site_plan(plan));
  TRY_VOID(book_.put(FeedSource::api, plan));
  allow({plan});
  parts_.path.committer.commit_soon();
  return {};
}

Result<void> FeedWatch::remove(std::string_view name) {
  TRY_VOID(book_.remove(FeedSource::api, name));
  parts_.path.committer.commit_soon();
  parts_.lifecycle.changed().notify();
  return {};
}

Result<void> FeedWatch::poll_now(std::string_view name) { return book_.ask_for_poll(name); }

}  // namespace caddis::crawl
