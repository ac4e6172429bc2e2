// Which hosts are resident, and how the others are found. Resident are hosts that are being visited or soon will be, at
// most a number that the memory allows. The others are a row each; those that have URLs waiting stand in the due index
// and are loaded when it is their turn and there is room. So ten million hosts cost disk, and memory for those at work.
//
// A host leaves memory only when its row is committed. A host with work has an entry in the due index; there may be
// entries without work, which are dropped when their turn comes.
//
// Belongs to the frontier's thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/frontier/counters.h"
#include "caddis/frontier/due_index.h"
#include "caddis/frontier/host.h"
#include "caddis/frontier/host_rows.h"
#include "caddis/frontier/identity.h"

namespace caddis::frontier {

class HostTable {
 public:
  // `most` hosts are resident, more if they are asked for by name.
  HostTable(const Identity& identity, size_t most, HostRows& rows, DueIndex& index, Counters& counters)
      : identity_(identity), most_(most), rows_(rows), index_(index), counters_(counters) {}

  // Null if it is not resident. It may be about to leave: then `keep` it if it is to be used.
  Host* find(const std::string& name) const;
  // Whether it was about to leave; now it stays.
  static bool keep(Host& host) { return std::exchange(host.residence.evicted, 0) != 0; }
  // Reads a host that is not resident, or makes a new one, also beyond the limit.
  Result<Host*> load(const std::string& name);
  // Loads hosts whose entry in the due index is due at `until`, while there is room, at most `most`.
  Result<std::vector<Host*>> load_due(WallTime until, size_t most);
  // When `load_due` may have one; nothing if all that have work are resident, or there is no room.
  std::optional<WallTime> next_due() const { return has_room() ? index_.next_due() : std::nullopt; }
  // Takes the host out of memory as soon as its row is committed. It has no visit, and none of its queues waits in
  // memory. `due`: when it is to be loaded again, if it has work.
  void evict(Host& host, WallTime due);
  size_t evicting() const { return evicting_.size(); }
  // Whatever the host has to do from now on will not be forgotten.
  void ensure_indexed(Host& host);
  // Hosts are to leave, and no stage holds their rows yet.
  bool wants_commit() const;
  void committed(uint64_t stage);

  bool has_room() const { return hosts_.size() < most_; }
  // True while there may be hosts with work that are not resident.
  bool has_more() const { return index_.has_more(); }
  size_t size() const { return hosts_.size(); }
  void each(const std::function<void(Host&)>& see) const;

  // The queue of that origin; made if there is none.
  Queue& queue_of(Host& host, const std::string& origin);
  // Hosts of the registrable domain of `host` that were met, the one that has its name apart.
  Result<uint64_t> hosts_of_domain(std::string_view host) const;

  // --- hosts that are not resident
  // A host with that name and its partition, to be read into.
  Host blank(std::string_view name) const;
  // Calls `see` with each, from the key `from` on ("": the first), of `most` rows. Returns the key to go on from, empty
  // at the end.
  Result<std::string> each_outside(const std::function<void(Host&)>& see, std::string_view from, size_t most) const;
  // The names of those that have an entry in the due index, in the same way by their entries.
  Result<std::string> indexed_outside(std::vector<std::string>& names, std::string_view from, size_t most) const;

 private:
  Result<void> count_domain(std::string_view host);
  Result<DueIndex::Step> load_entry(const DueEntry& entry, std::string_view key, std::vector<Host*>& loaded);
  Result<DueIndex::Step> reload_entry(const DueEntry& entry, std::string_view key, std::vector<Host*>& loaded);

  Identity identity_;
  size_t most_;
  HostRows& rows_;
  DueIndex& index_;
  Counters& counters_;
  std::unordered_map<std::string, std::unique_ptr<Host>> hosts_;
  std::deque<std::pair<uint64_t, std::string>> evicting_;  // by the stage that holds their rows
};

}  // namespace caddis::frontier
