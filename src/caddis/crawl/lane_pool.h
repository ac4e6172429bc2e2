// The lanes of a crawl, and which visit each of them has. A visit goes to the lane of its partition, or to the next one
// that does not stand still. A lane that stands still at the end is left behind: its thread cannot be joined.
//
// Belongs to the crawl's loop.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "caddis/aio/event.h"
#include "caddis/aio/task.h"
#include "caddis/crawl/lane_watch.h"
#include "caddis/crawl/settings_snapshot.h"
#include "caddis/visit/lane.h"

namespace caddis::process {
class Programs;
}
namespace caddis::documents {
class Reader;
}

namespace caddis::logins {
class Authorizer;
}

namespace caddis::protocols {
class HostKeys;
}

namespace caddis::crawl {

struct CrawlState;
struct KnownCaptures;
struct LaneTotals;
struct World;

class LanePool {
 public:
  // `changed` is notified when a lane is drained.
  using Done = std::function<void(std::vector<visit::VisitResult>)>;
  LanePool(aio::Loop& loop, aio::Event& changed);
  ~LanePool();

  struct Options {
    Random& random;  // seeds the lanes'
    visit::HostPermits& permits;
    const dedup::Originals& own;           // the crawl's payloads; must outlive the lanes
    cookies::CookieJar& cookies;           // must outlive the lanes
    protocols::HostKeys& host_keys;        // must outlive the lanes
    archive::CrawlDictionary* dictionary;  // null if there is none; must outlive the lanes
    std::vector<std::string>& notices;     // what people should know
  };
  // Makes the lanes. `done` is called on the crawl's loop with visits that have ended.
  Result<void> open(const World& world, CrawlState& state, Options options, Done done);
  size_t size() const { return lanes_.size(); }

  // Whether any lane can take a visit.
  bool has_one() const { return watch_->lane_for(0).has_value(); }
  // Only if one can. It is visited with the next `send`.
  void assign(frontier::Lease lease);
  // Gives each lane what it was assigned, as one message.
  void send();
  // The visit has come back.
  void visit_ended(uint64_t lease) { watch_->end(lease); }
  // Visits of lanes that do not stand still, and of those that do.
  uint64_t visiting() const { return watch_->visits() - watch_->held(); }
  uint64_t held() const { return watch_->held(); }
  // Bytes of responses so far.
  uint64_t received() const;
  // The visits that run, those that have run longest first. Those of lanes that stand still are left out.
  aio::Task<std::vector<visit::RunningVisit>> running_visits();
  // Each step of each pipeline, and the binary documents of each format.
  LaneTotals totals() const;
  // Ends the visit of an ordinary URL. ErrorCode::conflict if its lane stands still.
  Result<void> end_visit(uint64_t lease, std::string_view url);
  // Records may be packed at more cost.
  void set_processors_idle(bool idle) { processors_idle_.store(idle, std::memory_order_relaxed); }
  // The proxies of the lanes; more of them may be learned.
  fetch::Proxies& proxies() { return *proxies_; }
  // So much of the disk is to stay free.
  void keep_free(int64_t bytes) { spools_->keep_free(static_cast<uint64_t>(bytes)); }

  // To be called once a second. Returns which lanes stand still since, or are back.
  std::vector<LaneWatch::Change> look(SteadyTime now) { return watch_->look(now); }
  std::vector<StandingLane> standing(SteadyTime now) const { return watch_->standing(now); }

  // Ends fetches in flight: their visits come back as not tried.
  void abort();
  // Waits for the visits of all lanes that come back to their loops. The others are left behind.
  aio::Task<void> drain();
  bool has_left_any() const { return has_left_any_; }
  bool has_left(size_t lane) const { return has_left_any_ && !drained_[lane]; }

 private:
  std::atomic<bool> processors_idle_ = false;
  aio::Loop& loop_;
  aio::Event& changed_;
  std::shared_ptr<const SettingsSnapshot> at_start_;  // the lanes go by these in what is the same for all sites
  std::unique_ptr<io::SpoolFolder> spools_;
  std::unique_ptr<fetch::Proxies> proxies_;
  std::unique_ptr<logins::Authorizer> authorizer_;
  std::unique_ptr<KnownCaptures> known_;
  // The lanes have these work in processes of their own.
  struct Helpers {
    std::unique_ptr<documents::Reader> documents;
    std::unique_ptr<process::Programs> programs;
  };
  Helpers helpers_;
  std::unique_ptr<visit::VisitContext> context_;
  std::vector<std::unique_ptr<visit::Lane>> lanes_;
  std::vector<std::vector<frontier::Lease>> assigned_;  // as `lanes_`
  std::unique_ptr<LaneWatch> watch_;
  std::vector<bool> drained_;  // as `lanes_`
  bool has_left_any_ = false;
};

}  // namespace caddis::crawl
