// Which launch a crawl is, and its store: of a new launch, of one that is resumed, rolled back or forked. Afterwards
// the store is open and has its first rows, and the settings are those by which the crawl goes.

#include <fmt/format.h>

#include <algorithm>

#include "caddis/collection/creation.h"
#include "caddis/collection/folders.h"
#include "caddis/collection/lock.h"
#include "caddis/config/remarks.h"
#include "caddis/config/scope_of_crawl.h"
#include "caddis/crawl/crawl_parts.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/fork.h"
#include "caddis/crawl/frontier_log_import.h"
#include "caddis/crawl/keys_row.h"
#include "caddis/crawl/launch_seeds.h"
#include "caddis/crawl/launch_settings.h"
#include "caddis/crawl/launcher.h"
#include "caddis/crawl/scheduled_url.h"
#include "caddis/crawl/seed_list.h"
#include "caddis/crawl/state_format.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/repair/repair.h"
#include "caddis/store/stream_repair.h"

namespace caddis::crawl {
namespace {

std::string identity_row(const frontier::Identity& identity) {
  return fmt::format("{} {}", identity.key.k0, identity.key.k1);
}

// Whether URLs that wait may not belong to the crawl any more.
bool is_of_scope(const settings::Change& change) {
  return change.section == "scope" || change.section == "sheets: scope";
}

}  // namespace

Result<void> Launcher::open_launch() {
  if (options_.recover) TRY_VOID(look_at_recovery_log(state_->files, options_.recover->path));
  state_->launch.collection = options_.collection;
  state_->identity = frontier::Identity::draw(random_);  // of a launch that has none yet
  if (options_.resume) {
    TRY(const auto latest, collection::latest_launch(state_->files, options_.collection));
    if (!latest)
      return fail(ErrorCode::not_found, fmt::format("there is no crawl to resume in {}", options_.collection));
  } else {
    if (options_.from_checkpoint.empty()) TRY_VOID(check_new());
    state_->made_folders = collection::missing_folders(state_->files, options_.collection);
  }
  TRY(state_->lock, collection::lock_collection(state_->files, options_.collection,
                                                fmt::format("process {} on {}", world_->pid, world_->hostname)));
  TRY_VOID(remove_unfinished_copies(state_->files, options_.collection));
  if (options_.resume) return open_latest();
  return options_.from_checkpoint.empty() ? open_new() : open_fork();
}

// Wrong settings of a new crawl are reported before a folder is made.
Result<void> Launcher::check_new() {
  const config::Settings& settings = options_.settings;
  const bool waits_in_log = options_.recover && !options_.recover->include_only;
  TRY_VOID(validate(settings));
  TRY(precedences_, load_precedences(settings, state_->files, state_->identity));
  config::SeedProblems problems;
  const std::vector<url::Url> seeds = usable_seeds(settings.crawl, problems);
  TRY_VOID(
      check_has_seeds(seeds, waits_in_log || has_seed_lists(options_) || settings.feeds.waits_for_polls(), problems));
  // Lists are asked when they are read.
  if (!seeds.empty() || waits_in_log)
    TRY_VOID(check_warnings(config::remarks_on(settings, seeds.empty() || !config::only_loopback(seeds))));
  TRY(const auto scope, config::make_scope(settings, seeds, state_->settings.rule_files().reader()));
  return {};
}

Result<void> Launcher::open_new() {
  settings_ = options_.settings;
  const collection::Privacy privacy =
      settings_.crawl.is_private ? collection::Privacy::launch : collection::Privacy::state;
  TRY(state_->launch, collection::create_launch(state_->files, options_.collection, settings_.crawl.name,
                                                world_->clock.wall(), privacy));
  if (options_.recover) TRY_VOID(note_import(state_->files, state_->launch, *options_.recover, notices_));
  const bool waits_in_log = options_.recover && !options_.recover->include_only;
  TRY_VOID(copy_seed_lists(settings_.crawl.seeds.empty() && !waits_in_log && !settings_.feeds.waits_for_polls()));
  TRY_VOID(write_settings_files(state_->files, state_->launch, settings_));
  TRY(state_->kv, world_->open_kv(state_->launch.store(), family_names()));
  return write_first_rows();
}

Result<void> Launcher::open_latest() {
  TRY(auto latest, collection::latest_launch(state_->files, options_.collection));
  if (!latest) return fail(ErrorCode::not_found, fmt::format("there is no crawl to resume in {}", options_.collection));
  state_->launch = *std::move(latest);
  keep_private(collection::Privacy::state);
  TRY_VOID(collection::make_missing_folders(state_->files, state_->launch));
  TRY_VOID(check_rollback());
  TRY(rollback_, Rollback::begin(state_->files, world_->open_kv, state_->launch, options_.checkpoint));
  const std::string db = state_->launch.store();
  const bool had_store = state_->files.exists(db);
  TRY(state_->kv, world_->open_kv(db, family_names()));
  TRY(const auto format, state_->kv->get(kMeta, kFormatRow));
  if (format) {
    is_new_ = false;
    TRY_VOID(check_format(*format, state_->launch.folder()));
    return read_state();
  }
  if (auto refused = refuse_without_state(); !refused) {
    // An empty store would stand in the way of who puts the state back.
    state_->kv.reset();
    if (!had_store) collection::remove_tree(state_->files, db);
    return std::unexpected(std::move(refused).error());
  }
  return begin_again();
}

// Everything of the launch that the checkpoint belongs to is only read.
Result<void> Launcher::open_fork() {
  TRY(const ForkSource source, find_fork_source(state_->files, options_.from_checkpoint));
  config::Settings named;
  named.crawl.name = source.crawl_name();
  if (options_.overlay) TRY_VOID(options_.overlay(named));
  TRY(state_->launch,
      collection::create_launch(state_->files, options_.collection, named.crawl.name, world_->clock.wall()));
  TRY(Fork fork, fork_state(state_->files, world_->open_kv, source, state_->launch));
  state_->kv = std::move(fork.kv);
  is_new_ = false;
  TRY(const auto identity, state_->kv->get(kMeta, kIdentityRow));
  TRY(const auto yaml, state_->kv->get(kMeta, kSettingsRow));
  if (!identity || !yaml)
    return fail(ErrorCode::corrupt, source.folder + "/db lacks the rows that a crawl begins with");
  state_->identity = read_identity(*identity);
  TRY_VOID(load_settings(*yaml, "the checkpoint's settings", settings_));
  const std::string secrets = source.secrets_file();
  if (state_->files.exists(secrets)) {
    TRY(const std::string kept, state_->files.read_all(secrets));
    TRY_VOID(load_secrets(kept, secrets, settings_));
  }
  const config::CanonicalizationSettings keys = settings_.canonicalization;
  TRY_VOID(check_keys_row(*state_->kv, keys));
  former_seed_files_ = settings_.crawl.seed_files;
  if (options_.overlay) TRY_VOID(options_.overlay(settings_));
  TRY_VOID(config::check_same_keys({keys.crawl, settings_.canonicalization.index}, settings_.canonicalization));
  settings_.crawl.name = named.crawl.name;
  TRY_VOID(validate(settings_));
  store::Batch batch;
  batch.put(kMeta, std::string(kSettingsRow), settings_yaml(settings_));
  TRY(const config::KeyPolicies present_keys, config::key_policies(settings_.canonicalization));
  batch.put(kMeta, std::string(kKeysRow), keys_row(present_keys));
  // Its scope may be another one than that under which its URLs were found.
  batch.put(kMeta, std::string(kScopeChangedRow), "");
  settings_change_.scope = true;
  TRY_VOID(state_->kv->write(batch, store::Durability::synced));
  notices_.push_back(
      fmt::format("begins with the {} known and {} queued URLs of the checkpoint '{}' of {}; what was "
                  "captured until then lies in that crawl's WARC files with serial numbers below {}",
                  source.checkpoint.seen, source.checkpoint.queued, source.checkpoint.name, source.checkpoint.launch,
                  fork.next_serial));
  for (const std::string& list : fork.unread_lists)
    notices_.push_back(
        fmt::format("the crawl of the checkpoint had not read its list of seeds {} whole, and it is not in {}: give it "
                    "again with --seeds; what is known of it is not taken twice",
                    list, source.seed_lists()));
  if (options_.recover) TRY_VOID(note_import(state_->files, state_->launch, *options_.recover, notices_));
  return write_settings_files(state_->files, state_->launch, settings_);
}

// A copy of the checkpoint's state is asked whether it would be refused after the rollback: once the crawl is on its
// way, there is no other state.
Result<void> Launcher::check_rollback() {
  const collection::Launch& launch = state_->launch;
  const std::string copy = launch.state() + "/looked-at";
  const auto remove_copy = [&] {
    if (!state_->files.exists(copy)) return;
    collection::remove_tree(state_->files, copy);
    (void)state_->files.sync_dir(launch.state());
  };
  remove_copy();  // of a process that died over it
  if (options_.checkpoint.empty() || Rollback::is_underway(state_->files, launch)) return {};
  TRY(const Checkpoint wanted, find_checkpoint(state_->files, launch, options_.checkpoint));
  TRY_VOID(check_format(wanted.format, checkpoint_folder(launch, wanted.name)));
  TRY_VOID(collection::clone_folder(state_->files, checkpoint_folder(launch, wanted.name) + "/db", copy));
  auto checked = check_copy(copy);
  remove_copy();
  return checked;
}

Result<void> Launcher::check_copy(const std::string& path) {
  const collection::Launch& launch = state_->launch;
  TRY(const auto kv, world_->open_kv(path, family_names()));
  TRY_VOID(resumed_settings(*kv));
  TRY(const auto streams, store::StreamRepair::open(state_->files, *kv, kStreams, path, launch.collection));
  repair::RepairPlan plan{.missing = options_.missing};
  TRY(plan.damaged, streams.shorter());
  // The checkpoint has the log of the seen-set itself.
  std::erase_if(plan.damaged, [&](const store::ShortFile& file) { return file.stream == kSeenStream; });
  if (!plan.unanswered().empty()) return std::unexpected(repair::refusal(plan, launch.collection));
  return {};
}

// A log is empty before the state has its first rows: if it is not, they have been taken away.
Result<void> Launcher::refuse_without_state() {
  const collection::Launch& launch = state_->launch;
  for (const std::string& path : {launch.crawl_log(), launch.progress_log(), launch.pages()}) {
    if (!state_->files.exists(path)) continue;
    TRY(const auto file, state_->files.open_read(path));
    TRY(const uint64_t bytes, file->size());
    if (bytes == 0) continue;
    TRY(const Checkpoints checkpoints, list_checkpoints(state_->files, launch));
    return fail(ErrorCode::corrupt,
                fmt::format("{0}/db does not have the state of this crawl, though {1} says that it has begun: put {0} "
                            "back as it was when the crawl last ran{2}, or begin a new crawl without --resume",
                            launch.state(), path,
                            checkpoints.complete.empty()
                                ? ""
                                : ", go back to a checkpoint ('caddis crawl --resume --checkpoint latest')"));
  }
  return {};
}

// It died before its state was written: everything it began with stands in its crawl.yaml.
Result<void> Launcher::begin_again() {
  TRY_VOID(load_settings_files(state_->files, state_->launch, settings_));
  former_seed_files_ = settings_.crawl.seed_files;
  TRY_VOID(write_first_rows());
  if (!options_.overlay) return {};
  settings_change_.any = true;
  TRY_VOID(options_.overlay(settings_));
  return validate(settings_);
}

Result<void> Launcher::write_first_rows() {
  store::Batch batch;
  batch.put(kMeta, std::string(kFormatRow), std::string(kFormat));
  batch.put(kMeta, std::string(kIdentityRow), identity_row(state_->identity));
  TRY(const config::KeyPolicies keys, config::key_policies(settings_.canonicalization));
  batch.put(kMeta, std::string(kKeysRow), keys_row(keys));
  batch.put(kMeta, std::string(kSettingsRow), settings_yaml(settings_));
  return state_->kv->write(batch, store::Durability::synced);
}

Result<void> Launcher::read_state() {
  TRY(const auto identity, state_->kv->get(kMeta, kIdentityRow));
  if (!identity)
    return fail(ErrorCode::corrupt, state_->launch.state() + "/db lacks the rows that a crawl begins with");
  state_->identity = read_identity(*identity);
  TRY(const ResumedSettings resumed, resumed_settings(*state_->kv));
  TRY_VOID(check_keys_row(*state_->kv, resumed.stored.canonicalization));
  settings_ = resumed.present;
  former_seed_files_ = resumed.stored.crawl.seed_files;
  for (const settings::Change& change : resumed.changes)
    notices_.push_back(
        fmt::format("{}.{} changed from {} to {}", change.section, change.name, change.before, change.after));
  if (auto notice = notice_of_edits(state_->files, state_->launch, resumed.stored, settings_))
    notices_.push_back(*std::move(notice));
  settings_change_.any = !resumed.changes.empty();
  changes_ = resumed.changes;
  TRY(const auto changed_before, state_->kv->get(kMeta, kScopeChangedRow));
  settings_change_.scope = changed_before.has_value() || std::ranges::any_of(resumed.changes, is_of_scope);
  return {};
}

// The stored settings, with what is given anew.
Result<Launcher::ResumedSettings> Launcher::resumed_settings(store::Kv& kv) const {
  ResumedSettings resumed;
  TRY(resumed.stored, load_stored_settings(state_->files, state_->launch, kv));
  resumed.present = resumed.stored;
  if (options_.overlay) TRY_VOID(options_.overlay(resumed.present));
  TRY_VOID(validate(resumed.present));
  TRY(resumed.changes, allowed_changes(resumed.stored, resumed.present));
  return resumed;
}

}  // namespace caddis::crawl
