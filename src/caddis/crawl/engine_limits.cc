// What ends a crawl, or holds it up: its limits; and the settings that an operator changes while it runs.

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/fetch_status.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/commit/committer.h"
#include "caddis/crawl/engine.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/outputs.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {
namespace {

// Of `limits`, what may change at once: nothing that a lane reads.
constexpr std::string_view kChangeable[] = {"max-documents", "max-bytes",      "max-novel-bytes", "max-warc-bytes",
                                            "max-time",      "max-silence",    "max-idle",        "at-limit",
                                            "max-visits",    "min-free-space", "run-while-empty"};

// Of `politeness`, what only the frontier reads.
constexpr std::string_view kChangeablePoliteness[] = {"bandwidth", "host-bandwidth"};

bool is_changeable(const settings::Change& change) {
  if (change.section == "quota") return true;
  if (change.section == "politeness")
    return std::ranges::find(kChangeablePoliteness, change.name) != std::end(kChangeablePoliteness);
  return change.section == "limits" && std::ranges::find(kChangeable, change.name) != std::end(kChangeable);
}

// What is not live belongs to the crawl's state: resuming would refuse it, too.
std::string why_it_stays(const settings::Change& change) {
  if (change.section == "crawl" && change.name == "seeds")
    return "crawl.seeds are those that the crawl began with; add others with caddis frontier --add URL --seed, or a "
           ".seeds file in its folder action/";
  if (change.live)
    return fmt::format("{}.{} cannot change while the crawl runs: stop it, and resume it with the new value",
                       change.section, change.name);
  return fmt::format(
      "{}.{} holds for the whole crawl, and cannot change in it: begin a new crawl with the new value; caddis crawl "
      "--from-checkpoint takes over what this one knows and has waiting",
      change.section, change.name);
}

}  // namespace

LimitCounts Engine::limit_counts() const {
  return {statistics_.documents(),    statistics_.bytes(), statistics_.novel_bytes(), statistics_.warc_bytes(),
          statistics_.running_time(), activity_.silence(), activity_.idle()};
}

void Engine::look_at_activity(SteadyTime now) {
  uint64_t received = 0;
  for (const auto& lane : lanes_) received += lane->received();
  const bool may_visit = state_ == State::running && !disk_low_ && !recover_ && committer_->trouble().empty();
  activity_.look(now, may_visit, received, visits_begun_, visiting());
}

// Nothing is left to do, and nothing is waited for.
bool Engine::ran_dry() const { return frontier_->is_empty() && (!settings_.limits.run_while_empty || runs_dry_); }

// A recovery log comes first: what waits in it waits from then on, also in a crawl that stands at its limit.
void Engine::check_limits() {
  if (state_ != State::running || runs_dry_ || recover_) return;
  const auto limit = limit_reached(settings_.limits, limit_counts());
  if (!limit || ran_dry()) return;
  switch (settings_.limits.at_limit) {
    case config::AtLimit::end:
      end_ = {EndReason::limit, limit->text};
      state_ = State::stopping;
      break;
    case config::AtLimit::pause:
      state_ = State::paused;
      paused_at_ = limit->text;
      tell(fmt::format("PAUSED {}", limit->text));
      break;
    case config::AtLimit::block:
      end_ = {EndReason::limit, limit->text};
      runs_dry_ = true;
      frontier_->give_up_all(status::kBlockedByRuntimeLimit, "limit:" + std::string(limit->name));
      tell(fmt::format("GIVES UP WHAT WAITS {}", limit->text));
      break;
  }
  changed_.notify();
}

// For the log of the process, and for progress-statistics.log.
void Engine::tell(std::string_view what) {
  log_warn("crawl", "{}", what);
  events_.tell(CrawlEvent::Source::crawl, what);
  committer_->commit_soon();
}

void Engine::pause() {
  if (state_ != State::running) return;
  state_ = State::paused;
  note("pauses the crawl");
}

Result<void> Engine::resume() {
  if (state_ != State::paused) return {};
  activity_.restart();
  const auto limit = limit_reached(settings_.limits, limit_counts());
  if (limit && settings_.limits.at_limit == config::AtLimit::pause)
    return fail(ErrorCode::conflict,
                fmt::format("the crawl stays paused, since it {}: raise that limit, or stop the crawl", limit->text));
  state_ = State::running;
  paused_at_.clear();
  note("resumes the crawl");
  check_limits();
  dispatch();
  return {};
}

Result<std::vector<settings::Change>> Engine::change_settings(const std::vector<NewSetting>& given) {
  config::Settings wanted = settings_;
  for (const NewSetting& one : given) {
    const size_t dot = one.name.find('.');
    if (dot == std::string::npos)
      return fail(ErrorCode::config,
                  fmt::format("'{}' is no setting: write for example limits.max-documents", one.name));
    TRY_VOID(settings::apply(wanted.sections(), std::string_view(one.name).substr(0, dot),
                             std::string_view(one.name).substr(dot + 1), one.value, one.name));
  }
  TRY_VOID(validate(wanted));
  auto changes = settings::diff(std::as_const(settings_).sections(), std::as_const(wanted).sections());
  for (const settings::Change& change : changes)
    if (!is_changeable(change)) return fail(ErrorCode::config, why_it_stays(change));
  for (const settings::Change& change : changes) {
    const std::string name = change.section + "." + change.name;
    // Field by field: lanes read others of the same struct meanwhile.
    for (const NewSetting& one : given)
      if (one.name == name)
        TRY_VOID(settings::apply(settings_.sections(), change.section, change.name, one.value, name));
    if (change.name == "max-visits") visits_limit_ = VisitsLimit(static_cast<uint64_t>(settings_.limits.max_visits));
    note(fmt::format("{} changed from {} to {}", name, change.before, change.after));
  }
  if (changes.empty()) return changes;
  spools_->keep_free(static_cast<uint64_t>(settings_.limits.min_free_space));
  // Lanes keep the book they have: what they read of it has not changed.
  TRY_VOID(open_sites());
  frontier_->set_quotas(settings_.quota);
  frontier_->set_politeness(settings_.politeness);
  outputs_->meta().put(kSettingsRow, settings_yaml(settings_));
  if (auto written = write_settings(); !written)
    log_warn("crawl", "{}; the change counts all the same", written.error().message);
  check_limits();
  dispatch();
  changed_.notify();
  return changes;
}

}  // namespace caddis::crawl
