// How a crawl begins, in this order: which launch it is, with its store (launcher_open.cc); its files, brought in line
// with the store, and repaired first if they need it and the settings allow it; its settings, scope and frontier; the
// parts that run; what was lost, asked for or not begun yet, which is queued. What a crawl is resumed with is stored last
// of all: a resume that is refused leaves no trace of it.

#include "caddis/crawl/launcher.h"
#include "caddis/collection/creation.h"
#include "caddis/config/remarks.h"
#include "caddis/config/scope_of_crawl.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "caddis/base/log.h"
#include "caddis/base/time_format.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/cookie_files.h"
#include "caddis/crawl/crash_recovery.h"
#include "caddis/crawl/crawl.h"
#include "caddis/crawl/crawl_parts.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/crawl_status.h"
#include "caddis/crawl/frontier_log_import.h"
#include "caddis/crawl/key_files.h"
#include "caddis/crawl/keys_row.h"
#include "caddis/crawl/launch_seeds.h"
#include "caddis/crawl/launch_settings.h"
#include "caddis/crawl/operator.h"
#include "caddis/crawl/seed_intake.h"
#include "caddis/crawl/seed_list.h"
#include "caddis/crawl/seed_rows.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/repair/repair.h"
#include "caddis/url/public_form.h"

namespace caddis::crawl {
namespace {

repair::Remedy most_remedy(config::SelfRepair allowed) {
  switch (allowed) {
    case config::SelfRepair::never:
      return repair::Remedy::told;
    case config::SelfRepair::lossless:
      return repair::Remedy::lossless;
    case config::SelfRepair::always:
      return repair::Remedy::losing;
  }
  return repair::Remedy::none;
}

// In one sentence, whatever found it out first, and in whichever words.
Error plain_error(Error error, io::Files& files, const LaunchOptions& options) {
  if (error.code != ErrorCode::no_space) return error;
  log_info("crawl", "{}", error.message);
  std::string folder = options.collection;
  while (!files.exists(folder) && folder != io::parent_path(folder)) folder = io::parent_path(folder);
  const auto free = files.free_space(folder);
  const std::string room = free ? fmt::format(" ({} free)", format_size(static_cast<long long>(*free))) : std::string();
  error.message =
      fmt::format("the disk of {} is full{}: make room, then give the same command again; {}", options.collection, room,
                  options.resume ? "nothing of the crawl is lost" : "nothing is left of the crawl it began");
  return error;
}

// Leaves nothing of a new launch. Its lock is held until all is gone.
// URLs may wait that were accepted at another time.
bool scope_differs_by_time(const settings::Sheets& sheets) {
  return std::ranges::any_of(sheets, [](const settings::Sheet& sheet) {
    return !sheet.times.empty() && sheet.values.touches(settings::schema_of<scope::ScopeSettings>());
  });
}

void take_back_launch(std::unique_ptr<CrawlState> state) {
  if (!state->made_folders) return;
  io::Files& files = state->files;
  const collection::Launch launch = state->launch;
  const std::vector<std::string> made = *state->made_folders;
  const auto lock = std::move(state->lock);
  state.reset();
  collection::take_back(files, launch, made, lock != nullptr);
}

}  // namespace

Result<std::unique_ptr<frontier::CrawlFrontier>> open_persistent_frontier(const frontier::Frontier::Options& options,
                                                                          store::Kv& kv, store::SeenSet& seen,
                                                                          const Clock& clock) {
  return frontier::Frontier::open(options, kFrontierFamilies, kv, seen, clock);
}

Launcher::Launcher(World world, const LaunchOptions& options)
    : world_(std::make_unique<World>(std::move(world))),
      options_(options),
      random_(world_->seed),
      writer_random_(random_.next()),
      state_(std::make_unique<CrawlState>(world_->files)) {}

Launcher::~Launcher() = default;

Result<std::unique_ptr<Crawl>> Launcher::open(World world, const LaunchOptions& options) {
  Launcher launcher(std::move(world), options);
  io::Files& files = launcher.world_->files;
  auto crawl = launcher.launch();
  if (crawl) return crawl;
  Error error = plain_error(std::move(crawl).error(), files, options);
  take_back_launch(std::move(launcher.state_));
  return std::unexpected(std::move(error));
}

void Launcher::discard(std::unique_ptr<Crawl> crawl) { take_back_launch(Crawl::take_apart(std::move(crawl))); }

Result<std::unique_ptr<Crawl>> Launcher::launch() {
  TRY_VOID(open_launch());
  TRY(const auto recovery, recover());
  TRY_VOID(open_seen(*recovery));
  TRY_VOID(state_->statistics.load(*state_->kv, kStatistics));
  TRY_VOID(open_frontier());
  TRY_VOID(note_journal_policy(state_->files, state_->launch.cdx_journal(), state_->settings.keys().index));
  TRY(auto parts, make_parts(*recovery));
  if (options_.resume || !options_.from_checkpoint.empty()) TRY_VOID(copy_seed_lists(false));
  TRY_VOID(parts->open_seed_lists(*world_, *state_));
  if (options_.resume)
    TRY_VOID(store_settings(state_->files, state_->launch, *state_->kv, state_->settings.now(), settings_change_));
  return std::make_unique<Crawl>(std::move(world_), std::move(state_), std::move(parts), std::move(notices_));
}

// A disk that has no such modes, or files of somebody else, are no reason not to go on.
void Launcher::keep_private(collection::Privacy privacy) {
  if (const auto kept = collection::keep_private(state_->files, state_->launch, privacy); !kept)
    notices_.push_back(
        fmt::format("other users may read of this crawl what they should not: {}", kept.error().message));
}

// Where recovery puts what it takes away.
std::string Launcher::orphans() const { return rollback_ ? rollback_->quarantine_dir() : state_->launch.orphans(); }

Result<void> Launcher::open_streams() {
  TRY(state_->streams,
      store::StreamSet::open(state_->files, *state_->kv, kStreams, orphans(), state_->launch.collection));
  return {};
}

Result<std::unique_ptr<CrashRecovery>> Launcher::recover() {
  TRY_VOID(open_streams());
  auto recovery = std::make_unique<CrashRecovery>(*state_, world_->groups_kept, notices_);
  if (rollback_) TRY_VOID(rollback_->move_later_files(*state_->kv));
  if (!is_new_) {
    TRY(store::StreamPlan plan, recovery->inspect());
    if (plan.needs_repair()) {
      TRY_VOID(repair());
      TRY_VOID(open_streams());  // their rows are others now
      TRY(plan, recovery->inspect());
    }
    TRY_VOID(recovery->apply(plan, rollback_.has_value()));
  }
  if (rollback_) TRY_VOID(rollback_->finish());
  TRY(state_->checkpoints, usable_checkpoints(state_->files, state_->launch, notices_));
  keep_private(settings_.crawl.is_private ? collection::Privacy::launch : collection::Privacy::state);
  return recovery;
}

// As far as the settings allow it; a refusal names the way out. Whoever goes back to a checkpoint, or begins with one, has
// said what he wants: there is no other state to be spared.
Result<void> Launcher::repair() {
  const collection::Launch& launch = state_->launch;
  const repair::Subject subject{state_->files, *state_->kv, launch, orphans()};
  TRY(const repair::RepairPlan plan, repair::inspect(subject, options_.missing));
  const bool is_asked_for = rollback_.has_value() || !options_.from_checkpoint.empty();
  if (plan.remedy() > (is_asked_for ? repair::Remedy::losing : most_remedy(settings_.crawl.repair)))
    return std::unexpected(repair::refusal(plan, launch.collection));
  TRY_VOID(repair::apply(subject, plan));
  std::ranges::move(plan.remarks(), std::back_inserter(notices_));
  return {};
}

Result<void> Launcher::load_seen() {
  TRY(const auto runs, state_->kv->get(kMeta, kSeenRunsRow));
  const store::LogParts parts = state_->streams->parts(kSeenStream);
  store::SeenLog log{.parts = {}, .released = parts.released / sizeof(uint64_t)};
  for (const auto& part : parts.parts) log.parts.push_back({part.path, part.length});
  TRY_VOID(state_->seen.load(state_->files, runs, log));
  return {};
}

Result<void> Launcher::open_seen(const CrashRecovery& recovery) {
  const collection::Launch& launch = state_->launch;
  state_->seen.spill_to(state_->files, launch.seen_runs(), memory_shares(settings_).seen, recovery.groups().most);
  if (is_new_) return {};
  auto loaded = load_seen();
  if (loaded || loaded.error().code != ErrorCode::corrupt) return loaded;
  TRY_VOID(repair());
  return load_seen();
}

// Seeds of former processes. The addresses that they allow are allowed again.
Result<void> Launcher::take_seeds_on_record(bool& only_loopback) {
  if (settings_.crawl.contact.empty()) state_->addresses.stay_on_this_machine();
  const uint64_t seeds = state_->statistics.seeds_named();
  state_->scope->reserve_seeds(seeds);
  state_->addresses.reserve_seeds(seeds);
  TRY_VOID(each_seed(*state_->kv, [this, &only_loopback](const url::Url& seed, std::string_view origin) {
    if (origin == kRemovedSeed) {
      state_->statistics.seeds().note_removed(url::public_form(seed));
      state_->scope->note_ended(seed);
      return;
    }
    if (origin != kFoundSeed) state_->addresses.take_seed(seed);
    state_->scope->add_seed(seed);
    only_loopback = only_loopback && config::is_loopback(seed);
  }));
  TRY(const auto widening, rows_of(*state_->kv, kSurtRow));
  for (const auto& [prefix, nothing] : widening) state_->scope->widen(prefix);
  TRY(const auto narrowing, rows_of(*state_->kv, kNarrowingRow));
  for (const auto& [prefix, nothing] : narrowing) state_->scope->narrow(prefix);
  TRY(const auto ranges, rows_of(*state_->kv, kRangeRow));
  for (const auto& [range, host] : ranges) state_->addresses.allow_range(range);
  return {};
}

// The lists that are given now. `needs_seed`: the crawl has no others.
Result<void> Launcher::copy_seed_lists(bool needs_seed) {
  std::vector<SeedSource> sources;
  for (const std::string& path : settings_.crawl.seed_files) {
    if (std::ranges::find(former_seed_files_, path) != former_seed_files_.end()) continue;
    auto source = seed_source_of_file(state_->files, path);
    if (!source) return pass(std::move(source).error(), "crawl.seed-files");
    sources.push_back(*std::move(source));
  }
  sources.insert(sources.end(), options_.seed_lists.begin(), options_.seed_lists.end());
  std::string without;
  for (const SeedSource& source : sources) {
    TRY(const SeedList list, copy_seed_list(state_->files, state_->launch, source));
    TRY(const SeedListLook look, look_at_seed_list(state_->files, list, true));
    lists_are_local_ = lists_are_local_ && look.only_loopback;
    TRY_VOID(check_warnings(config::remarks_on(settings_, !look.only_loopback)));
    needs_seed = needs_seed && !look.has_seed;
    if (!look.has_seed)
      without += fmt::format("{}{}{}--seeds {}: no line of it is a seed", without.empty() ? "" : "\n",
                             fmt::join(look.problems, "\n"), look.problems.empty() ? "" : "\n", source.name);
  }
  if (needs_seed && !without.empty()) return fail(ErrorCode::config, without);
  return {};
}

// A crawl that is resumed has begun with its settings: only those count that have changed.
Result<void> Launcher::tell_remarks(bool visits_others) {
  auto remarks = config::remarks_on(settings_, visits_others);
  if (options_.resume)
    std::erase_if(remarks, [&](const config::Remark& remark) { return !is_about(remark, changes_); });
  TRY_VOID(check_warnings(remarks));
  for (config::Remark& remark : remarks) notices_.push_back(std::move(remark.text));
  return {};
}

Result<void> Launcher::open_frontier() {
  config::SeedProblems problems;
  std::vector<url::Url> seeds = usable_seeds(settings_.crawl, problems);
  TRY_VOID(leave_out_removed(*state_->kv, seeds));
  for (const url::Url& seed : seeds) state_->addresses.take_seed(seed);
  // Told where they were given: not whenever the crawl is resumed.
  if (!options_.resume)
    for (std::string& problem : problems.told()) notices_.push_back(std::move(problem));
  TRY(state_->scope, config::make_scope(settings_, seeds, state_->settings.rule_files().reader()));
  bool only_loopback = config::only_loopback(seeds);
  TRY_VOID(take_seeds_on_record(only_loopback));
  const bool has_seeds = !seeds.empty() || has_seed_lists(options_) || state_->statistics.seeds_named() > 0;
  TRY_VOID(tell_remarks(!has_seeds || !only_loopback || !lists_are_local_));
  if (settings_change_.scope || (options_.resume && scope_differs_by_time(settings_.sheets)))
    state_->scope->mark_changed();
  TRY_VOID(state_->replace_settings(settings_, state_->scope->rules(), world_->clock.wall()));
  TRY(frontier::Frontier::Options options, frontier_options(*state_));
  options.outside.may_connect = [state = state_.get()](const std::string& host, const std::string& address) {
    return !state->addresses.refusal({address, 0}, state->effective->of_host(host).fetch.allow_addresses);
  };
  if (!precedences_) {
    TRY(precedences_, load_precedences(settings_, state_->files, state_->identity));
  }
  options.sources.precedences = std::move(precedences_);
  options.outside.claims = world_->factories.claims;
  TRY(state_->frontier, world_->factories.open_frontier(options, *state_->kv, state_->seen, world_->clock));
  return {};
}

Result<std::unique_ptr<CrawlParts>> Launcher::make_parts(CrashRecovery& recovery) {
  TRY(auto parts, CrawlParts::create(*world_, *state_, recovery, {writer_random_, random_}, notices_));
  TRY_VOID(check_key_files(state_->files, state_->settings.now()));
  TRY_VOID(load_cookie_file(*state_, parts->path->outputs, world_->clock.wall()));
  TRY_VOID(recovery.queue_lost(*parts->path, parts->intake));
  TRY_VOID(parts->open_actions(*world_, *state_));
  if (rollback_) {
    TRY(const auto serial, state_->kv->get(kMeta, kSerialRow));
    const std::string summary = rollback_->summary(serial.value_or("0"));
    notices_.push_back(summary);
    parts->log.log_operator_action(summary);
  }
  if (options_.resume && options_.recover)
    TRY_VOID(note_import(state_->files, state_->launch, *options_.recover, notices_));
  TRY_VOID(prepare_import(*parts));
  // The seeds come after an import: they may be among what is finished.
  if (!parts->imports.log) TRY_VOID(parts->intake.inject_seeds());
  return parts;
}

Result<void> Launcher::prepare_import(CrawlParts& parts) {
  TRY(auto pending, pending_import(state_->files, state_->launch));
  if (!pending) return {};
  parts.lifecycle.set_importing(true);
  parts.imports.log = std::make_unique<FrontierLogImport>(
      FrontierLogImport::Parts{world_->loop, world_->blocking, *state_, parts.lifecycle, *parts.path, parts.intake,
                               parts.between_groups.seen, parts.log},
      *std::move(pending));
  return {};
}

}  // namespace caddis::crawl
