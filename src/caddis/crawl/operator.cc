#include "caddis/crawl/operator.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/counted.h"
#include "caddis/base/fetch_status.h"
#include "caddis/base/log.h"
#include "caddis/base/time_format.h"
#include "caddis/config/seeds.h"
#include "caddis/config/settings.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/crawl_parts.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/feed_watch.h"
#include "caddis/crawl/live_changes.h"
#include "caddis/crawl/settings_updater.h"
#include "caddis/url/public_form.h"

namespace caddis::crawl {
namespace {

// Rules that are given once more are read once more: their files may be others.
bool names_rules(const SettingsEdit& edit) {
  return std::ranges::find(edit.settings, "scope.rules", &NewSetting::name) != edit.settings.end();
}

// An operation that failed half done: nothing more may be committed.
std::unexpected<Error> fail_fatally(CrawlParts& parts, Error error) {
  parts.path->committer.fail(error);
  return std::unexpected(std::move(error));
}

}  // namespace

Operator::Operator(std::string hostname, aio::Loop& loop, CrawlState& state, CrawlParts& parts,
                   const StatusReporter& reporter, SettingsUpdater& updater, ReportDesk& reports)
    : hostname_(std::move(hostname)),
      state_(state),
      parts_(parts),
      reporter_(reporter),
      updater_(updater),
      reports_(reports),
      scripts_(loop, state, parts.log) {}

frontier::CrawlFrontier& Operator::frontier() { return *state_.frontier; }

Result<frontier::ScheduledUrl> Operator::scheduled_url_of(std::string_view url) { return parts_.intake.form_of(url); }

Result<std::vector<std::string>> Operator::sheets_of(std::string_view text) {
  TRY(const url::Url url, config::parse_seed(text));
  return state_.effective->of(url).sheets;
}

void Operator::changed() {
  parts_.dispatcher.dispatch();
  parts_.lifecycle.changed().notify();
}

// --- the crawl as a whole

void name_actor(Operator& crawl, std::string_view who) { crawl.parts_.log.set_actor(who); }

bool is_ending(const Operator& crawl) {
  const RunState state = crawl.parts_.lifecycle.state();
  return state == RunState::stopping || state == RunState::ended;
}

void Operator::pause() {
  if (!parts_.lifecycle.is_running()) return;
  parts_.lifecycle.pause();
  parts_.log.log_operator_action("pauses the crawl");
}

Result<void> Operator::resume() {
  if (!parts_.lifecycle.is_paused()) return {};
  if (const auto limit = parts_.limits.keeps_paused())
    return fail(ErrorCode::conflict,
                fmt::format("the crawl stays paused, since it {}: raise that limit, or stop the crawl", limit->text));
  parts_.lifecycle.resume();
  parts_.log.log_operator_action("resumes the crawl");
  parts_.limits.check();
  parts_.dispatcher.dispatch();
  return {};
}

void Operator::stop(std::string why) {
  if (parts_.lifecycle.is_ending()) return;
  log_info("crawl", "stops: {}", why);
  // No operator's action: it changes nothing for which another checkpoint would be worth having.
  parts_.log.tell(CrawlEvent::Source::operated, "stops the crawl: " + why);
  parts_.lifecycle.stop({EndReason::stopped, std::move(why)});
}

aio::Task<Result<Checkpoint>> Operator::checkpoint(std::string name) {
  return parts_.checkpointer.take(std::move(name));
}

Result<void> Operator::can_persist() const {
  const std::string& trouble = parts_.path->committer.trouble();
  if (trouble.empty()) return {};
  return fail(ErrorCode::io,
              fmt::format("the crawl cannot write at present, and would lose what it is asked for: {}; make room, then "
                          "ask again",
                          trouble));
}

aio::Task<Result<void>> Operator::keep() {
  auto kept = co_await parts_.path->committer.write_now();
  if (kept) co_return kept;
  co_return fail(ErrorCode::io,
                 fmt::format("it is in force, but not on disk yet, and is lost if the crawl ends before it can be "
                             "written: {}",
                             kept.error().message));
}

FeedWatch& feeds_of(Operator& crawl) { return *crawl.parts_.imports.feeds; }

const config::Settings& Operator::settings() const { return state_.settings.now(); }

Result<Operator::SettingsPlan> Operator::plan_settings(const SettingsEdit& edit) const {
  SettingsPlan plan;
  TRY(plan.wanted, edited(settings(), edit));
  TRY_VOID(check_same_modules(settings(), plan.wanted));
  TRY_VOID(validate(plan.wanted));
  plan.changes = changes_between(settings(), plan.wanted);
  plan.remarks = config::remarks_on(plan.wanted);
  std::erase_if(plan.remarks, [&](const config::Remark& remark) { return !is_about(remark, plan.changes); });
  return plan;
}

aio::Task<void> Operator::prepare_settings(SettingsEdit edit) {
  const auto plan = plan_settings(edit);
  if (!plan || !check_live_changes(plan->changes) || !check_warnings(plan->remarks)) co_return;
  const bool of_scope = names_rules(edit) || plan->wanted.sheets != settings().sheets ||
                        std::ranges::any_of(plan->changes, [](const auto& one) { return one.section == "scope"; });
  if (of_scope) (void)co_await updater_.prepare(plan->wanted);
  // An error is told when the change is made.
  (void)co_await updater_.find_proxies(plan->wanted);
}

Result<std::vector<settings::Change>> Operator::change_settings(const SettingsEdit& edit) {
  TRY(SettingsPlan plan, plan_settings(edit));
  auto& [wanted, changes, remarks] = plan;
  TRY_VOID(check_live_changes(changes));
  TRY_VOID(check_warnings(remarks));
  if (changes.empty() && wanted.sheets == settings().sheets && !names_rules(edit)) return changes;
  const int64_t max_visits = settings().limits.max_visits;
  TRY_VOID(updater_.apply(std::move(wanted), names_rules(edit)));
  if (settings().limits.max_visits != max_visits) parts_.load.set_max_visits(settings().limits.max_visits);
  for (const settings::Change& change : changes)
    parts_.log.log_operator_action(
        fmt::format("{}.{} changed from {} to {}", change.section, change.name, change.before, change.after));
  parts_.limits.check();
  changed();
  return changes;
}

// --- its URLs

Result<TakenUrls> Operator::add_urls(const std::vector<AddedUrl>& urls) {
  if (parts_.lifecycle.is_ending()) return fail(ErrorCode::conflict, "the crawl is ending: resume it, then add URLs");
  std::vector<frontier::ScheduledUrl> scheduled;
  for (const AddedUrl& added : urls) {
    TRY(frontier::ScheduledUrl one, scheduled_url_of(added.url));
    one.candidate.via = added.via;
    one.candidate.hops = added.hops;
    one.candidate.is_seed = added.is_seed;
    one.candidate.force = added.force;
    one.precedence = added.precedence;
    scheduled.push_back(std::move(one));
  }
  constexpr size_t kNamed = 10;
  for (size_t i = 0; i < std::min(scheduled.size(), kNamed); ++i) {
    const frontier::Candidate& one = scheduled[i].candidate;
    parts_.log.log_operator_action(
        fmt::format("adds {}{}{}", one.seed, one.is_seed ? " seed" : "", one.force ? " forced" : ""));
  }
  if (scheduled.size() > kNamed)
    parts_.log.log_operator_action(fmt::format("adds {} more with them", counted(scheduled.size() - kNamed, "URL")));
  const TakenUrls taken = parts_.intake.take(std::move(scheduled));
  parts_.dispatcher.dispatch();
  return taken;
}

aio::Task<Result<uint64_t>> Operator::remove_seeds(std::vector<std::string> urls) {
  if (parts_.lifecycle.is_ending())
    co_return fail(ErrorCode::conflict, "the crawl is ending: resume it, then remove seeds");
  constexpr size_t kMost = 10'000;
  if (urls.size() > kMost)
    co_return fail(ErrorCode::config,
                   fmt::format("{} seeds are too many for once: remove at most {} at a time", urls.size(), kMost));
  std::vector<url::Url> seeds;
  for (const std::string& text : urls) {
    CO_TRY(url::Url seed, config::parse_seed(text));
    seeds.push_back(std::move(seed));
  }
  constexpr size_t kNamed = 10;
  std::string named;
  for (size_t i = 0; i < std::min(seeds.size(), kNamed); ++i) named += ' ' + url::public_form(seeds[i]);
  if (seeds.size() > kNamed) named += fmt::format(" and {} more", seeds.size() - kNamed);
  CO_TRY(const uint64_t ended, co_await updater_.seeds().remove(std::move(seeds)));
  parts_.log.log_operator_action(fmt::format("removes {}:{}", counted(ended, "seed"), named));
  changed();
  co_return ended;
}

Result<frontier::Erased> Operator::erase(frontier::WaitingQuery query, std::string_view what) {
  query.gone = [this](const frontier::Candidate& url, const std::string& host) {
    parts_.path->ledger.record_removal(url, host, status::kDeleted);
  };
  auto erased = state_.frontier->admin().erase(query);
  if (!erased) {
    const ErrorCode code = erased.error().code;
    if (code == ErrorCode::not_found || code == ErrorCode::parse) return erased;  // the cursor: nothing was done
    return fail_fatally(parts_, std::move(erased).error());
  }
  parts_.log.log_operator_action(
      fmt::format("deletes {} of {}: {}", counted(erased->urls, "URL"), counted(erased->hosts, "host"), what));
  changed();
  return erased;
}

Result<void> Operator::order(const std::string& host, const frontier::HostOverrides& orders) {
  if (auto done = state_.frontier->admin().set_overrides(host, orders); !done)
    return fail_fatally(parts_, std::move(done).error());
  const std::string budget = orders.budget ? fmt::format(", budget {}", *orders.budget) : "";
  parts_.log.log_operator_action(
      fmt::format("host {}: {}, {}, delay {}{}", host, orders.blocked ? "blocked" : "not blocked",
                  orders.retired ? "retired" : "not retired",
                  orders.delay ? format_duration(*orders.delay) : "as in the settings", budget));
  changed();
  return {};
}

Result<void> Operator::retire_queue(const std::string& origin, bool retired) {
  TRY(const frontier::ScheduledUrl of, scheduled_url_of(origin + "/"));
  auto done = state_.frontier->admin().retire_queue(of.host, of.origin, retired);
  if (!done && done.error().code == ErrorCode::not_found) return done;
  if (!done) return fail_fatally(parts_, std::move(done).error());
  parts_.log.log_operator_action(fmt::format("queue {}: {}", of.origin, retired ? "retired" : "not retired"));
  changed();
  return {};
}

Result<frontier::Woken> Operator::wake(const std::string& host, const std::string& marker) {
  auto woken = state_.frontier->admin().wake(host, marker);
  if (!woken && woken.error().code == ErrorCode::parse) return woken;  // the cursor: nothing was done
  if (!woken) return fail_fatally(parts_, std::move(woken).error());
  parts_.log.log_operator_action(
      fmt::format("wakes {}: {}", host.empty() ? "all" : host, counted(woken->hosts, "host")));
  parts_.dispatcher.dispatch();
  return woken;
}

aio::Task<std::vector<visit::RunningVisit>> Operator::running_visits() { return parts_.lanes.running_visits(); }

Result<void> Operator::end_visit(const std::string& url) {
  const auto lease = state_.frontier->admin().lease_of(url);
  if (!lease) return fail(ErrorCode::not_found, fmt::format("{} is not being visited", url));
  if (lease->kind != frontier::LeaseKind::url)
    return fail(ErrorCode::conflict, fmt::format("{} is a prerequisite: it ends by its own time-outs", url));
  TRY_VOID(parts_.lanes.end_visit(lease->id, url));
  parts_.log.log_operator_action(
      fmt::format("ends the visit of {} after {}", url::public_form(url), format_duration(lease->since)));
  return {};
}

}  // namespace caddis::crawl
