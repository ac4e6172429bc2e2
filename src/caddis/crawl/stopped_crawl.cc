#include "caddis/crawl/stopped_crawl.h"

#include <fmt/format.h>

#include <span>

#include "caddis/collection/lock.h"
#include "caddis/config/seeds.h"
#include "caddis/crawl/rollback.h"
#include "caddis/crawl/scheduled_url.h"
#include "caddis/crawl/state_format.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/store/streams.h"

namespace caddis::crawl {

Result<void> open_stopped_state(CrawlState& state, const store::KvOpener& open_kv, std::string_view who) {
  const collection::Launch& launch = state.launch;
  TRY(state.lock, collection::lock_collection(state.files, launch.collection, who));
  if (Rollback::is_underway(state.files, launch))
    return fail(ErrorCode::conflict,
                fmt::format("{} was interrupted on its way back to a checkpoint: resume it first", launch.folder()));
  TRY(state.kv, open_kv(launch.store(), family_names()));
  TRY(const auto format, state.kv->get(kMeta, kFormatRow));
  if (!format)
    return fail(ErrorCode::not_found, fmt::format("{} died before it began: there is nothing to look at", launch.name));
  return check_format(*format, launch.folder());
}

Result<std::unique_ptr<StoppedCrawl>> StoppedCrawl::open(io::Files& files, const Clock& clock,
                                                         const store::KvOpener& open_kv,
                                                         const collection::Launch& launch) {
  std::unique_ptr<StoppedCrawl> crawl(new StoppedCrawl(files));
  CrawlState& state = crawl->state_;
  state.launch = launch;
  TRY_VOID(open_stopped_state(state, open_kv, "caddis frontier"));
  TRY(const auto identity, state.kv->get(kMeta, kIdentityRow));
  TRY(const auto yaml, state.kv->get(kMeta, kSettingsRow));
  if (!identity || !yaml)
    return fail(ErrorCode::corrupt, launch.state() + "/db lacks the rows that a crawl begins with");
  state.identity = read_identity(*identity);
  config::Settings settings;
  TRY_VOID(load_settings(*yaml, "the state's settings", settings));
  TRY(const auto rules, scope::SiteRules::create(settings.scope, {}, state.settings.rule_files().reader()));
  TRY_VOID(state.replace_settings(std::move(settings), rules, clock.wall()));
  TRY(const frontier::Frontier::Options options, frontier_options(state));
  TRY(state.frontier, frontier::Frontier::open(options, kFrontierFamilies, *state.kv, state.seen, clock));
  return crawl;
}

Result<frontier::ScheduledUrl> StoppedCrawl::scheduled_url_of(std::string_view text) {
  TRY(const url::Url url, config::parse_seed(text));
  TRY(frontier::ScheduledUrl scheduled, make_scheduled_url(url, state_.identity, state_.settings.keys().crawl));
  store::SeenOnDisk seen{.row = {}, .folder = state_.launch.seen_runs(), .log = {}};
  TRY(seen.row, state_.kv->get(kMeta, kSeenRunsRow));
  TRY(seen.log, store::committed_parts(*state_.kv, kStreams, kSeenStream, state_.launch.collection));
  TRY(const bool is_seen, store::seen_on_disk(state_.files, seen, scheduled.fingerprint));
  if (is_seen) {
    bool is_new = false;
    TRY_VOID(state_.seen.insert_batch(std::span(&scheduled.fingerprint, 1), std::span(&is_new, 1)));
  }
  return scheduled;
}

Result<std::vector<std::string>> StoppedCrawl::sheets_of(std::string_view text) {
  TRY(const url::Url url, config::parse_seed(text));
  return state_.effective->of(url).sheets;
}

}  // namespace caddis::crawl
