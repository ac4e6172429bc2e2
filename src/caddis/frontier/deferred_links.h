// Links that were found for hosts that are not resident: rows of the inbox, written without reading anything, and taken
// into queues when the host is loaded.
//
// Belongs to the frontier's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/frontier/counters.h"
#include "caddis/frontier/due_index.h"
#include "caddis/frontier/host.h"
#include "caddis/frontier/identity.h"
#include "caddis/frontier/row_cache.h"
#include "caddis/frontier/rows.h"

namespace caddis::frontier {

class DeferredLinks {
 public:
  using See = std::function<Result<void>(const DeferredChunk&)>;

  DeferredLinks(store::Family family, const Identity& identity, RowCache& cache, Counters& counters, DueIndex& index)
      : family_(family), identity_(identity), cache_(cache), counters_(counters), index_(index) {}

  // A chunk of so many URLs waits for the host, which is to be loaded for it.
  void put(const std::string& host, const DeferredChunk& chunk, uint64_t urls);
  // Calls `see` with each chunk of a host that has been loaded, and erases them. Returns how many there were. `rows`
  // may be given: a cursor that was made since the last commit.
  Result<uint64_t> claim(const Host& host, const See& see, store::Cursor* rows = nullptr);
  // The same of any host, without taking them.
  Result<void> each(const std::string& host, const See& see) const;
  bool empty() const { return counters_.totals().deferred == 0; }
  // A cursor for `claim`.
  std::unique_ptr<store::Cursor> cursor() { return cache_.kv().cursor(family_); }

 private:
  // Hosts that are not resident and have an entry in the due index for their links, by hash, as many as its places
  // hold: whoever is forgotten gets a second entry, which is dropped when it is read. Made when it is needed.
  class IndexedHosts {
   public:
    // Whether it was not there.
    bool insert(uint64_t hash) {
      if (places_.empty()) places_.resize(kPlaces);
      return std::exchange(places_[hash % kPlaces], hash) != hash;
    }
    void erase(uint64_t hash) {
      if (!places_.empty() && places_[hash % kPlaces] == hash) places_[hash % kPlaces] = 0;
    }

   private:
    static constexpr size_t kPlaces = 1 << 20;
    std::vector<uint64_t> places_;
  };
  uint64_t hash(std::string_view host) const;

  store::Family family_;
  Identity identity_;
  RowCache& cache_;
  Counters& counters_;
  DueIndex& index_;
  IndexedHosts indexed_;
};

}  // namespace caddis::frontier
