// When hosts come into memory, and when they leave it: the due index.

#include <algorithm>

#include "caddis/frontier/host_store.h"

namespace caddis::frontier {

std::optional<WallTime> HostStore::next_due() const {
  if (!has_room()) return std::nullopt;
  if (index_grew_ || caught_up_to_) return clock_.wall();
  return index_next_ && *index_next_ > horizon() ? clock_.wall() : index_next_;
}

WallTime HostStore::horizon() const {
  return clock_.wall() + std::chrono::duration_cast<std::chrono::microseconds>(longest_wait_);
}

Result<std::vector<Host*>> HostStore::take_in(WallTime until, size_t most) {
  std::vector<Host*> taken;
  mind_clock();
  if (caught_up_to_) TRY_VOID(catch_up(taken, most));
  if (!index_grew_ && (!index_next_ || (*index_next_ > until && *index_next_ <= horizon()))) return taken;
  index_grew_ = false;
  index_next_.reset();
  const auto entries = kv_.cursor(families_.due);
  std::unique_ptr<store::Cursor> letters;
  entries->seek(read_to_.empty() ? "" : read_to_ + '\0');
  // Those of hosts in memory are passed over, but not all at once: a visit may wait.
  constexpr size_t kMostLookedAt = 512;
  for (size_t looked_at = 0; entries->valid(); entries->next()) {
    TRY(const DueEntry entry, read_due_key(entries->key()));
    if (looked_at++ == kMostLookedAt) {
      index_next_ = std::min(entry.due, until);
      break;
    }
    const auto known = hosts_.find(std::string(entry.host));
    if (known == hosts_.end()) {
      const bool waits = entry.due > until && entry.due <= horizon();
      if (waits || !has_room() || taken.size() >= most) {
        index_next_ = entry.due;
        break;
      }
      if (letters == nullptr) letters = kv_.cursor(families_.inbox);
      TRY(Host* const host, load(std::string(entry.host), letters.get()));
      if (host->indexed != entry.due) {
        if (host->indexed != WallTime{})
          pending_.erase(families_.due, due_key(host->indexed, host->partition, host->name));
        host->indexed = entry.due;
        mark(*host);
      }
      taken.push_back(host);
    } else if (known->second->indexed != entry.due) {
      pending_.erase(families_.due, std::string(entries->key()));  // of letters that it got before it came in
    }
    read_to_ = entries->key();
    read_to_time_ = std::max(read_to_time_, entry.due);
  }
  TRY_VOID(entries->status());
  index_exhausted_ = !index_next_ && !pending_index_ && index_stages_.empty();
  return taken;
}

// A wall clock that was set back: what was read stays read, but new entries must not wait for the time it showed, and
// hosts outside not for the time that it shows them now.
void HostStore::mind_clock() {
  const WallTime wall = clock_.wall();
  const SteadyTime steady = clock_.steady();
  if (last_wall_ != WallTime{} && (wall - last_wall_) - (steady - last_steady_) < -std::chrono::minutes(1)) {
    set_back_in_ = stage_number_;
    index_grew_ = true;
  }
  last_wall_ = wall;
  last_steady_ = steady;
  if (read_to_time_ <= clock_.wall() + std::chrono::minutes(1)) return;
  read_to_.clear();
  read_to_time_ = {};
  index_grew_ = true;
}

// Takes in hosts whose entries were made before the clock was set back, each once: what they really have to wait for
// is bounded in memory.
Result<void> HostStore::catch_up(std::vector<Host*>& taken, size_t most) {
  const auto entries = kv_.cursor(families_.due);
  entries->seek(*caught_up_to_);
  for (; entries->valid() && has_room() && taken.size() < most; entries->next()) {
    caught_up_to_ = std::string(entries->key()) + '\0';
    TRY(const DueEntry entry, read_due_key(entries->key()));
    Host* host = find(std::string(entry.host));
    const bool was_out = host == nullptr;
    if (was_out) {
      TRY(host, load(std::string(entry.host)));
    }
    if (host->leaving != 0) continue;
    pending_.erase(families_.due, std::string(entries->key()));
    if (host->indexed != WallTime{} && host->indexed != entry.due)
      pending_.erase(families_.due, due_key(host->indexed, host->partition, host->name));
    host->indexed = WallTime{};
    if (host->has_work()) index(*host);
    mark(*host);
    if (was_out) taken.push_back(host);
  }
  TRY_VOID(entries->status());
  if (!entries->valid()) caught_up_to_.reset();
  return {};
}

// Entries are only ever added behind the place up to which the index was read.
WallTime HostStore::index_time(WallTime due) {
  mind_clock();
  return std::max({due, clock_.wall(), read_to_time_ + std::chrono::microseconds(1)});
}

void HostStore::index(Host& host) {
  if (host.indexed != WallTime{}) return;
  host.indexed = index_time(clock_.wall());
  pending_.put(families_.due, due_key(host.indexed, host.partition, host.name), "");
  mark(host);
}

void HostStore::index_anew(Host& host) {
  if (host.indexed != WallTime{}) pending_.erase(families_.due, due_key(host.indexed, host.partition, host.name));
  host.indexed = WallTime{};
  if (host.has_work()) index(host);
}

void HostStore::send_out(Host& host, WallTime due) {
  if (host.leaving != 0) return;
  if (host.indexed != WallTime{}) pending_.erase(families_.due, due_key(host.indexed, host.partition, host.name));
  host.indexed = WallTime{};
  if (host.has_work()) {
    host.indexed = index_time(due);
    pending_.put(families_.due, due_key(host.indexed, host.partition, host.name), "");
    pending_index_ = true;
    index_exhausted_ = false;
  }
  mark(host);
  host.leaving = stage_number_;
  leaving_.emplace_back(stage_number_, host.name);
}

}  // namespace caddis::frontier
