#include "caddis/crawl/settings_updater.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "caddis/aio/blocking.h"
#include "caddis/base/log.h"
#include "caddis/config/scope_of_crawl.h"
#include "caddis/crawl/archive_writers.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/crawl_parts.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/launch_settings.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/module_listeners.h"
#include "caddis/crawl/outputs.h"
#include "caddis/crawl/provenance.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/world.h"
#include "caddis/modules/modules_settings.h"

namespace caddis::crawl {

SettingsUpdater::SettingsUpdater(const World& world, CrawlState& state, CrawlParts& parts)
    : world_(world),
      state_(state),
      parts_(parts),
      seeds_(world.loop, world.blocking, state, *parts.path),
      looked_(world.clock.steady()) {}

Result<SettingsUpdater::WantedRules> SettingsUpdater::read_rules(const config::Settings& wanted, bool changed,
                                                                 const scope::ReadFile& reader) const {
  WantedRules read{state_.settings.snapshot()->resolver->rules(), {}};
  if (changed) {
    TRY(read.rules, scope::SiteRules::create(wanted.scope, {}, reader));
  }
  TRY(read.kinds, config::seed_kinds_of_sheets(wanted, reader));
  for (const scope::ScopeKind kind : read.rules.list->seed_kinds()) read.kinds.push_back(kind);
  return read;
}

aio::Task<Result<void>> SettingsUpdater::prepare(const config::Settings& wanted) {
  // The rules are read once more when they are put in force: until then their files are as unknown as before.
  auto read = read_rules(wanted, true, state_.settings.rule_files().onlooker());
  if (!read) co_return std::unexpected(std::move(read).error());
  co_return co_await seeds_.look_for(std::move(read->kinds));
}

Result<scope::SiteRules> SettingsUpdater::rules_for(const config::Settings& wanted, bool changed) {
  TRY(WantedRules read, read_rules(wanted, changed, state_.settings.rule_files().reader()));
  if (std::ranges::all_of(read.kinds, [&](scope::ScopeKind kind) { return state_.scope->looks_for(kind); }))
    return std::move(read.rules);
  state_.scope->look_for(read.kinds);
  TRY_VOID(seeds_.add_all_at_once());
  return std::move(read.rules);
}

aio::Task<Result<void>> SettingsUpdater::find_proxies(const config::Settings& wanted) {
  Result<void> found;
  std::function<void()> work = [&, names = config::proxies_named_by(wanted)] {
    found = parts_.lanes.proxies().learn(names);
  };
  aio::Blocking& worker = world_.sorting != nullptr ? *world_.sorting : world_.blocking;
  co_await worker.run(world_.loop, std::move(work));
  co_return found;
}

Result<void> SettingsUpdater::apply(config::Settings wanted, bool rereads_rules) {
  const config::Settings& present = state_.settings.now();
  const bool of_scope =
      rereads_rules || !settings::diff({settings::section(present.scope)}, {settings::section(wanted.scope)}).empty();
  const bool sheets_change = wanted.sheets != present.sheets;
  const Reach reach{of_scope || sheets_change,
                    wanted.fetch.allow_addresses != present.fetch.allow_addresses || sheets_change};
  // They are known, if somebody has prepared the change.
  TRY_VOID(parts_.lanes.proxies().ensure(config::proxies_named_by(wanted)));
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
  // Modules and outputs have made something of their settings.
  modules::apply_bounds(state_.settings.now().modules);
  parts_.path->outputs.archive().follow(state_.settings.now().archive,
                                        provenance_of(state_.settings.now(), state_.launch, world_));
  parts_.path->outputs.follow(state_.settings.now().logs);
  parts_.path->outputs.modules().follow(state_.settings.now());
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
  const config::Settings settings = state_.settings.now();
  // Errors are told below.
  (void)co_await prepare(settings);
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
