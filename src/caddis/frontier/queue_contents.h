// The URLs of a queue: which is the next one, what is taken out and put back, what is appended, moved and deleted.
//
// A URL is in exactly one place: a chunk at or behind the cursor of its class, or a retry row. Belongs to the
// frontier's thread. Errors: what is missing or damaged is ErrorCode::corrupt.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "caddis/base/error.h"
#include "caddis/frontier/candidate.h"
#include "caddis/frontier/counters.h"
#include "caddis/frontier/host_rows.h"
#include "caddis/frontier/host_table.h"
#include "caddis/frontier/lease_table.h"

namespace caddis::frontier {

// Which URLs are to be deleted, and who is told.
struct Erasure {
  std::function<bool(const Candidate&)> match = nullptr;  // none: all
  std::function<void(const Candidate&, const std::string& host)> gone = nullptr;
};

class QueueContents {
 public:
  QueueContents(HostRows& rows, HostTable& table, Counters& counters, const BoundedClock& clock)
      : rows_(rows), table_(table), counters_(counters), clock_(clock) {}

  // Appends a chunk of so many URLs.
  void append(Queue& queue, PriorityClass priority, std::string chunk, uint64_t urls);

  // --- visits
  struct Front {
    RetryRow row;  // one that is no retry is as if it were its first try
    UrlPlace place;
  };
  // The next URL. `at_once`: retries that are not due, too.
  Result<Front> front(Queue& queue, bool at_once);
  // Takes the URL of a visit out of its class, so that others may be visited meanwhile: its place is a retry row then.
  void set_out(Queue& queue, UrlPlace& place, const Candidate& candidate);
  // The visit of a URL that was set out has ended: it stands among the retries again.
  static void bring_in(Queue& queue, const UrlPlace& place);
  // The URL was visited for the last time.
  void consume(Queue& queue, const UrlPlace& place);
  // The URL is to be visited again after `wait`.
  void put_back(Queue& queue, const UrlPlace& place, Duration wait, const RetryRow& row);

  // --- changes of what waits
  // All URLs that match, but the one that is being visited; how many there were.
  Result<uint64_t> erase(Queue& queue, const Erasure& erasure, const OpenLease* visiting);
  // A chunk of a class.
  struct ChunkPlace {
    PriorityClass priority = 0;
    uint64_t number = 0;
    friend auto operator<=>(const ChunkPlace&, const ChunkPlace&) = default;
  };
  struct ErasedRows {
    uint64_t urls = 0;
    std::optional<ChunkPlace> refilled;  // the first of those whose place another one has taken
  };
  // The same of these chunks, and of retries if it is asked for: the others are not read. The last chunk of its class
  // takes the place of one of which nothing is left.
  Result<ErasedRows> erase_rows(Queue& queue, const std::set<ChunkPlace>& chunks, bool retries, const Erasure& erasure,
                                const OpenLease* visiting);
  // Retries after a failure are due now; whether any was not.
  Result<bool> retry_now(Queue& queue);
  struct Reclassified {
    size_t urls = 0;       // in the chunk
    bool is_gone = false;  // nothing is left of it: another chunk of the class may have its number
  };
  // Moves the URLs of a chunk for which `priority_of` says a better class than its own.
  Result<Reclassified> reclassify(Queue& queue, ClassChunks& chunks, uint64_t number,
                                  const std::function<PriorityClass(const std::string& url)>& priority_of);

 private:
  Result<void> open_class(Queue& queue, ClassChunks& chunks);
  void advance(Queue& queue, PriorityClass priority);
  void take_out(Queue& queue, const UrlPlace& place);
  Result<uint64_t> erase_chunks(Queue& queue, ClassChunks& chunks, const Erasure& erasure, bool first_is_out);
  Result<void> erase_of_chunk(Queue& queue, const ChunkPlace& place, const Erasure& erasure, bool first_is_out,
                              ErasedRows& erased);
  Result<uint64_t> erase_retries(Queue& queue, const Erasure& erasure);
  static void drop_chunk(ClassChunks& chunks, uint64_t number, ChunkBytes last);

  HostRows& rows_;
  HostTable& table_;
  Counters& counters_;
  const BoundedClock& clock_;
};

}  // namespace caddis::frontier
