// Whether a crawl is over, or only waits for visits that nobody may ever end.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

namespace caddis::commit {
class Committer;
}  // namespace caddis::commit

namespace caddis::crawl {

class ActionDirectory;
class FeedWatch;
class LanePool;
class Lifecycle;
class LimitEnforcer;
class SeedIntake;
class VisitGate;
struct CrawlState;

class Completion {
 public:
  struct Parts {
    const CrawlState& state;
    const Lifecycle& lifecycle;
    const commit::Committer& committer;
    const LanePool& lanes;
    const LimitEnforcer& limits;
    const VisitGate& gate;
    const std::unique_ptr<ActionDirectory>& actions;  // null if there is none
    const std::unique_ptr<SeedIntake>& seeds;         // null if no list is left
    const FeedWatch& feeds;
  };
  // All of it must outlive this.
  explicit Completion(Parts parts) : parts_(parts) {}

  // No visit is in flight that is waited for, and none will be.
  bool is_over() const;
  // Visits of lanes that stand still are not waited for any more.
  void give_up_held_visits() { gives_up_held_ = true; }
  // No URL is visited or waits for its time, but for those that lanes that stand still have, or hold up.
  bool only_held_visits_left() const;
  // Before a crawl ends because nothing is left, it looks whether an operator has more for it. Whether it does.
  bool looks_once_more();

 private:
  bool takes_actions() const;
  bool takes_seeds() const;

  const Parts parts_;
  bool gives_up_held_ = false;
  std::optional<uint64_t> files_at_last_look_;  // that had been taken from the action directory
};

}  // namespace caddis::crawl
