// How a queue's URLs are read, taken, put back and moved. Chunks of a class are numbered without gaps: whatever deletes
// or moves URLs in the middle gives the chunks that are left the lowest free numbers.
#include "caddis/frontier/queue_contents.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "caddis/frontier/chunk.h"

namespace caddis::frontier {
namespace {

// The items of a chunk from `done` on that stay; `is_out`: the first of them is being visited, and is one of these.
std::vector<Candidate> left_of(std::vector<Candidate>& items, size_t done, bool is_out, const Queue& queue,
                               const Erasure& erasure) {
  std::vector<Candidate> left;
  for (size_t i = done; i < items.size(); ++i) {
    if ((is_out && i == done) || (erasure.match && !erasure.match(items[i])))
      left.push_back(std::move(items[i]));
    else if (erasure.gone)
      erasure.gone(items[i], queue.host->name);
  }
  return left;
}

}  // namespace

void QueueContents::append(Queue& queue, PriorityClass priority, std::string chunk, uint64_t urls) {
  counters_.change(queue, [&] { queue.queued += urls; });
  rows_.put_chunk(queue, priority, std::move(chunk));
  table_.ensure_indexed(*queue.host);
}

// --- visits

Result<void> QueueContents::open_class(Queue& queue, ClassChunks& chunks) {
  TRY(ChunkBytes bytes, rows_.chunk(queue, chunks, chunks.head));
  TRY(ChunkReader reader, ChunkReader::open(std::move(bytes)));
  for (uint32_t i = 0; i < chunks.index && !reader.at_end(); ++i) reader.pop();
  if (reader.at_end()) return fail(ErrorCode::corrupt, fmt::format("the cursor of {} is past its chunk", queue.origin));
  chunks.first = std::make_unique<ChunkReader>(std::move(reader));
  return {};
}

Result<QueueContents::Front> QueueContents::front(Queue& queue, bool at_once) {
  ClassChunks* const chunks = queue.first_class();
  if (!queue.retries.waiting.empty()) {
    const RetryKey key = *queue.retries.waiting.begin();
    if (key.due <= clock_.wall() || at_once || chunks == nullptr) {
      TRY(RetryRow row, rows_.retry(queue, key));
      return Front{std::move(row), {std::nullopt, key}};
    }
  }
  if (chunks == nullptr) return fail(ErrorCode::corrupt, fmt::format("queue {} was due without a URL", queue.origin));
  if (chunks->first == nullptr) TRY_VOID(open_class(queue, *chunks));
  return Front{{chunks->first->front(), 1, 0}, {chunks->priority}};
}

void QueueContents::set_out(Queue& queue, UrlPlace& place, const Candidate& candidate) {
  if (place.priority) {
    advance(queue, *place.priority);
    place = {std::nullopt, rows_.put_retry(queue, clock_.wall(), {candidate, 1, 0})};
  }
  queue.retries.drop(place.retry);
  queue.retries.out.insert(place.retry);
}

void QueueContents::bring_in(Queue& queue, const UrlPlace& place) {
  if (!place.priority && queue.retries.out.erase(place.retry) > 0) queue.retries.add(place.retry);
}

// Past the first URL of a class, which is being read.
void QueueContents::advance(Queue& queue, PriorityClass priority) {
  ClassChunks& chunks = queue.class_of(priority);
  ++chunks.index;
  chunks.first->pop();
  if (chunks.first->at_end()) {
    ++chunks.head;
    chunks.begin_again();
    chunks.recent.keep(chunks.head, chunks.tail);
  }
  rows_.mark_dirty(*queue.host);
}

void QueueContents::take_out(Queue& queue, const UrlPlace& place) {
  if (place.priority)
    advance(queue, *place.priority);
  else
    rows_.erase_retry(queue, place.retry);
}

void QueueContents::consume(Queue& queue, const UrlPlace& place) {
  take_out(queue, place);
  counters_.change(queue, [&] { --queue.queued; });
  ++queue.finished;
  rows_.mark_dirty(*queue.host);
}

void QueueContents::put_back(Queue& queue, const UrlPlace& place, Duration wait, const RetryRow& row) {
  take_out(queue, place);
  rows_.put_retry(queue, clock_.wall_in(wait), row);
}

// --- changes of what waits

Result<uint64_t> QueueContents::erase(Queue& queue, const Erasure& erasure, const OpenLease* visiting) {
  uint64_t erased = 0;
  for (ClassChunks& chunks : queue.classes) {
    const bool first_is_out =
        visiting != nullptr && visiting->kind == LeaseKind::url && visiting->place.priority == chunks.priority;
    TRY(const uint64_t of_class, erase_chunks(queue, chunks, erasure, first_is_out));
    erased += of_class;
  }
  TRY(const uint64_t retries, erase_retries(queue, erasure));
  erased += retries;
  counters_.change(queue, [&] { queue.queued -= erased; });
  rows_.mark_dirty(*queue.host);
  return erased;
}

Result<QueueContents::ErasedRows> QueueContents::erase_rows(Queue& queue, const std::set<ChunkPlace>& chunks,
                                                            bool retries, const Erasure& erasure,
                                                            const OpenLease* visiting) {
  ErasedRows erased;
  // The last ones first: those that take their places were not asked for.
  for (auto place = chunks.rbegin(); place != chunks.rend(); ++place) {
    const bool first_is_out =
        visiting != nullptr && visiting->kind == LeaseKind::url && visiting->place.priority == place->priority;
    TRY_VOID(erase_of_chunk(queue, *place, erasure, first_is_out, erased));
  }
  if (retries) {
    TRY(const uint64_t of_retries, erase_retries(queue, erasure));
    erased.urls += of_retries;
  }
  counters_.change(queue, [&] { queue.queued -= erased.urls; });
  rows_.mark_dirty(*queue.host);
  return erased;
}

Result<void> QueueContents::erase_of_chunk(Queue& queue, const ChunkPlace& place, const Erasure& erasure,
                                           bool first_is_out, ErasedRows& erased) {
  const auto found = std::ranges::find(queue.classes, place.priority, &ClassChunks::priority);
  if (found == queue.classes.end() || place.number < found->head || place.number >= found->tail) return {};
  ClassChunks& chunks = *found;
  TRY(ChunkBytes bytes, rows_.chunk(queue, chunks, place.number));
  TRY(auto items, decode_chunk(*bytes));
  const bool is_head = place.number == chunks.head;
  const size_t done = is_head ? chunks.index : 0;
  const std::vector<Candidate> left = left_of(items, done, first_is_out && is_head, queue, erasure);
  if (left.size() == items.size() - done) return {};
  erased.urls += items.size() - done - left.size();
  if (left.empty()) {
    const uint64_t last = chunks.tail - 1;
    ChunkBytes bytes_of_last;
    if (!is_head && place.number != last) {
      TRY(bytes_of_last, rows_.chunk(queue, chunks, last));
      erased.refilled = place;
    }
    drop_chunk(chunks, place.number, std::move(bytes_of_last));
    return {};
  }
  bytes = std::make_shared<const std::string>(encode_chunk(left));
  chunks.recent.put(place.number, bytes);
  if (!is_head) return {};
  chunks.begin_again();
  TRY(ChunkReader reader, ChunkReader::open(std::move(bytes)));
  chunks.first = std::make_unique<ChunkReader>(std::move(reader));
  return {};
}

Result<uint64_t> QueueContents::erase_chunks(Queue& queue, ClassChunks& chunks, const Erasure& erasure,
                                             bool first_is_out) {
  uint64_t erased = 0;
  // What is left of each chunk moves up to the numbers that became free.
  uint64_t to = chunks.head;
  for (uint64_t from = chunks.head; from < chunks.tail; ++from) {
    TRY(ChunkBytes bytes, rows_.chunk(queue, chunks, from));
    TRY(auto items, decode_chunk(*bytes));
    const bool is_head = from == chunks.head;
    const size_t done = is_head ? chunks.index : 0;
    const std::vector<Candidate> left = left_of(items, done, first_is_out && is_head, queue, erasure);
    const bool changed = left.size() != items.size() - done;
    erased += items.size() - done - left.size();
    if (is_head && changed) chunks.begin_again();
    if (left.empty()) continue;
    if (changed) bytes = std::make_shared<const std::string>(encode_chunk(left));
    if (changed || to != from) chunks.recent.put(to, bytes);
    if (is_head && changed) {
      TRY(ChunkReader reader, ChunkReader::open(std::move(bytes)));
      chunks.first = std::make_unique<ChunkReader>(std::move(reader));
    }
    ++to;
  }
  chunks.tail = to;
  chunks.recent.keep(chunks.head, chunks.tail);
  return erased;
}

Result<uint64_t> QueueContents::erase_retries(Queue& queue, const Erasure& erasure) {
  const std::set<RetryKey> keys = queue.retries.waiting;
  uint64_t erased = 0;
  for (const RetryKey& key : keys) {
    TRY(const RetryRow row, rows_.retry(queue, key));
    if (erasure.match && !erasure.match(row.candidate)) continue;
    rows_.erase_retry(queue, key);
    ++erased;
    if (erasure.gone) erasure.gone(row.candidate, queue.host->name);
  }
  return erased;
}

Result<bool> QueueContents::retry_now(Queue& queue) {
  const WallTime now = clock_.wall();
  const std::set<RetryKey> keys = queue.retries.waiting;
  bool changed = false;
  for (const RetryKey& key : keys) {
    // What is fetched again for its status did not fail: its time is not a back-off.
    if (key.due <= now || key.reason == RetryReason::again) continue;
    TRY(const RetryRow row, rows_.retry(queue, key));
    rows_.erase_retry(queue, key);
    rows_.put_retry(queue, now, row);
    changed = true;
  }
  return changed;
}

Result<QueueContents::Reclassified> QueueContents::reclassify(
    Queue& queue, ClassChunks& chunks, uint64_t number,
    const std::function<PriorityClass(const std::string& url)>& priority_of) {
  TRY(const ChunkBytes bytes, rows_.chunk(queue, chunks, number));
  TRY(auto items, decode_chunk(*bytes));
  const bool is_head = number == chunks.head;
  if (is_head && chunks.index > items.size())
    return fail(ErrorCode::corrupt, "the cursor of " + queue.origin + " is past its chunk");
  if (is_head) items.erase(items.begin(), items.begin() + static_cast<ptrdiff_t>(chunks.index));
  const size_t urls = items.size();
  std::map<PriorityClass, std::vector<Candidate>> risen;
  std::vector<Candidate> left;
  for (Candidate& item : items) {
    const PriorityClass to = priority_of(item.url);
    (to < chunks.priority ? risen[to] : left).push_back(std::move(item));
  }
  if (risen.empty()) return Reclassified{urls, false};
  const bool is_gone = left.empty();
  if (is_gone) {
    const uint64_t last = chunks.tail - 1;
    ChunkBytes bytes_of_last;
    if (!is_head && number != last) {
      TRY(bytes_of_last, rows_.chunk(queue, chunks, last));
    }
    drop_chunk(chunks, number, std::move(bytes_of_last));
  } else {
    chunks.recent.put(number, std::make_shared<const std::string>(encode_chunk(left)));
    if (is_head) chunks.begin_again();
  }
  rows_.mark_dirty(*queue.host);
  for (auto& [to, moved] : risen) {
    // Makes classes: `chunks` is not good any more.
    ClassChunks& better = queue.class_of(to);
    const bool was_empty = better.empty();
    rows_.put_chunk(queue, to, encode_chunk(moved));
    if (was_empty) better.begin_again();
  }
  return Reclassified{urls, is_gone};
}

// A chunk of which nothing is left: the last one (`last`, its bytes) takes its place.
void QueueContents::drop_chunk(ClassChunks& chunks, uint64_t number, ChunkBytes last) {
  if (number == chunks.head) {
    ++chunks.head;
    chunks.begin_again();
  } else {
    --chunks.tail;
    if (number != chunks.tail) chunks.recent.put(number, std::move(last));
  }
  chunks.recent.keep(chunks.head, chunks.tail);
}

}  // namespace caddis::frontier
