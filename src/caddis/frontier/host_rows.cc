#include "caddis/frontier/host_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace caddis::frontier {
namespace {

std::unexpected<Error> lost(std::string_view what, const Queue& queue) {
  return fail(ErrorCode::corrupt, fmt::format("the frontier has lost a {} of {}", what, queue.origin));
}

}  // namespace

Result<HostRow> HostRows::parse(std::string_view bytes, Host& host) const {
  TRY(HostRow row, read_host_row(bytes, host));
  const Duration wait = std::clamp<Duration>(row.next_allowed - clock_.wall(), Duration(0), clock_.longest_wait());
  HostPacing& pacing = host.pacing;
  pacing.next_allowed = clock_.steady() + wait;
  if (row.reason == PauseReason::asked) pacing.asked_until = pacing.next_allowed;
  pacing.for_bandwidth = row.reason == PauseReason::bandwidth && wait > Duration(0);
  return row;
}

Result<bool> HostRows::read(Host& host) {
  TRY(const auto bytes, cache_.kv().get(families_.hosts, host_key(host.partition, host.name)));
  if (bytes) TRY_VOID(parse(*bytes, host));
  return bytes.has_value();
}

Result<bool> HostRows::read_whole(Host& host) {
  TRY(const auto bytes, cache_.kv().get(families_.hosts, host_key(host.partition, host.name)));
  if (!bytes) return false;
  TRY(const HostRow row, parse(*bytes, host));
  TRY_VOID(read_retries(host, row.retries));
  TRY_VOID(read_robots(host));
  return true;
}

Result<void> HostRows::read_from(std::string_view bytes, Host& host) {
  TRY(const HostRow row, parse(bytes, host));
  return read_retries(host, row.retries);
}

Result<void> HostRows::read_retries(Host& host, const std::vector<uint64_t>& counts) {
  if (std::ranges::all_of(counts, [](uint64_t count) { return count == 0; })) return {};
  const std::string prefix = host_prefix(host);
  const auto see = [&](std::string_view key, std::string_view value) -> Result<bool> {
    TRY(const RowOwner owner, owner_of(key));
    RetryKey retry = read_retry_key(owner.rest);
    TRY(retry.reason, read_retry_reason(value));
    for (const auto& queue : host.queues)
      if (queue->origin == owner.origin) queue->retries.add(retry);
    return true;
  };
  return cache_.each_from(families_.retries, prefix, prefix, see);
}

Result<void> HostRows::read_robots(Host& host) {
  for (const auto& queue : host.queues) {
    if (queue->robots.expire <= clock_.wall()) continue;
    TRY(const auto bytes, cache_.kv().get(families_.robots, robots_key(*queue)));
    if (!bytes) return lost("robots.txt", *queue);
    TRY(const std::string_view text, read_robots_row(*bytes));
    queue->robots.text = std::make_shared<const std::string>(text);
  }
  return {};
}

void HostRows::mark_dirty(Host& host) {
  if (!host.residence.dirty) dirty_.push_back(&host);
  host.residence.dirty = true;
}

void HostRows::put_chunk(Queue& queue, PriorityClass priority, std::string bytes) {
  ClassChunks& chunks = queue.class_of(priority);
  chunks.recent.put(chunks.tail++, std::make_shared<const std::string>(std::move(bytes)));
  mark_dirty(*queue.host);
}

Result<ChunkBytes> HostRows::chunk(const Queue& queue, const ClassChunks& chunks, uint64_t number) {
  if (ChunkBytes recent = chunks.recent.find(number)) return recent;
  TRY(auto stored, cache_.kv().get(families_.chunks, chunk_key(queue, chunks.priority, number)));
  if (!stored) return lost("chunk", queue);
  return std::make_shared<const std::string>(*std::move(stored));
}

RetryKey HostRows::put_retry(Queue& queue, WallTime due, const RetryRow& row) {
  const RetryKey key{due, queue.retries.next_number++, reason_of(row.attempt, row.times)};
  cache_.change(families_.retries, retry_key(queue, key), write_retry_row(row), true);
  queue.retries.add(key);
  mark_dirty(*queue.host);
  return key;
}

