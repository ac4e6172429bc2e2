// All outputs and all parts of the state that a crawl commits, each a class of its own. `add_to` is their list: a new
// one is a file and a line there.
//
// Belongs to the crawl's loop; must outlive committer, ledger and events.
#pragma once

#include <cstdint>
#include <memory>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/base/random.h"
#include "caddis/config/log_settings.h"
#include "caddis/crawl/archive_writers.h"
#include "caddis/crawl/undo_log.h"
#include "caddis/frontier/identity.h"

namespace caddis::commit {
class Committer;
}  // namespace caddis::commit

namespace caddis::frontier {
class UrlLedger;
}  // namespace caddis::frontier
namespace caddis::dedup {
class Originals;
}  // namespace caddis::dedup
namespace caddis::protocols {
class HostKeys;
}  // namespace caddis::protocols
namespace caddis::store {
class Kv;
class SeenSet;
}  // namespace caddis::store

namespace caddis::collection {
struct Launch;
}

namespace caddis::crawl {

class ActionProgressRows;
class CookieRows;
class CrawlEvents;
class FeedBook;
class MetaRows;
class ModuleListeners;
class SeedRows;
class Statistics;
class VisitLedger;

class Outputs {
 public:
  struct Options {
    ArchiveWriters::Options archive;
    UndoRange undo;
    uint64_t digests_in_memory = 0;
    bool writes_recovery_log = false;
    config::LogSettings logs;
    std::unique_ptr<ModuleListeners> modules;
  };
  // The outputs tell of these, which must outlive them.
  struct Sources {
    const Clock& clock;
    Random& random;
    frontier::UrlLedger& frontier;
    store::SeenSet& seen;
    store::Kv& kv;
    Statistics& statistics;
    frontier::Identity identity = {};
    const url::KeyPolicy& crawl_key;
  };
  Outputs(const collection::Launch& launch, Options options, const Sources& sources);
  ~Outputs();

  // Registers all of them, and opens their streams.
  Result<void> add_to(commit::Committer& committer, VisitLedger& ledger, CrawlEvents& events);

  // Reads what earlier processes of the launch have left; before `add_to`.
  Result<void> load(store::Kv& kv);
  // These count from now on, as far as logs follow them.
  void follow(const config::LogSettings& settings);

  MetaRows& meta();
  SeedRows& seeds();
  ActionProgressRows& action_progress();
  CookieRows& cookies();
  FeedBook& feeds();
  protocols::HostKeys& host_keys();
  ModuleListeners& modules();
  ArchiveWriters& archive();
  // The payloads that the crawl has stored; any thread.
  const dedup::Originals& originals() const;

 private:
  struct All;
  std::unique_ptr<All> all_;
};

}  // namespace caddis::crawl
