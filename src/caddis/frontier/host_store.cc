#include "caddis/frontier/host_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/check.h"
#include "caddis/base/hash.h"
#include "caddis/frontier/bytes.h"
#include "caddis/frontier/chunk.h"
#include "caddis/frontier/linking.h"
#include "caddis/url/domain.h"

namespace caddis::frontier {
namespace {

constexpr std::string_view kTotalsKey = "totals";

std::unexpected<Error> lost(std::string_view what, const Queue& queue) {
  return fail(ErrorCode::corrupt, fmt::format("the frontier has lost a {} of {}", what, queue.origin));
}

}  // namespace

Result<void> HostStore::open() {
  TRY(const auto row, kv_.get(families_.totals, kTotalsKey));
  if (row) {
    TRY(totals_, read_totals(*row));
  }
  written_ = totals_;
  // What stands further ahead than this may have been put there by a clock that was wrong: it is looked at once.
  constexpr auto kFarAhead = std::chrono::hours(24);
  const auto entries = kv_.cursor(families_.due);
  std::string far = due_key(clock_.wall() + kFarAhead, 0, "");
  entries->seek(far);
  if (entries->valid()) caught_up_to_ = std::move(far);
  return entries->status();
}

// --- hosts in memory

Host* HostStore::find(const std::string& name) {
  const auto found = hosts_.find(name);
  return found == hosts_.end() ? nullptr : found->second.get();
}

Result<Host*> HostStore::fetch(const std::string& name) {
  if (Host* host = find(name)) return host;
  TRY(Host* const host, load(name));
  if (host->has_work()) index(*host);
  return host;
}

Result<Host*> HostStore::load(const std::string& name, store::Cursor* letters) {
  auto made = std::make_unique<Host>();
  Host& host = *made;
  host.name = name;
  host.partition = identity_.partition(name);
  TRY(const auto bytes, kv_.get(families_.hosts, host_key(host.partition, name)));
  if (bytes) {
    TRY(const HostRow row, read_row(host, *bytes));
    TRY_VOID(read_retries(host, row.retries));
    TRY_VOID(read_robots(host));
  } else {
    ++totals_.hosts;
    count_domain(name);
  }
  if (totals_.letters > 0) TRY_VOID(open_letters(host, letters));
  mailed_.erase(siphash(name, identity_.key.k0, identity_.key.k1));
  return hosts_.emplace(name, std::move(made)).first->second.get();
}

Result<bool> HostStore::knows(const std::string& name) {
  if (find(name) != nullptr) return true;
  const uint16_t partition = identity_.partition(name);
  TRY(const auto row, kv_.get(families_.hosts, host_key(partition, name)));
  if (row) return true;
  bool has_letter = false;
  TRY_VOID(each_row(families_.inbox, host_key(partition, name) + '\0',
                    [&](std::string_view, std::string_view) -> Result<void> {
                      has_letter = true;
                      return {};
                    }));
  return has_letter;
}

void HostStore::count_domain(std::string_view host) {
  constexpr size_t kMostDomains = 100'000;
  const std::string_view domain = url::registrable_domain(host);
  // A domain alone with its name is none that makes names up.
  if (domain.empty() || domain == host) return;
  const auto known = domains_.find(std::string(domain));
  if (known != domains_.end())
    ++known->second;
  else if (domains_.size() < kMostDomains)
    domains_.emplace(domain, 1);
}

uint64_t HostStore::hosts_of_domain(std::string_view host) const {
  const auto known = domains_.find(std::string(url::registrable_domain(host)));
  return known == domains_.end() ? 0 : known->second;
}

Result<bool> HostStore::peek(Host& host) {
  host.partition = identity_.partition(host.name);
  TRY(const auto bytes, kv_.get(families_.hosts, host_key(host.partition, host.name)));
  if (bytes) TRY_VOID(read_row(host, *bytes));
  return bytes.has_value();
}

Result<bool> HostStore::look(Host& host) {
  host.partition = identity_.partition(host.name);
  TRY(const auto bytes, kv_.get(families_.hosts, host_key(host.partition, host.name)));
  if (!bytes) return false;
  TRY(const HostRow row, read_row(host, *bytes));
  TRY_VOID(read_retries(host, row.retries));
  TRY_VOID(read_robots(host));
  return true;
}

Result<std::string> HostStore::each_outside(const std::function<void(Host&)>& see, std::string_view from, size_t most) {
  const auto rows = kv_.cursor(families_.hosts);
  for (rows->seek(from); rows->valid(); rows->next()) {
    if (most-- == 0) return std::string(rows->key());
    Host host;
    host.name = rows->key().substr(std::min<size_t>(2, rows->key().size()));
    if (find(host.name) != nullptr) continue;
    host.partition = identity_.partition(host.name);
    TRY(const HostRow row, read_row(host, rows->value()));
    if (std::ranges::any_of(row.retries, [](uint64_t count) { return count > 0; }))
      TRY_VOID(read_retries(host, row.retries));
    see(host);
  }
  TRY_VOID(rows->status());
  return std::string();
}

Result<std::string> HostStore::indexed_outside(std::vector<std::string>& names, std::string_view from, size_t most) {
  const auto entries = kv_.cursor(families_.due);
  for (entries->seek(from); entries->valid(); entries->next()) {
    if (most-- == 0) return std::string(entries->key());
    TRY(const DueEntry entry, read_due_key(entries->key()));
    std::string name(entry.host);
    if (find(name) == nullptr) names.push_back(std::move(name));
  }
  TRY_VOID(entries->status());
  return std::string();
}

Result<HostRow> HostStore::read_row(Host& host, std::string_view bytes) {
  TRY(HostRow row, read_host_row(bytes, host));
  const Duration wait = std::clamp<Duration>(row.next_allowed - clock_.wall(), Duration(0), longest_wait_);
  host.next_allowed = clock_.steady() + wait;
  if (row.asked_to_wait) host.asked_until = host.next_allowed;
  host.for_bandwidth = wait > Duration(0) ? row.for_bandwidth : 0;
  return row;
}

Result<void> HostStore::read_retries(Host& host, const std::vector<uint64_t>& counts) {
  if (std::ranges::all_of(counts, [](uint64_t count) { return count == 0; })) return {};
  return each_row(families_.retries, host_prefix(host),
                  [&](std::string_view key, std::string_view value) -> Result<void> {
                    TRY(const RowOwner owner, owner_of(key));
                    RetryKey retry = read_retry_key(owner.rest);
                    TRY(retry.reason, read_retry_reason(value));
                    for (const auto& queue : host.queues)
                      if (queue->origin == owner.origin) queue->add_retry(retry);
                    return {};
                  });
}

Result<void> HostStore::read_robots(Host& host) {
  for (const auto& queue : host.queues) {
    if (queue->robots_expire <= clock_.wall()) continue;
    TRY(const auto bytes, kv_.get(families_.robots, robots_key(*queue)));
    if (!bytes) return lost("robots.txt", *queue);
    TRY(const std::string_view text, read_robots_row(*bytes));
    queue->robots = std::make_shared<const robots::Robots>(robots::Robots::parse(text));
  }
  return {};
}

Result<void> HostStore::open_letters(Host& host, store::Cursor* letters) {
  std::vector<std::string> opened;
  TRY_VOID(each_row(
      families_.inbox, host_prefix(host),
      [&](std::string_view key, std::string_view value) -> Result<void> {
        TRY(const Letter letter, read_letter(value));
        TRY_VOID(take_letter(host, letter));
        opened.emplace_back(key);
        return {};
      },
      letters));
  for (std::string& key : opened) {
    change(families_.inbox, std::move(key), std::nullopt);
    --totals_.letters;
  }
  if (!opened.empty()) mark(host);
  return {};
}

Result<void> HostStore::take_letter(Host& host, const Letter& letter) {
  TRY(auto items, decode_chunk(letter.chunk));
  const uint64_t all = items.size();
  totals_.queued -= all;  // they were counted when they were written
  note_linking(host, items.front().via);
  leave_out_what_is_over_budget(host, items);
  if (items.empty()) return {};
  Queue& queue = queue_of(host, letter.origin);
  put_chunk(queue, letter.line, items.size() == all ? std::string(letter.chunk) : encode_chunk(items));
  queue.queued += items.size();
  totals_.count(queue, static_cast<int64_t>(items.size()));
  return {};
}

// Nobody knew how many the host had when they were found: they stay seen.
void HostStore::leave_out_what_is_over_budget(const Host& host, std::vector<Candidate>& items) {
  const uint64_t budget = budget_of_ ? budget_of_(host) : kNoBudget;
  if (budget == kNoBudget) return;
  uint64_t taken = host.taken();
  totals_.over_host_budget += std::erase_if(items, [&](const Candidate& item) {
    const bool over = taken >= budget && !item.is_seed && !item.force;
    taken += over ? 0 : 1;
    return over;
  });
}

void HostStore::note_linking(Host& host, std::string_view via) {
  if (counts_linking_) host.linking |= linking_bit(via, host.name);
}

Queue& HostStore::queue_of(Host& host, const std::string& origin) {
  for (const auto& queue : host.queues)
    if (queue->origin == origin) return *queue;
  auto& queue = host.queues.emplace_back(std::make_unique<Queue>());
  queue->origin = origin;
  queue->host = &host;
  ++totals_.queues;
  return *queue;
}

void HostStore::each(const std::function<void(Host&)>& see) const {
  for (const auto& [name, host] : hosts_) see(*host);
}

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

// --- rows

// `is_new`: no row ever had that key.
void HostStore::change(store::Family family, std::string key, std::optional<std::string> value, bool is_new) {
  const auto [at, inserted] = overlay_[family].try_emplace(std::move(key));
  Uncommitted& row = at->second;
  if (inserted || row.stage != stage_number_) changed_.emplace_back(family, at);
  if (inserted) row.is_new = is_new;
  row.value = std::move(value);
  row.stage = stage_number_;
}

Result<std::string> HostStore::row(store::Family family, const std::string& key, const Queue& queue) {
  const Overlay& overlay = overlay_[family];
  if (const auto found = overlay.find(key); found != overlay.end() && found->second.value) return *found->second.value;
  TRY(auto stored, kv_.get(family, key));
  if (!stored) return lost("retry", queue);
  return *std::move(stored);
}

void HostStore::put_letter(const std::string& host, const Letter& letter, uint64_t urls) {
  const uint16_t partition = identity_.partition(host);
  change(families_.inbox, letter_key(partition, host, totals_.next_letter++), write_letter(letter), true);
  ++totals_.letters;
  totals_.queued += urls;
  if (!mailed_.insert(siphash(host, identity_.key.k0, identity_.key.k1))) return;
  pending_.put(families_.due, due_key(index_time(clock_.wall()), partition, host), "");
  pending_index_ = true;
  index_exhausted_ = false;
}

void HostStore::put_chunk(Queue& queue, LineNumber number, std::string bytes) {
  QueueLine& line = queue.line(number);
  line.recent.put(line.tail++, std::make_shared<const std::string>(std::move(bytes)));
  mark(*queue.host);
}

Result<ChunkBytes> HostStore::chunk(const Queue& queue, const QueueLine& line, uint64_t number) {
  if (ChunkBytes recent = line.recent.find(number)) return recent;
  TRY(auto stored, kv_.get(families_.chunks, chunk_key(queue, line.number, number)));
  if (!stored) return lost("chunk", queue);
  return std::make_shared<const std::string>(*std::move(stored));
}

RetryKey HostStore::put_retry(Queue& queue, WallTime due, const RetryRow& retry) {
  const RetryKey key{due, queue.next_retry++, reason_of(retry.attempt, retry.times)};
  change(families_.retries, retry_key(queue, key), write_retry_row(retry), true);
  queue.add_retry(key);
  mark(*queue.host);
  return key;
}

Result<RetryRow> HostStore::retry(const Queue& queue, const RetryKey& key) {
  TRY(const std::string bytes, row(families_.retries, retry_key(queue, key), queue));
  return read_retry_row(bytes);
}

void HostStore::erase_retry(Queue& queue, const RetryKey& key) {
  change(families_.retries, retry_key(queue, key), std::nullopt);
  queue.drop_retry(key);
  mark(*queue.host);
}

void HostStore::put_robots(Queue& queue, std::string_view text) {
  pending_.put(families_.robots, robots_key(queue), write_robots_row(text));
  mark(*queue.host);
}

void HostStore::mark(Host& host) {
  if (!host.dirty) dirty_.push_back(&host);
  host.dirty = true;
}

void HostStore::mark_over(const Host& host, bool over) {
  change(families_.totals, over_key(host.partition, host.name), over ? std::optional<std::string>("") : std::nullopt);
}

Result<std::vector<std::string>> HostStore::hosts_over(std::string& marker, size_t most) {
  std::vector<std::string> hosts;
  std::string next;
  const auto see = [&](std::string_view key, std::string_view) -> Result<bool> {
    if (hosts.size() == most) {
      next = key;
      return false;
    }
    hosts.emplace_back(key.substr(over_key(0, "").size()));
    return true;
  };
  TRY_VOID(each_row_from(families_.totals, kOverPrefix, marker, see));
  marker = std::move(next);
  return hosts;
}

Result<void> HostStore::each_row(store::Family family, std::string_view prefix,
                                 const std::function<Result<void>(std::string_view, std::string_view)>& see,
                                 store::Cursor* rows) {
  const auto see_all = [&](std::string_view key, std::string_view value) -> Result<bool> {
    TRY_VOID(see(key, value));
    return true;
  };
  return each_row_from(family, prefix, prefix, see_all, rows);
}

bool HostStore::has_chunk(const Host& host, const RowOwner& chunk) {
  Reader in(chunk.rest);
  const LineNumber number_of_line = in.u8();
  const uint64_t number = in.be64();
  for (const auto& queue : host.queues)
    for (const QueueLine& line : queue->lines)
      if (queue->origin == chunk.origin && line.number == number_of_line)
        return number >= line.head && number < line.tail;
  return false;
}

Result<bool> HostStore::has_row(store::Family family, const std::string& key) {
  if (family == families_.chunks) {
    // A key from outside, which may be anything.
    const auto owner = owner_of(key);
    if (!owner) return false;
    if (const Host* host = find(std::string(owner->host))) return has_chunk(*host, *owner);
  }
  const auto fresh = uncommitted(family, key);
  if (const auto found = fresh.find(key); found != fresh.end()) return found->second.has_value();
  TRY(const auto stored, kv_.get(family, key));
  return stored.has_value();
}

// Rows whose keys begin so and that the store may not have yet, or, without a value, still has.
std::map<std::string, std::optional<std::string>, std::less<>> HostStore::uncommitted(store::Family family,
                                                                                      std::string_view prefix) const {
  std::map<std::string, std::optional<std::string>, std::less<>> rows;
  if (const auto changed = overlay_.find(family); changed != overlay_.end()) {
    const Overlay& overlay = changed->second;
    for (auto at = overlay.lower_bound(prefix); at != overlay.end() && at->first.starts_with(prefix); ++at)
      rows.emplace(at->first, at->second.value);
  }
  if (family != families_.chunks) return rows;
  const auto add = [&](const Host& host) {
    const std::string own = host_prefix(host);
    if (!own.starts_with(prefix) && !prefix.starts_with(own)) return;
    for (const auto& queue : host.queues) {
      for (QueueLine& line : queue->lines) {
        line.each_gone([&](uint64_t number) { rows[chunk_key(*queue, line.number, number)] = std::nullopt; });
        line.recent.each([&](const auto& chunk) { rows[chunk_key(*queue, line.number, chunk.number)] = *chunk.bytes; });
      }
    }
  };
  for (const Host* host : dirty_) add(*host);
  for (const auto& [stage, host] : staged_chunks_) add(*host);
  std::erase_if(rows, [&](const auto& row) { return !row.first.starts_with(prefix); });
  return rows;
}

Result<void> HostStore::each_row_from(store::Family family, std::string_view prefix, std::string_view from,
                                      const std::function<Result<bool>(std::string_view, std::string_view)>& see,
                                      store::Cursor* rows) {
  // A copy: `see` may change rows.
  auto fresh = uncommitted(family, prefix);
  fresh.erase(fresh.begin(), fresh.lower_bound(from));
  auto next = fresh.begin();
  const auto see_fresh = [&]() -> Result<bool> {
    const auto& [key, value] = *next++;
    return value ? see(key, *value) : Result<bool>(true);
  };
  std::unique_ptr<store::Cursor> own;
  if (rows == nullptr) {
    own = kv_.cursor(family);
    rows = own.get();
  }
  bool go_on = true;
  for (rows->seek(from); rows->valid() && rows->key().starts_with(prefix); rows->next()) {
    while (go_on && next != fresh.end() && next->first < rows->key()) {
      TRY(go_on, see_fresh());
    }
    if (!go_on) return {};
    const bool is_fresh = next != fresh.end() && next->first == rows->key();
    TRY(go_on, is_fresh ? see_fresh() : see(rows->key(), rows->value()));
    if (!go_on) return {};
  }
  TRY_VOID(rows->status());
  while (go_on && next != fresh.end()) {
    TRY(go_on, see_fresh());
  }
  return {};
}

// --- committing

// The chunks of a host that have come and gone since they were staged last. What came and went is never written.
void HostStore::stage_chunks(Host& host) {
  bool has_new = false;
  for (const auto& queue : host.queues) {
    for (QueueLine& line : queue->lines) {
      line.each_gone(
          [&](uint64_t number) { pending_.erase(families_.chunks, chunk_key(*queue, line.number, number)); });
      line.stored_from = line.head;
      line.stored_to = line.tail;
      line.recent.each([&](RecentChunks::Chunk& chunk) {
        if (chunk.stage != RecentChunks::kNotStaged) return;
        pending_.put(families_.chunks, chunk_key(*queue, line.number, chunk.number), *chunk.bytes);
        chunk.stage = stage_number_;
        has_new = true;
      });
    }
  }
  if (has_new) staged_chunks_.emplace_back(stage_number_, &host);
}

// The hosts of a group are all over the memory: what is written next is on its way while one is written.
void HostStore::fetch_ahead(size_t index) const {
  const auto at = [&](size_t ahead) { return index + ahead < dirty_.size() ? dirty_[index + ahead] : nullptr; };
  if (const Host* host = at(12)) {
    __builtin_prefetch(host);
    __builtin_prefetch(reinterpret_cast<const char*>(host) + 128);
  }
  if (const Host* host = at(8)) __builtin_prefetch(host->queues.data());
  const auto queue = [&](size_t ahead) {
    const Host* host = at(ahead);
    return host == nullptr || host->queues.empty() ? nullptr : host->queues.front().get();
  };
  if (const Queue* first = queue(6)) {
    __builtin_prefetch(first);
    __builtin_prefetch(reinterpret_cast<const char*>(first) + 128);
    __builtin_prefetch(reinterpret_cast<const char*>(first) + 256);
  }
  if (const Queue* first = queue(3)) __builtin_prefetch(first->lines.data());
}

uint64_t HostStore::stage(store::Batch& batch) {
  const WallTime now = clock_.wall();
  for (size_t index = 0; index < dirty_.size(); ++index) {
    Host* const host = dirty_[index];
    fetch_ahead(index);
    const Duration wait = std::max(Duration(0), host->next_allowed - clock_.steady());
    const WallTime next_allowed = now + std::chrono::duration_cast<std::chrono::microseconds>(wait);
    const bool asked_to_wait = wait > Duration(0) && host->asked_until >= host->next_allowed;
    // Of two reasons to wait one is told: a Retry-After that ends before the debt does would be forgiven with it.
    const int64_t for_bandwidth = wait > Duration(0) && host->asked_until <= clock_.steady() ? host->for_bandwidth : 0;
    pending_.put(families_.hosts, host_key(host->partition, host->name),
                 write_host_row(*host, next_allowed, asked_to_wait, for_bandwidth));
    stage_chunks(*host);
    host->dirty = false;
  }
  dirty_.clear();
  for (const auto& [family, at] : changed_) {
    auto& [key, row] = *at;
    if (row.is_new && !row.value) {
      overlay_[family].erase(at);
      continue;
    }
    if (row.value)
      pending_.put(family, key, *row.value);
    else
      pending_.erase(family, key);
    row.is_new = false;
    staged_.emplace_back(stage_number_, family, at);
  }
  changed_.clear();
  if (totals_ != written_) pending_.put(families_.totals, kTotalsKey, write_totals(totals_));
  written_ = totals_;
  if (pending_index_) index_stages_.push_back(stage_number_);
  pending_index_ = false;
  batch.append(std::move(pending_));
  pending_.clear();
  return stage_number_++;
}

void HostStore::committed(uint64_t stage_number) {
  for (; !staged_.empty() && std::get<0>(staged_.front()) <= stage_number; staged_.pop_front()) {
    const auto& [stage, family, at] = staged_.front();
    if (at->second.stage == stage) overlay_[family].erase(at);
  }
  for (; !staged_chunks_.empty() && staged_chunks_.front().first <= stage_number; staged_chunks_.pop_front())
    for (const auto& queue : staged_chunks_.front().second->queues)
      for (QueueLine& line : queue->lines) line.recent.trim(stage_number, line.head);
  for (; !leaving_.empty() && leaving_.front().first <= stage_number; leaving_.pop_front()) {
    const auto host = hosts_.find(leaving_.front().second);
    if (host != hosts_.end() && host->second->leaving == leaving_.front().first) hosts_.erase(host);
  }
  for (; !index_stages_.empty() && index_stages_.front() <= stage_number; index_stages_.pop_front()) index_grew_ = true;
  if (set_back_in_ && *set_back_in_ <= stage_number) {
    set_back_in_.reset();
    caught_up_to_ = due_key(clock_.wall(), 0, "");
  }
}

}  // namespace caddis::frontier
