// A cursor is "edits-kind-item-key": the number of deletions so far, and the place. One with a fifth part comes from a
// deletion itself.
#include "caddis/frontier/waiting_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/frontier/bytes.h"
#include "caddis/frontier/chunk.h"

namespace caddis::frontier {
namespace {

constexpr std::string_view kOfDeletion = "d";
enum Kind : size_t { kChunks, kRetries, kDeferred, kHeld, kKinds };

}  // namespace

WaitingWalk::WaitingWalk(Storage& storage, const Identity& identity, WallTime now, const std::string& host, See see)
    : storage_(storage),
      now_(now),
      prefix_(host.empty() ? "" : host_key(identity.partition(host), host) + '\0'),
      see_(std::move(see)) {}

store::Family WaitingWalk::family(size_t kind) const {
  const Families& families = storage_.rows.families();
  return std::array{families.chunks, families.retries, families.inbox, families.held}[kind];
}

Result<void> WaitingWalk::run(size_t rows) {
  rows_left_ = rows;
  for (; place_.kind < kKinds; place_ = {place_.kind + 1, {}, 0}) {
    const std::string from = std::max(place_.key, prefix_);
    TRY_VOID(
        storage_.rows.each_from(family(place_.kind), prefix_, from,
                                [&](std::string_view key, std::string_view value) { return see_row(key, value); }));
    if (stopped_) return {};
  }
  return {};
}

Result<bool> WaitingWalk::see_row(std::string_view key, std::string_view value) {
  if (place_.key != key) {
    place_.key = key;
    place_.item = 0;
  }
  if (rows_left_ == 0 || (is_enough_ && has_read_ && is_enough_())) {
    stopped_ = true;
    return false;
  }
  --rows_left_;
  has_read_ = true;
  if (place_.kind == kChunks) TRY_VOID(see_chunk(key, value));
  if (place_.kind == kRetries) TRY_VOID(see_retry(key, value));
  if (place_.kind == kDeferred) TRY_VOID(see_deferred(value, "inbox"));
  if (place_.kind == kHeld) TRY_VOID(see_deferred(value, kWhereHeld.data()));
  return !stopped_;
}

// Rows of one host stand together: its row is read once.
Result<const Host*> WaitingWalk::host_of(std::string_view name) {
  if (const Host* host = storage_.table.find(std::string(name))) return host;
  if (outside_.name != name) {
    outside_ = storage_.table.blank(name);
    TRY_VOID(storage_.rows.read(outside_));
  }
  return &outside_;
}

Result<void> WaitingWalk::see_chunk(std::string_view key, std::string_view value) {
  TRY(const RowOwner owner, owner_of(key));
  TRY(const Host* const host, host_of(owner.host));
  Reader in(owner.rest);
  const PriorityClass priority = in.u8();
  const uint64_t number = in.be64();
  for (const auto& queue : host->queues) {
    if (queue->origin != owner.origin) continue;
    const auto chunks = std::ranges::find(queue->classes, priority, &ClassChunks::priority);
    // Taken, or deleted, and not yet erased on disk.
    if (chunks == queue->classes.end() || number < chunks->head || number >= chunks->tail) return {};
    TRY(auto items, decode_chunk(value));
    const size_t first = number == chunks->head ? chunks->index : 0;
    WaitingUrl url{{}, queue->origin, std::string(kWhereQueue), priority};
    url.chunk = number;
    see_items(std::move(items), first, std::move(url));
    return {};
  }
  return {};
}

Result<void> WaitingWalk::see_retry(std::string_view key, std::string_view value) {
  TRY(const RowOwner owner, owner_of(key));
  const RetryKey due = read_retry_key(owner.rest);
  if (const Host* host = storage_.table.find(std::string(owner.host)))
    for (const auto& queue : host->queues)
      if (queue->origin == owner.origin && !queue->retries.waiting.contains(due) && !queue->retries.out.contains(due))
        return {};
  TRY(RetryRow retry, read_retry_row(value));
  WaitingUrl url{{},
                 std::string(owner.origin),
                 std::string(kWhereRetry),
                 priority_class(retry.candidate.precedence()),
                 retry.attempt};
  url.wait = std::max<Duration>(Duration(0), due.due - now_);
  std::vector<Candidate> items;
  items.push_back(std::move(retry.candidate));
  see_items(std::move(items), 0, std::move(url));
  return {};
}

Result<void> WaitingWalk::see_deferred(std::string_view value, const char* where) {
  TRY(const DeferredChunk deferred, read_deferred(value));
  TRY(auto items, decode_chunk(deferred.chunk));
  see_items(std::move(items), 0, {{}, deferred.origin, where, deferred.priority});
  return {};
}

void WaitingWalk::see_items(std::vector<Candidate> items, size_t first, WaitingUrl url) {
  for (size_t i = std::max(first, place_.item); i < items.size() && !stopped_; ++i) {
    place_.item = i;
    url.candidate = std::move(items[i]);
    stopped_ = !see_(url);
  }
}

// --- cursors

void WaitingWalk::go_back_to(const std::string& chunk) {
  if (stopped_ && place_.kind == kChunks && place_.key <= chunk) return;
  place_ = {kChunks, chunk, 0};
  stopped_ = true;
}

std::string WaitingWalk::cursor() const {
  const uint64_t edits = storage_.counters.totals().edits;
  return fmt::format("{}-{}-{}-{}", edits, place_.kind, place_.item, to_hex(place_.key));
}

std::string WaitingWalk::cursor_after_deletion() const { return fmt::format("{}-{}", cursor(), kOfDeletion); }

std::optional<WaitingWalk::Cursor> WaitingWalk::parse(const std::string& cursor) {
  const auto parts = split(cursor, '-');
  const bool is_of_deletion = parts.size() == 5 && parts[4] == kOfDeletion;
  if (parts.size() != 4 && !is_of_deletion) return std::nullopt;
  const auto edits = parse_int(parts[0]), kind = parse_int(parts[1]), item = parse_int(parts[2]);
  auto key = from_hex(parts[3]);
  if (!edits || !kind || !item || !key || *kind < 0 || *kind >= static_cast<int64_t>(kKinds) || *item < 0)
    return std::nullopt;
  return Cursor{{static_cast<size_t>(*kind), *std::move(key), static_cast<size_t>(*item)},
                static_cast<uint64_t>(*edits),
                is_of_deletion};
}

Result<bool> WaitingWalk::stands(const Place& place) const {
  if (place.kind == kChunks) {
    // A key from outside, which may be anything.
    const auto owner = owner_of(place.key);
    if (!owner) return false;
    if (const Host* host = storage_.table.find(std::string(owner->host))) {
      Reader in(owner->rest);
      const PriorityClass priority = in.u8();
      const uint64_t number = in.be64();
      for (const auto& queue : host->queues)
        for (const ClassChunks& chunks : queue->classes)
          if (queue->origin == owner->origin && chunks.priority == priority)
            return number >= chunks.head && number < chunks.tail;
      return false;
    }
  }
  bool found = false;
  TRY_VOID(storage_.rows.each_from(family(place.kind), place.key, place.key,
                                   [&](std::string_view key, std::string_view) -> Result<bool> {
                                     found = key == place.key;
                                     return false;
                                   }));
  return found;
}

Result<void> WaitingWalk::start_at(const std::string& cursor, bool* moved) {
  if (cursor.empty()) return {};
  auto parsed = parse(cursor);
  if (!parsed)
    return fail(ErrorCode::parse, fmt::format("'{}' is no marker: give the one of the answer before", cursor));
  place_ = std::move(parsed->place);
  TRY(const bool stands, this->stands(place_));
  if ((stands || parsed->is_of_deletion) && parsed->edits == storage_.counters.totals().edits) return {};
  if (moved == nullptr)
    return fail(ErrorCode::not_found, "the marker no longer holds: the crawl has gone on; list from the beginning");
  // A row that something was deleted from is another one: from its beginning.
  *moved = true;
  place_.item = 0;
  return {};
}

}  // namespace caddis::frontier
