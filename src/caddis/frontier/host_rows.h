// The rows of hosts and of what waits there, read and written: hosts, chunks, retries, robots.txt. What changes is
// pending in the RowCache; a chunk that is not committed stays with its queue, and is answered from there.
//
// Belongs to the frontier's thread. Errors: what is missing or damaged is ErrorCode::corrupt.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/frontier/bounded_clock.h"
#include "caddis/frontier/host.h"
#include "caddis/frontier/row_cache.h"
#include "caddis/frontier/rows.h"

namespace caddis::frontier {

// The families of the key-value store that the frontier owns.
struct Families {
  store::Family hosts, chunks, retries, robots, inbox, due, totals, held;
};

class HostRows {
 public:
  HostRows(const Families& families, RowCache& cache, const BoundedClock& clock)
      : families_(families), cache_(cache), clock_(clock) {}

  const Families& families() const { return families_; }
  RowCache& cache() { return cache_; }

  // --- hosts
  // Fills in a host that has name and partition from its row. False if there is none.
  Result<bool> read(Host& host);
  // The same with the keys of its retries and its robots.txt.
  Result<bool> read_whole(Host& host);
  // The same from the bytes of its row, without robots.txt.
  Result<void> read_from(std::string_view row, Host& host);
  // The host's row is written with the next stage.
  void mark_dirty(Host& host);

  // --- what waits
  void put_chunk(Queue& queue, PriorityClass priority, std::string bytes);
  Result<ChunkBytes> chunk(const Queue& queue, const ClassChunks& chunks, uint64_t number);
  RetryKey put_retry(Queue& queue, WallTime due, const RetryRow& row);
  Result<RetryRow> retry(const Queue& queue, const RetryKey& key);
  void erase_retry(Queue& queue, const RetryKey& key);
  void put_robots(Queue& queue, std::string_view text);
  // Calls `see` for each row with that prefix from the key `from` on, those not committed included.
  Result<void> each_from(store::Family family, std::string_view prefix, std::string_view from,
                         const RowCache::See& see);

  // Hands the rows of all dirty hosts, and of their chunks, to the cache.
  void stage();
  void committed(uint64_t stage);

 private:
  Result<HostRow> parse(std::string_view bytes, Host& host) const;
  Result<void> read_retries(Host& host, const std::vector<uint64_t>& counts);
  Result<void> read_robots(Host& host);
  void add_uncommitted_chunks(RowCache::Rows& rows, std::string_view prefix) const;
  void stage_host(Host& host);
  void stage_chunks(Host& host);
  void fetch_ahead(size_t index) const;

  Families families_;
  RowCache& cache_;
  const BoundedClock& clock_;
  std::vector<Host*> dirty_;
  std::deque<std::pair<uint64_t, Host*>> staged_chunks_;  // hosts with chunks that may not be in the store yet
};

}  // namespace caddis::frontier
