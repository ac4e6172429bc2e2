// Everything that the frontier holds, and the rows behind it: what is resident, what waits, what is counted.
//
// Belongs to the frontier's thread. Rows leave for the disk with the frontier's `stage` alone.
#pragma once

#include <cstdint>

#include "caddis/base/error.h"
#include "caddis/frontier/bounded_clock.h"
#include "caddis/frontier/counters.h"
#include "caddis/frontier/deferred_links.h"
#include "caddis/frontier/due_index.h"
#include "caddis/frontier/host_rows.h"
#include "caddis/frontier/host_table.h"
#include "caddis/frontier/identity.h"
#include "caddis/frontier/origin_counts.h"
#include "caddis/frontier/queue_contents.h"
#include "caddis/frontier/row_cache.h"

namespace caddis::frontier {

struct Storage {
  Storage(const Families& families, store::Kv& kv, const Identity& identity, size_t most_hosts,
          const BoundedClock& clock)
      : cache(kv),
        rows(families, cache, clock),
        index(families.due, cache, clock),
        deferred(families.inbox, identity, cache, counters, index),
        table(identity, most_hosts, rows, index, counters),
        contents(rows, table, counters, clock) {}
  Storage(const Storage&) = delete;

  // Reads the totals, nothing else.
  Result<void> open() {
    TRY(const auto row, cache.kv().get(rows.families().totals, kTotalsKey));
    TRY_VOID(counters.load(row));
    TRY_VOID(origins.load(cache.kv(), rows.families().totals));
    return index.open();
  }
  // Adds all changes since the last call to `batch`; returns the number of the stage.
  uint64_t stage(store::Batch& batch) {
    rows.stage();
    if (const auto row = counters.stage()) cache.put(rows.families().totals, kTotalsKey, *row);
    index.stage();
    origins.stage(batch, rows.families().totals);
    return cache.stage(batch);
  }
  // Hosts are let go last: the others still look at them.
  void committed(uint64_t stage) {
    cache.committed(stage);
    rows.committed(stage);
    index.committed(stage);
    table.committed(stage);
  }

  RowCache cache;
  Counters counters;
  OriginCounts origins;
  HostRows rows;
  DueIndex index;
  DeferredLinks deferred;
  HostTable table;
  QueueContents contents;
};

}  // namespace caddis::frontier
