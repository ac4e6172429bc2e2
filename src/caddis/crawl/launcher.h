// Opens a crawl: a new launch, the latest one again from exactly where its state was committed, one that goes back to a
// checkpoint, or a new one that begins with the checkpoint of another. What is wrong is said before anything is made;
// what was made for a launch that is refused is removed again.
//
//   TRY(auto crawl, Launcher::open(std::move(world), options));
//
// Belongs to the loop of the world; it blocks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/base/random.h"
#include "caddis/collection/creation.h"
#include "caddis/crawl/launch_options.h"
#include "caddis/crawl/launch_settings.h"
#include "caddis/crawl/rollback.h"
#include "caddis/crawl/world.h"

namespace caddis::crawl {

class CrashRecovery;
class Crawl;
struct CrawlParts;
struct CrawlState;

class Launcher {
 public:
  // Errors say what to do: a locked collection, settings that may not change, a state of another format, seeds none of
  // which is usable.
  static Result<std::unique_ptr<Crawl>> open(World world, const LaunchOptions& options);
  // Takes back a crawl that is not going to run: of a new launch nothing is left behind. One that was resumed keeps its
  // state.
  static void discard(std::unique_ptr<Crawl> crawl);

 private:
  Launcher(World world, const LaunchOptions& options);
  ~Launcher();
  Result<std::unique_ptr<Crawl>> launch();

  // Which launch it is, with its store open.
  Result<void> check_new();
  Result<void> open_launch();
  Result<void> open_new();
  Result<void> open_fork();
  Result<void> open_latest();
  Result<void> check_rollback();
  Result<void> check_copy(const std::string& path);
  Result<void> refuse_without_state();
  Result<void> begin_again();
  Result<void> write_first_rows();
  Result<void> read_state();
  struct ResumedSettings {
    config::Settings stored, present;
    std::vector<settings::Change> changes;
  };
  Result<ResumedSettings> resumed_settings(store::Kv& kv) const;
  void keep_private(collection::Privacy privacy);

  // Its files, agreed with the store.
  std::string orphans() const;
  Result<void> open_streams();
  Result<std::unique_ptr<CrashRecovery>> recover();
  Result<void> repair();
  Result<void> load_seen();
  Result<void> open_seen(const CrashRecovery& recovery);

  // Its parts, which run.
  Result<void> take_seeds_on_record(bool& only_loopback);
  Result<void> tell_remarks(bool visits_others);
  Result<void> open_frontier();
  Result<std::unique_ptr<CrawlParts>> make_parts(CrashRecovery& recovery);
  Result<void> prepare_import(CrawlParts& parts);
  Result<void> copy_seed_lists(bool needs_seed);

  std::unique_ptr<World> world_;
  const LaunchOptions& options_;
  SeededRandom random_, writer_random_;
  std::unique_ptr<CrawlState> state_;
  config::Settings settings_;                                 // until the state has them
  std::shared_ptr<const frontier::Precedences> precedences_;  // until the frontier has them
  std::optional<Rollback> rollback_;
  std::vector<std::string> notices_;
  bool is_new_ = true;  // nothing was known before this process
  SettingsChange settings_change_;
  std::vector<std::string> former_seed_files_;  // of the settings: they were taken by a process before
  bool lists_are_local_ = true;                 // all lists of seeds that are given now
  std::vector<settings::Change> changes_;       // of settings, with which it is resumed
};

}  // namespace caddis::crawl
