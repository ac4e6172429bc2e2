// A walk over the URLs that wait: chunks, then retries, deferred links, and what a module holds, each by key; all of
// them, or a part from a cursor on. Nothing changes by it.
//
// Belongs to the frontier's thread.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/frontier/inspection.h"
#include "caddis/frontier/storage.h"

namespace caddis::frontier {

class WaitingWalk {
 public:
  // Is called with each URL; false: stop before it.
  using See = std::function<bool(const WaitingUrl&)>;

  // `host`: walks over its URLs alone; empty: over all.
  WaitingWalk(Storage& storage, const Identity& identity, WallTime now, const std::string& host, See see);

  // Begins where a walk before has stopped. ErrorCode::not_found if the place no longer holds; if `moved` is given, the
  // walk begins at the next place that does, and it is set.
  Result<void> start_at(const std::string& cursor, bool* moved = nullptr);
  // Reads at most so many rows.
  Result<void> run(size_t rows = std::numeric_limits<size_t>::max());
  // Is asked before each row but the first: whether it is enough for now.
  void stop_if(std::function<bool()> is_enough) { is_enough_ = std::move(is_enough); }
  // The key of the row that is being seen.
  const std::string& key() const { return place_.key; }
  // It goes on with that chunk, if it is past it.
  void go_back_to(const std::string& chunk);
  // It has stopped before the end.
  bool has_stopped() const { return stopped_; }
  // The place to go on from. After a deletion what stood there may have gone with it: the place is where the next one
  // stands.
  std::string cursor() const;
  std::string cursor_after_deletion() const;

 private:
  // Kind of row, its key, the URL in it.
  struct Place {
    size_t kind = 0;
    std::string key;
    size_t item = 0;
  };
  struct Cursor {
    Place place;
    uint64_t edits = 0;
    bool is_of_deletion = false;
  };
  static std::optional<Cursor> parse(const std::string& cursor);
  store::Family family(size_t kind) const;
  Result<bool> stands(const Place& place) const;
  Result<bool> see_row(std::string_view key, std::string_view value);
  Result<const Host*> host_of(std::string_view name);
  Result<void> see_chunk(std::string_view key, std::string_view value);
  Result<void> see_retry(std::string_view key, std::string_view value);
  Result<void> see_deferred(std::string_view value, const char* where);
  void see_items(std::vector<Candidate> items, size_t first, WaitingUrl url);

  Storage& storage_;
  WallTime now_;
  std::string prefix_;  // of the keys of all rows
  See see_;
  Place place_;
  size_t rows_left_ = 0;
  std::function<bool()> is_enough_;
  bool has_read_ = false;  // a row, in this run
  bool stopped_ = false;
  Host outside_;  // the one whose row was read last
};

}  // namespace caddis::frontier
