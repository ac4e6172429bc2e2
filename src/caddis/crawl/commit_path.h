// The way of what a crawl has found to its disk: the ledger asks the frontier what becomes of a visit and tells the
// outputs, which stage what they have gathered into the groups of the committer. A plain owner.
//
// Belongs to the crawl's loop.
#pragma once

#include "caddis/base/random.h"
#include "caddis/commit/committer.h"
#include "caddis/crawl/crawl_state_listener.h"
#include "caddis/crawl/outputs.h"
#include "caddis/crawl/visit_ledger.h"

namespace caddis::crawl {

struct CrawlState;
struct World;

struct CommitPath {
  // Opens all outputs. World and state, whose frontier is open, must outlive the path. `random`: for the ids of records.
  static Result<std::unique_ptr<CommitPath>> open(const World& world, CrawlState& state, const UndoRange& undo,
                                                  const SeededRandom& random);

  SeededRandom random;
  CrawlEvents events;
  Outputs outputs;
  commit::Committer committer;
  VisitLedger ledger;

 private:
  CommitPath(const World& world, CrawlState& state, Outputs::Options options, const SeededRandom& random);
};

}  // namespace caddis::crawl
