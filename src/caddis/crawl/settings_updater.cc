#include "caddis/crawl/settings_updater.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "caddis/aio/blocking.h"
#include "caddis/base/log.h"
#include "caddis/config/scope_of_crawl.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/crawl_parts.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/launch_settings.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/seed_rows.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/world.h"

namespace caddis::crawl {

SettingsUpdater::SettingsUpdater(const World& world, CrawlState& state, CrawlParts& parts)
    : world_(world), state_(state), parts_(parts), looked_(world.clock.steady()) {}

// The rules of the scope as they are wanted. What they ask of the seeds is made to be known.
Result<scope::SiteRules> SettingsUpdater::rules_for(const config::Settings& wanted, bool changed) {
  scope::SiteRules rules = state_.settings.snapshot()->resolver->rules();
  if (changed) {
    TRY(rules, scope::SiteRules::create(wanted.scope, {}, state_.settings.rule_files().reader()));
  }
  TRY(auto kinds, config::seed_kinds_of_sheets(wanted, state_.settings.rule_files().reader()));
  for (const scope::ScopeKind kind : rules.list->seed_kinds()) kinds.push_back(kind);
  if (std::ranges::all_of(kinds, [&](scope::ScopeKind kind) { return state_.scope->looks_for(kind); })) return rules;
  state_.scope->look_for(kinds);
  TRY_VOID(parts_.path->outputs.seeds().each(
      [this](const url::Url& seed, std::string_view /*origin*/) { state_.scope->add_seed(seed); }));
  return rules;
}

Result<void> SettingsUpdater::apply(config::Settings wanted, bool rereads_rules) {
  const config::Settings& present = state_.settings.now();
  const bool of_scope =
      rereads_rules || !settings::diff({settings::section(present.scope)}, {settings::section(wanted.scope)}).empty();
  const bool sheets_change = wanted.sheets != present.sheets;
  const Reach reach{of_scope || sheets_change,
                    wanted.fetch.allow_addresses != present.fetch.allow_addresses || sheets_change};
  TRY(auto rules, rules_for(wanted, of_scope));
  TRY_VOID(replace(std::move(wanted), rules, reach));
  const config::Settings& settings = state_.settings.now();
  parts_.lanes.keep_free(settings.limits.min_free_space);
  parts_.path->outputs.meta().put(kSettingsRow, settings_yaml(settings));
  if (auto written = write_settings_files(state_.files, state_.launch, settings); !written)
    log_warn("crawl", "{}; the change counts all the same", written.error().message);
  return {};
}

Result<void> SettingsUpdater::replace(config::Settings wanted, const scope::SiteRules& rules, Reach reach) {
  // First, so that no visit begins under the new rules without asking them.
  if (reach.scope) state_.scope->mark_changed();
  TRY_VOID(state_.replace_settings(std::move(wanted), rules, world_.clock.wall()));
  const config::SettingsResolver& resolver = *state_.settings.snapshot()->resolver;
  state_.frontier->admin().set_rules(*resolver.of_crawl().host, resolver.reach(), resolver.quotas());
  if (reach.addresses) state_.frontier->admin().recheck_refused();
  if (reach.scope) parts_.path->outputs.meta().put(kScopeChangedRow, "");
  return {};
}

void SettingsUpdater::tick() {
  constexpr Duration kRetry = std::chrono::minutes(1);
  const auto sheets = state_.settings.snapshot()->resolver->others_at(world_.clock.wall());
  const SteadyTime now = world_.clock.steady();
  if (!sheets || now < retry_) return;
  retry_ = now + kRetry;
  hand_over(*sheets);
}

// `sheets`: those that hold from now on.
void SettingsUpdater::hand_over(const std::vector<size_t>& sheets) {
  const auto snapshot = state_.settings.snapshot();
  const config::Settings& settings = snapshot->settings;
  std::vector<size_t> changed;
  std::ranges::set_symmetric_difference(snapshot->resolver->in_force(), sheets, std::back_inserter(changed));
  Reach reach;
  std::string names;
  for (const size_t i : changed) {
    const settings::Sheet& sheet = settings.sheets[i];
    reach.scope |= sheet.values.touches(settings::schema_of<scope::ScopeSettings>());
    reach.addresses |= sheet.values.touches(settings::schema_of<fetch::FetchSettings>());
    names += fmt::format("{}sheet '{}' {}", names.empty() ? "" : ", ", sheet.name,
                         std::ranges::binary_search(sheets, i) ? "holds from now on" : "holds no longer");
  }
  if (auto replaced = replace(settings, snapshot->resolver->rules(), reach); !replaced) {
    parts_.log.report(fmt::format("{}, but the settings stay as they were: {}", names, replaced.error().message));
    return;
  }
  retry_ = {};
  parts_.log.tell(CrawlEvent::Source::crawl, names);
}

bool SettingsUpdater::is_reread_due() const {
  const Duration interval = state_.settings.now().scope.reread_files;
  return interval > Duration(0) && !is_rereading_ && world_.clock.steady() >= looked_ + interval &&
         !state_.settings.rule_files().empty() && !parts_.lifecycle.is_ending();
}

aio::Task<void> SettingsUpdater::reread() {
  is_rereading_ = true;
  std::vector<std::string> changed;
  std::function<void()> work = [&] { changed = state_.settings.rule_files().changed(); };
  co_await world_.blocking.run(world_.loop, std::move(work));
  is_rereading_ = false;
  looked_ = world_.clock.steady();
  if (changed.empty() || parts_.lifecycle.is_ending()) co_return;
  const std::string names = fmt::format("{}", fmt::join(changed, ", "));
  if (auto done = reread_rules(); !done)
    parts_.log.report(fmt::format("{} changed, but the rules stay as they were: {}", names, done.error().message));
  else
    parts_.log.tell(CrawlEvent::Source::crawl, fmt::format("{} changed: its rules count from now on", names));
}

Result<void> SettingsUpdater::reread_rules() {
  const config::Settings& settings = state_.settings.now();
  TRY(const auto rules, rules_for(settings, true));
  return replace(settings, rules, {.scope = true});
}

}  // namespace caddis::crawl
