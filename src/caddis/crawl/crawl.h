// One launch of a crawl, from the moment at which it is open until everything is on disk. Leases go to lanes, visits
// that have ended to the committer; once a second limits, load, lanes and checkpoints are looked after.
//
//   TRY(auto crawl, Launcher::open(std::move(world), options));
//   const CrawlEnd end = co_await crawl->run();        // on world.loop
//
// Several crawls may live in one process, each in a collection of its own. All methods belong to the loop of the
// crawl's world.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/loop.h"
#include "caddis/aio/nursery.h"
#include "caddis/aio/task.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/seed_fates.h"

namespace caddis::fetch {
class AddressPolicy;
}  // namespace caddis::fetch

namespace caddis::crawl {

class Completion;
class ModuleWatch;
class Operator;
class ReportDesk;
class ScopeReview;
class SettingsUpdater;
class StatusReporter;
struct CrawlParts;
struct CrawlState;
struct ModuleReport;
struct CrawlStatus;
struct World;

class Crawl {
 public:
  // Everything is made by the launcher.
  Crawl(std::unique_ptr<World> world, std::unique_ptr<CrawlState> state, std::unique_ptr<CrawlParts> parts,
        std::vector<std::string> notices);
  ~Crawl();
  // Takes apart a crawl that is not going to run.
  static std::unique_ptr<CrawlState> take_apart(std::unique_ptr<Crawl> crawl);

  // Runs until the crawl has ended and everything is on disk. Once.
  aio::Task<CrawlEnd> run();

  // To look and to operate, also before it runs.
  Operator& operations() { return *operations_; }
  const CrawlState& state() const { return *state_; }
  CrawlStatus status() const;
  // Where it may connect to, for who knows more of that.
  fetch::AddressPolicy& addresses();
  // Findings of recovery when the launch was resumed, a line each; and seeds that could not be used.
  const std::vector<std::string>& notices() const { return notices_; }

  // After `run`: what became of the seeds, as far as it is committed.
  const SeedTally& seeds() const { return seeds_; }

  // Called every second while the crawl runs.
  void on_tick(std::function<void(const CrawlStatus&)> call) { calls_.tick = std::move(call); }
  // Called with what people should know in the course of the crawl.
  void on_notice(std::function<void(const std::string&)> call) { calls_.notice = std::move(call); }

  // After `run`: lanes that stood still are left behind, their threads cannot be joined, and what they use must live.
  // All is on disk: whoever has run the crawl ends the process without destroying anything.
  bool has_left_lanes() const;
  bool has_left(size_t lane) const;

 private:
  void begin();
  void tick();
  void observe_limits(SteadyTime now);
  aio::Task<void> wait_until_over();
  aio::Task<void> import_frontier_log();
  aio::Task<void> take_seed_lists();
  aio::Task<void> write_reports();
  aio::Task<void> write_end(CrawlEnd& end);
  Result<void> write_results(const CrawlEnd& end, const std::vector<ModuleReport>& of_modules);
  std::string end_text() const;
  void tell_progress();
  void tell_state(std::string_view words);
  void tell_change(RunState state);

  std::unique_ptr<World> world_;
  std::unique_ptr<CrawlState> state_;
  std::unique_ptr<CrawlParts> parts_;
  std::unique_ptr<Completion> completion_;
  std::unique_ptr<ScopeReview> review_;
  std::unique_ptr<StatusReporter> reporter_;
  std::unique_ptr<SettingsUpdater> updater_;
  std::unique_ptr<ReportDesk> reports_;
  std::unique_ptr<Operator> operations_;
  std::unique_ptr<ModuleWatch> modules_;
  std::vector<std::string> notices_;
  SeedTally seeds_;
  struct Tick {
    SteadyTime last{};
    uint64_t count = 0;
    aio::Loop::TimerId timer = 0;  // of the next one
  };
  Tick tick_;
  struct Calls {
    std::function<void(const CrawlStatus&)> tick;
    std::function<void(const std::string&)> notice;
  };
  Calls calls_;
  aio::Nursery nursery_;
};

}  // namespace caddis::crawl
