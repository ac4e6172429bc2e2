#include "caddis/crawl/stopped_crawl.h"

#include <fmt/format.h>

#include <span>

#include "caddis/config/seeds.h"
#include "caddis/crawl/follow_sheets.h"
#include "caddis/crawl/going_back.h"
#include "caddis/crawl/scheduled_url.h"
#include "caddis/crawl/state_format.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/store/streams.h"

namespace caddis::crawl {

Result<std::unique_ptr<StoppedCrawl>> StoppedCrawl::open(io::Files& files, const Clock& clock,
                                                         const store::KvOpener& open_kv, const Launch& launch) {
  std::unique_ptr<StoppedCrawl> crawl(new StoppedCrawl(files));
  crawl->launch_ = launch;
  TRY(crawl->lock_, lock_collection(files, launch.collection, "caddis frontier"));
  if (GoingBack::is_underway(files, launch))
    return fail(ErrorCode::conflict,
                fmt::format("{} was interrupted on its way back to a checkpoint: resume it first", launch.folder()));
  TRY(crawl->kv_, open_kv(launch.state() + "/db", family_names()));
  store::Kv& kv = *crawl->kv_;
  TRY(const auto format, kv.get(kMeta, kFormatRow));
  TRY(const auto identity, kv.get(kMeta, kIdentityRow));
  TRY(const auto yaml, kv.get(kMeta, kSettingsRow));
  if (!format || !identity || !yaml)
    return fail(ErrorCode::not_found, fmt::format("{} died before it began: there is nothing to look at", launch.name));
  TRY_VOID(check_format(*format, launch.folder()));
  crawl->identity_ = read_identity(*identity);
  TRY_VOID(load_settings(*yaml, "the state's settings", crawl->settings_));
  frontier::Frontier::Options options{crawl->settings_.politeness, crawl->settings_.frontier, crawl->identity_,
                                      fetch::product_token(crawl->settings_.fetch),
                                      crawl->settings_.robots.policy != robots::RobotsPolicy::ignore};
  options.quota = crawl->settings_.quota;
  TRY(const auto rules, scope::SiteRules::create(crawl->settings_.scope));
  TRY(auto book, config::SettingsResolver::create(crawl->settings_, rules));
  crawl->sites_.emplace(std::move(book));
  follow_sheets(options, crawl->sites_);
  TRY(options.again, frontier::Again::parse(crawl->settings_.fetch.again));
  TRY(crawl->frontier_, frontier::Frontier::open(options, kFrontierFamilies, kv, crawl->seen_, clock));
  return crawl;
}

Result<frontier::ScheduledUrl> StoppedCrawl::scheduled_url_of(std::string_view text) {
  TRY(const url::Url url, config::parse_seed(text));
  TRY(frontier::ScheduledUrl scheduled, make_scheduled_url(url, identity_, settings_.crawl.crawl_key));
  store::SeenOnDisk seen{.row = {}, .folder = launch_.state() + "/seen-runs", .log = {}};
  TRY(seen.row, kv_->get(kMeta, kSeenRunsRow));
  TRY(seen.log, store::committed_parts(*kv_, kStreams, kSeenStream, launch_.collection));
  TRY(const bool is_seen, store::seen_on_disk(files_, seen, scheduled.fingerprint));
  if (is_seen) {
    bool is_new = false;
    TRY_VOID(seen_.insert_batch(std::span(&scheduled.fingerprint, 1), std::span(&is_new, 1)));
  }
  return scheduled;
}

Result<std::vector<std::string>> StoppedCrawl::sheets_of(std::string_view text) {
  TRY(const url::Url url, config::parse_seed(text));
  return sites_->of(url).sheets;
}

}  // namespace caddis::crawl
