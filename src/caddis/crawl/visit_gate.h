// May a visit begin, and if not, why? One answer for all who ask: the dispatcher, the clocks of silence and idleness,
// action files, the status.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "caddis/crawl/lifecycle.h"

namespace caddis::commit {
class Committer;
}  // namespace caddis::commit

namespace caddis::crawl {

class LanePool;
class LimitEnforcer;
class LoadGovernor;
struct CrawlState;

// Why no visit begins. Several may hold; the first is the one that people are told.
enum class Hold : uint8_t {
  unwritable,     // a group cannot be written
  no_lane,        // every lane stands still
  limit,          // paused at a limit
  importing,      // a recovery log is being imported
  disk,           // less than min-free-space is left
  backlog,        // finished visits wait for the disk
  memory,         // the process has what it may use
  seen,           // the set of known URLs waits for the disk
  paused,         // by an operator
  ending,         // the crawl stops, or has ended
  visits,         // as many as may be in flight are
  last_documents  // what is in flight may be all that max-documents leaves
};

struct HoldWords {
  Hold hold;
  std::string_view sentence;  // for people; empty if `VisitGate::sentence` words it, or nobody needs to be told
  bool stops_clocks;          // time in which it holds counts neither as silence nor as idle
  bool keeps_actions;         // nothing of an action file is applied meanwhile
};
// The row of the table.
const HoldWords& words_of(Hold hold);

// A set of reasons.
class Holds {
 public:
  constexpr Holds() = default;
  constexpr Holds(std::initializer_list<Hold> holds) {
    for (const Hold hold : holds) add(hold);
  }
  constexpr void add(Hold hold, bool holds = true) { bits_ |= holds ? bit(hold) : 0u; }
  constexpr bool any() const { return bits_ != 0; }
  constexpr bool has(Hold hold) const { return (bits_ & bit(hold)) != 0; }
  // Whether there are some, and all of them are among `others`.
  constexpr bool are_only(Holds others) const { return any() && (bits_ & ~others.bits_) == 0; }
  // Only if there are any.
  Hold first() const;
  bool stop_clocks() const;
  bool keep_actions() const;

 private:
  static constexpr unsigned bit(Hold hold) { return 1u << static_cast<unsigned>(hold); }
  unsigned bits_ = 0;
};

// The conditions under which a visit may begin, or not.
struct VisitConditions {
  RunState state = RunState::running;
  bool is_at_limit = false;   // paused there
  bool is_importing = false;  // a recovery log
  bool is_writable = true;    // groups reach the disk
  bool has_lane = true;       // that does not stand still
  bool has_disk = true;       // min-free-space is left
  bool has_memory = true;     // of memory.total
  bool is_seen_behind = false;
  uint64_t backlog = 0, most_backlog = UINT64_MAX;  // bytes of finished visits
  uint64_t visiting = 0, most_visiting = UINT64_MAX;
  uint64_t lanes = 1;
  uint64_t documents = 0, most_documents = 0;  // 0: as many as there are
};
// Empty if a visit may begin.
Holds holds_under(const VisitConditions& conditions);

class VisitGate {
 public:
  // All of it must outlive the gate.
  VisitGate(const CrawlState& state, const Lifecycle& lifecycle, const commit::Committer& committer,
            const LanePool& lanes, const LoadGovernor& load, const LimitEnforcer& limits)
      : state_(state), lifecycle_(lifecycle), committer_(committer), lanes_(lanes), load_(load), limits_(limits) {}

  // Why no visit may begin now. Empty if one may.
  Holds holds() const;
  // Why it may not, for people. Empty if it may, or no more is to be said than the state of the crawl.
  std::string sentence(Holds holds) const;

 private:
  const CrawlState& state_;
  const Lifecycle& lifecycle_;
  const commit::Committer& committer_;
  const LanePool& lanes_;
  const LoadGovernor& load_;
  const LimitEnforcer& limits_;
};

}  // namespace caddis::crawl
