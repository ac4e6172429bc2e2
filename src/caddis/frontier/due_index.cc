#include "caddis/frontier/due_index.h"

#include <algorithm>

namespace caddis::frontier {

Result<void> DueIndex::open() {
  // An entry further ahead than this may have been put there by a clock that was wrong.
  constexpr auto kFarAhead = std::chrono::hours(24);
  const auto entries = cache_.kv().cursor(family_);
  std::string far = due_key(clock_.wall() + kFarAhead, 0, "");
  entries->seek(far);
  if (entries->valid()) caught_up_to_ = std::move(far);
  return entries->status();
}

std::optional<WallTime> DueIndex::next_due() const {
  if (grew_ || caught_up_to_) return clock_.wall();
  return next_ && *next_ > clock_.horizon() ? clock_.wall() : next_;
}

void DueIndex::ensure(Host& host) {
  if (host.residence.indexed != WallTime{}) return;
  host.residence.indexed = time_for(clock_.wall());
  cache_.put(family_, due_key(host.residence.indexed, host.partition, host.name), "");
}

void DueIndex::insert(Host& host, WallTime due) {
  host.residence.indexed = time_for(due);
  cache_.put(family_, due_key(host.residence.indexed, host.partition, host.name), "");
  pending_ = true;
  exhausted_ = false;
}

void DueIndex::insert(uint16_t partition, std::string_view host) {
  cache_.put(family_, due_key(time_for(clock_.wall()), partition, host), "");
  pending_ = true;
  exhausted_ = false;
}

void DueIndex::erase(Host& host) {
  WallTime& indexed = host.residence.indexed;
  if (indexed != WallTime{}) erase(due_key(indexed, host.partition, host.name));
  indexed = WallTime{};
}

// Entries are only ever added behind the place up to which the index was read.
WallTime DueIndex::time_for(WallTime due) {
  watch_clock();
  return std::max({due, clock_.wall(), read_to_time_ + std::chrono::microseconds(1)});
}

// Entries read before a wall clock was set back stay read, but new entries must not wait for the time it showed, and
// hosts that are not resident not for the time that it shows them now.
void DueIndex::watch_clock() {
  const WallTime wall = clock_.wall();
  const SteadyTime steady = clock_.steady();
  const auto [last_wall, last_steady] = last_seen_;
  if (last_wall != WallTime{} && (wall - last_wall) - (steady - last_steady) < -std::chrono::minutes(1)) {
    set_back_in_ = cache_.present_stage();
    grew_ = true;
  }
  last_seen_ = {wall, steady};
  if (read_to_time_ <= wall + std::chrono::minutes(1)) return;
  read_to_.clear();
  read_to_time_ = {};
  grew_ = true;
}

Result<void> DueIndex::read(WallTime until, const See& see) {
  watch_clock();
  if (!grew_ && (!next_ || (*next_ > until && *next_ <= clock_.horizon()))) return {};
  grew_ = false;
  next_.reset();
  const auto entries = cache_.kv().cursor(family_);
  entries->seek(read_to_.empty() ? "" : read_to_ + '\0');
  // Not all at once: entries of resident hosts are many, and a visit may wait.
  constexpr size_t kMostInspected = 512;
  for (size_t inspected = 0; entries->valid(); entries->next()) {
    TRY(const DueEntry entry, read_due_key(entries->key()));
    if (inspected++ == kMostInspected) {
      next_ = std::min(entry.due, until);
      break;
    }
    TRY(const Step step, see(entry, entries->key()));
    if (step == Step::stop) {
      next_ = entry.due;
      break;
    }
    read_to_ = entries->key();
    read_to_time_ = std::max(read_to_time_, entry.due);
  }
  TRY_VOID(entries->status());
  exhausted_ = !next_ && !pending_ && stages_.empty();
  return {};
}

Result<void> DueIndex::catch_up(const See& see) {
  watch_clock();
  if (!caught_up_to_) return {};
  const auto entries = cache_.kv().cursor(family_);
  entries->seek(*caught_up_to_);
  for (; entries->valid(); entries->next()) {
    TRY(const DueEntry entry, read_due_key(entries->key()));
    TRY(const Step step, see(entry, entries->key()));
    if (step == Step::stop) break;
    caught_up_to_ = std::string(entries->key()) + '\0';
  }
  TRY_VOID(entries->status());
  if (!entries->valid()) caught_up_to_.reset();
  return {};
}

Result<std::string> DueIndex::each(std::string_view from, size_t most,
                                   const std::function<void(std::string_view host)>& see) {
  const auto entries = cache_.kv().cursor(family_);
  for (entries->seek(from); entries->valid(); entries->next()) {
    if (most-- == 0) return std::string(entries->key());
    TRY(const DueEntry entry, read_due_key(entries->key()));
    see(entry.host);
  }
  TRY_VOID(entries->status());
  return std::string();
}

void DueIndex::stage() {
  if (pending_) stages_.push_back(cache_.present_stage());
  pending_ = false;
}

void DueIndex::committed(uint64_t stage) {
  for (; !stages_.empty() && stages_.front() <= stage; stages_.pop_front()) grew_ = true;
  if (set_back_in_ && *set_back_in_ <= stage) {
    set_back_in_.reset();
    caught_up_to_ = due_key(clock_.wall(), 0, "");
  }
}

}  // namespace caddis::frontier
