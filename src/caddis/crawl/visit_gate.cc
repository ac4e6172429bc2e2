#include "caddis/crawl/visit_gate.h"

#include <array>
#include <bit>

#include "caddis/base/check.h"
#include "caddis/commit/committer.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/lane_pool.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/limit_enforcer.h"
#include "caddis/crawl/load_governor.h"

namespace caddis::crawl {
namespace {

constexpr auto kWords = std::to_array<HoldWords>({
    {Hold::unwritable, "", true, true},
    {Hold::no_lane, "every lane stands still: stop the crawl, and resume it", false, false},
    {Hold::limit, "", true, false},
    {Hold::importing, "the recovery log is being taken over", true, false},
    {Hold::disk, "the disk is almost full", true, true},
    {Hold::backlog, "the disk is slower than the crawl", false, false},
    {Hold::memory, "the memory that it may use is full", false, false},
    {Hold::seen, "the set of known URLs is being written to disk", false, true},
    {Hold::paused, "", true, false},
    {Hold::ending, "", true, true},
    {Hold::visits, "", false, false},
    {Hold::last_documents, "", false, false},
});

template <class Flag>
constexpr Holds flagged(Flag flag) {
  Holds holds;
  for (const HoldWords& words : kWords) holds.add(words.hold, words.*flag);
  return holds;
}

constexpr bool is_in_order() {
  for (size_t i = 0; i < kWords.size(); ++i)
    if (static_cast<size_t>(kWords[i].hold) != i) return false;
  return true;
}
static_assert(is_in_order());

}  // namespace

const HoldWords& words_of(Hold hold) { return kWords[static_cast<size_t>(hold)]; }

Hold Holds::first() const {
  CADDIS_CHECK(any());
  return static_cast<Hold>(std::countr_zero(bits_));
}

bool Holds::stop_clocks() const {
  static constexpr Holds kStop = flagged(&HoldWords::stops_clocks);
  return (bits_ & kStop.bits_) != 0;
}

bool Holds::keep_actions() const {
  static constexpr Holds kKeep = flagged(&HoldWords::keeps_actions);
  return (bits_ & kKeep.bits_) != 0;
}

// Without memory only so many visits go on that the crawl does not stand still.
Holds holds_under(const VisitConditions& now) {
  Holds holds;
  holds.add(Hold::unwritable, !now.is_writable);
  holds.add(Hold::no_lane, !now.has_lane);
  holds.add(Hold::limit, now.is_at_limit);
  holds.add(Hold::importing, now.is_importing);
  holds.add(Hold::disk, !now.has_disk);
  holds.add(Hold::backlog, now.backlog >= now.most_backlog);
  holds.add(Hold::memory, !now.has_memory && now.visiting >= now.lanes);
  holds.add(Hold::seen, now.is_seen_behind);
  holds.add(Hold::paused, now.state == RunState::paused);
  holds.add(Hold::ending, now.state == RunState::stopping || now.state == RunState::ended);
  holds.add(Hold::visits, now.visiting >= now.most_visiting);
  holds.add(Hold::last_documents, now.most_documents != 0 && now.documents + now.visiting >= now.most_documents);
  return holds;
}

Holds VisitGate::holds() const {
  VisitConditions now;
  now.state = lifecycle_.state();
  now.is_at_limit = !lifecycle_.paused_at().empty();
  now.is_importing = lifecycle_.is_importing();
  now.is_writable = committer_.trouble().empty();
  now.has_lane = lanes_.has_one();
  now.has_disk = !load_.is_disk_low();
  now.has_memory = load_.has_memory();
  now.is_seen_behind = state_.seen.is_behind();
  now.backlog = committer_.backlog();
  now.most_backlog = state_.settings.memory().finished;
  now.visiting = lanes_.visiting();
  now.most_visiting = load_.max_visits();
  now.lanes = lanes_.size();
  now.documents = state_.statistics.documents();
  now.most_documents = limits_.runs_dry() ? 0 : static_cast<uint64_t>(state_.settings.now().limits.max_documents);
  return holds_under(now);
}

std::string VisitGate::sentence(Holds holds) const {
  if (!holds.any()) return {};
  const Hold first = holds.first();
  if (first == Hold::unwritable) return committer_.trouble();
  if (first == Hold::limit) return lifecycle_.paused_at() + ": raise that limit and resume, or stop the crawl";
  return std::string(words_of(first).sentence);
}

}  // namespace caddis::crawl
