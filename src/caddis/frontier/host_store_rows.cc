// The rows of hosts and of what waits there, read and written. What changes is pending until a group takes it, and is
// answered from memory until that is committed.

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/hash.h"
#include "caddis/frontier/bytes.h"
#include "caddis/frontier/host_store.h"

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
    const bool owes = wait > Duration(0) && host->asked_until <= clock_.steady() && host->owes();
    const int64_t for_bandwidth = owes ? host->for_bandwidth : 0;
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
