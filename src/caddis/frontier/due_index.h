// The due index: when each host that has URLs waiting is to be loaded. Rows of time and host, read forwards; new
// entries lie behind the place up to which it was read, unless the wall clock was set back: then it is read again, and
// what was put there before is looked at once, as is at a start what stands more than a day ahead.
//
// Belongs to the frontier's thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/frontier/bounded_clock.h"
#include "caddis/frontier/host.h"
#include "caddis/frontier/row_cache.h"
#include "caddis/frontier/rows.h"

namespace caddis::frontier {

class DueIndex {
 public:
  // The fate of an entry: it has been dealt with, or reading stops before it.
  enum class Step : uint8_t { passed, stop };
  using See = std::function<Result<Step>(const DueEntry& entry, std::string_view key)>;

  DueIndex(store::Family family, RowCache& cache, const BoundedClock& clock)
      : family_(family), cache_(cache), clock_(clock) {}
  Result<void> open();

  // When `read` may find an entry that is due; nothing if none is left.
  std::optional<WallTime> next_due() const;
  // True while there may be entries that were not read.
  bool has_more() const { return !exhausted_ || set_back_in_ || caught_up_to_; }
  // A commit is waited for before entries can be read again.
  bool wants_commit() const { return set_back_in_ == cache_.present_stage(); }

  // Such a time was written under a clock that was wrong: what has it is due.
  bool is_beyond_belief(WallTime due) const { return due > clock_.horizon(); }

  // A resident host has an entry from now on, so that a restart finds it; one that it has stays.
  void ensure(Host& host);
  // A host that leaves memory is to be loaded at `due`.
  void insert(Host& host, WallTime due);
  // The same of one that is not resident, at once.
  void insert(uint16_t partition, std::string_view host);
  void erase(Host& host);
  void erase(std::string_view key) { cache_.erase(family_, key); }

  // Calls `see` with the entries that were not read yet, in order, some at each call: up to the first that is due only
  // after `until`.
  Result<void> read(WallTime until, const See& see);
  // The same with entries that were made before the wall clock was set back, each once.
  Result<void> catch_up(const See& see);
  // Calls `see` with the hosts of at most `most` entries from the key `from` on. Returns where to go on, empty at the
  // end.
  Result<std::string> each(std::string_view from, size_t most, const std::function<void(std::string_view host)>& see);

  void stage();
  void committed(uint64_t stage);

 private:
  WallTime time_for(WallTime due);
  void watch_clock();

  store::Family family_;
  RowCache& cache_;
  const BoundedClock& clock_;
  std::string read_to_;  // the index is read up to here …
  WallTime read_to_time_{};
  bool exhausted_ = false;  // … and nothing stands behind it
  std::optional<WallTime> next_;
  bool grew_ = true;  // it is to be read again
  // The wall clock was set back: when this stage is committed, all entries that were made before are in the index …
  std::optional<uint64_t> set_back_in_;
  // … and up to here they have been looked at.
  std::optional<std::string> caught_up_to_;
  std::pair<WallTime, SteadyTime> last_seen_{};  // what the clocks showed last
  bool pending_ = false;                         // entries of hosts that are not resident were put since the last stage
  std::deque<uint64_t> stages_;                  // stages that bring such entries
};

}  // namespace caddis::frontier
