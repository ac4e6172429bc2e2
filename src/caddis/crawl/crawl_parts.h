// The parts of a crawl that runs, and how they are wired to one another. A plain owner; what each part does is told by
// its own header.
//
//   frontier ⇒ Dispatcher ⇒ LanePool ⇒ Dispatcher ⇒ CommitPath ⇒ disk
//        ⇐ FrontierPermits ⇐
//               asks VisitGate, which asks LoadGovernor, LimitEnforcer, Lifecycle, …
//
// Belongs to the crawl's loop.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/crawl/checkpointer.h"
#include "caddis/crawl/dispatcher.h"
#include "caddis/crawl/event_log.h"
#include "caddis/crawl/hang_watch.h"
#include "caddis/crawl/lane_pool.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/limit_enforcer.h"
#include "caddis/crawl/load_governor.h"
#include "caddis/crawl/seen_tasks.h"
#include "caddis/crawl/url_intake.h"
#include "caddis/crawl/visit_gate.h"

namespace caddis::crawl {

class ActionDirectory;
class CrashRecovery;
class FeedWatch;
class FrontierLogImport;
class FrontierPermits;
class IndexSegments;
class SeedIntake;
struct CommitPath;
struct CrawlState;
struct World;

// Files that a launch takes in as a whole, and feeds that it polls.
struct Imports {
  std::unique_ptr<FrontierLogImport> log;  // null if nothing is to be imported
  std::unique_ptr<SeedIntake> seeds;       // null if no list of seeds is left
  std::unique_ptr<FeedWatch> feeds;        // never null
};

// The work that files want between two groups.
struct BetweenGroups {
  SeenTasks seen;
  std::unique_ptr<IndexSegments> index;
};

struct CrawlParts {
  // Handed over by the launcher, besides the state.
  struct Opening {
    SeededRandom writer_random;  // for the ids of records
    SeededRandom lane_random;    // seeds those of the lanes
  };
  // World and state must outlive the parts. An error if a lane cannot be made, or what dedup.against names cannot be
  // read. `notices`: what people should know.
  static Result<std::unique_ptr<CrawlParts>> create(const World& world, CrawlState& state,
                                                    const CrashRecovery& recovery, Opening opening,
                                                    std::vector<std::string>& notices);
  ~CrawlParts();

  // Files that are put into the folder action/ are applied from now on. Nothing if the settings do not want that.
  Result<void> open_actions(const World& world, CrawlState& state);
  // The lists of seeds of the launch are taken when the crawl runs, as far as they are not yet.
  Result<void> open_seed_lists(const World& world, CrawlState& state);

  Lifecycle lifecycle;
  std::unique_ptr<CommitPath> path;
  EventLog log;
  std::unique_ptr<FrontierPermits> permits;
  LanePool lanes;
  LoadGovernor load;
  LimitEnforcer limits;
  BetweenGroups between_groups;
  HangWatch hangs;
  VisitGate gate;
  Dispatcher dispatcher;
  UrlIntake intake;
  Checkpointer checkpointer;
  std::unique_ptr<ActionDirectory> actions;  // null if there is none
  Imports imports;

 private:
  CrawlParts(const World& world, CrawlState& state, std::unique_ptr<CommitPath> made);
  void wire();
};

}  // namespace caddis::crawl