Result<RetryRow> HostRows::retry(const Queue& queue, const RetryKey& key) {
  TRY(const auto bytes, cache_.get(families_.retries, retry_key(queue, key)));
  if (!bytes) return lost("retry", queue);
  return read_retry_row(*bytes);
}

void HostRows::erase_retry(Queue& queue, const RetryKey& key) {
  cache_.change(families_.retries, retry_key(queue, key), std::nullopt);
  queue.retries.drop(key);
  mark_dirty(*queue.host);
}

void HostRows::put_robots(Queue& queue, std::string_view text) {
  cache_.put(families_.robots, robots_key(queue), write_robots_row(text));
  mark_dirty(*queue.host);
}

Result<void> HostRows::each_from(store::Family family, std::string_view prefix, std::string_view from,
                                 const RowCache::See& see) {
  RowCache::Rows fresh = cache_.uncommitted(family, prefix);
  if (family == families_.chunks) add_uncommitted_chunks(fresh, prefix);
  return cache_.merge(family, prefix, from, std::move(fresh), see);
}

void HostRows::add_uncommitted_chunks(RowCache::Rows& rows, std::string_view prefix) const {
  const auto add = [&](const Host& host) {
    const std::string own = host_prefix(host);
    if (!own.starts_with(prefix) && !prefix.starts_with(own)) return;
    for (const auto& queue : host.queues) {
      for (ClassChunks& chunks : queue->classes) {
        chunks.each_gone([&](uint64_t number) { rows[chunk_key(*queue, chunks.priority, number)] = std::nullopt; });
        chunks.recent.each(
            [&](const auto& chunk) { rows[chunk_key(*queue, chunks.priority, chunk.number)] = *chunk.bytes; });
      }
    }
  };
  for (const Host* host : dirty_) add(*host);
  for (const auto& [stage, host] : staged_chunks_) add(*host);
  std::erase_if(rows, [&](const auto& row) { return !row.first.starts_with(prefix); });
}

// --- staging

void HostRows::stage_host(Host& host) {
  const HostPacing& pacing = host.pacing;
  const Duration wait = std::max(Duration(0), pacing.next_allowed - clock_.steady());
  PauseReason reason = PauseReason::politeness;
  if (wait > Duration(0) && pacing.asked_until >= pacing.next_allowed)
    reason = PauseReason::asked;
  else if (wait > Duration(0) && pacing.for_bandwidth)
    reason = PauseReason::bandwidth;
  cache_.put(families_.hosts, host_key(host.partition, host.name), write_host_row(host, clock_.wall_in(wait), reason));
}

// The chunks of a host that have come and gone since they were staged last. What came and went is never written.
void HostRows::stage_chunks(Host& host) {
  const uint64_t stage = cache_.present_stage();
  bool has_new = false;
  for (const auto& queue : host.queues) {
    for (ClassChunks& chunks : queue->classes) {
      chunks.each_gone(
          [&](uint64_t number) { cache_.erase(families_.chunks, chunk_key(*queue, chunks.priority, number)); });
      chunks.stored_from = chunks.head;
      chunks.stored_to = chunks.tail;
      chunks.recent.each([&](RecentChunks::Chunk& chunk) {
        if (chunk.stage != RecentChunks::kNotStaged) return;
        cache_.put(families_.chunks, chunk_key(*queue, chunks.priority, chunk.number), *chunk.bytes);
        chunk.stage = stage;
        has_new = true;
      });
    }
  }
  if (has_new) staged_chunks_.emplace_back(stage, &host);
}

// The hosts of a group are all over the memory: what is written next is on its way while one is written.
void HostRows::fetch_ahead(size_t index) const {
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
  if (const Queue* first = queue(3)) __builtin_prefetch(first->classes.data());
}

void HostRows::stage() {
  for (size_t index = 0; index < dirty_.size(); ++index) {
    Host& host = *dirty_[index];
    fetch_ahead(index);
    stage_host(host);
    stage_chunks(host);
    host.residence.dirty = false;
  }
  dirty_.clear();
}

void HostRows::committed(uint64_t stage) {
  for (; !staged_chunks_.empty() && staged_chunks_.front().first <= stage; staged_chunks_.pop_front())
    for (const auto& queue : staged_chunks_.front().second->queues)
      for (ClassChunks& chunks : queue->classes) chunks.recent.trim(stage, chunks.head);
}

}  // namespace caddis::frontier
