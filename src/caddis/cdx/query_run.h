// Runs a query, a capture at a time and with a bound on what is read before it stands still: results are sent while
// they are found, however many there are, and a search of millions of lines goes on in slices between which others get
// their turn. Its memory does not grow with the index:
//
//   in order of the index, and latest first    a line of each source
//   nearest first, of one URL                  outwards from the place, both ways at once
//   where order depends on the whole           up to `held` captures (see query.h), from one pass over all
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <memory>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/query.h"

namespace caddis::cdx {

class QueryRun {
 public:
  enum class Found { capture, nothing_yet, end };

  // `held`: how many captures may be held to be ordered, and of how many the digests are remembered for revisits.
  // ErrorCode::limit where a limit larger than that was asked for and captures have to be held. `query` is copied.
  static Result<QueryRun> start(CaptureIndex& index, const Query& query, uint64_t held);
  QueryRun(QueryRun&&) noexcept;
  QueryRun& operator=(QueryRun&&) noexcept;
  ~QueryRun();

  // The next capture of the result. What it reads it takes from `budget` (bytes); nothing_yet once that is used up.
  Result<Found> next(Capture& capture, uint64_t& budget);
  const Query& query() const;
  // How many lines it has passed over so far, since they cannot be parsed. Outlives the run, and moves with it.
  std::shared_ptr<const uint64_t> broken_lines() const;

  class Order;

 private:
  struct State;
  explicit QueryRun(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// What a server lets one query hold, and read in one slice (a millisecond).
inline constexpr uint64_t kServedHeld = 2'000;
inline constexpr uint64_t kServedSlice = 64 * 1024;

// The whole result; for what is known to be small.
Result<std::vector<Capture>> run_query(CaptureIndex& index, const Query& query);

}  // namespace caddis::cdx
