// Every URL that waits, of hosts in memory and out of it: all of them, or a part from a marker on.

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/frontier/bytes.h"
#include "caddis/frontier/chunk.h"
#include "caddis/frontier/frontier.h"
#include "caddis/frontier/walk.h"

namespace caddis::frontier {

Result<void> Frontier::Walk::row(std::string_view key, std::string_view value) {
  switch (place.kind) {
    case 0:
      return chunk(key, value);
    case 1:
      return retry(key, value);
    default:
      return letter(value);
  }
}

// Rows of one host stand together: its cursors are read once.
Result<const Host*> Frontier::Walk::host_of(std::string_view name) {
  if (const Host* host = store.find(std::string(name))) return host;
  if (outside.name != name) {
    outside = Host();
    outside.name = name;
    TRY_VOID(store.peek(outside));
  }
  return &outside;
}

Result<void> Frontier::Walk::chunk(std::string_view key, std::string_view value) {
  TRY(const RowOwner owner, owner_of(key));
  TRY(const Host* const host, host_of(owner.host));
  Reader in(owner.rest);
  const LineNumber number_of_line = in.u8();
  const uint64_t number = in.be64();
  for (const auto& queue : host->queues) {
    if (queue->origin != owner.origin) continue;
    const auto line = std::ranges::find(queue->lines, number_of_line, &QueueLine::number);
    // Taken, or deleted, and not yet erased on disk.
    if (line == queue->lines.end() || number < line->head || number >= line->tail) return {};
    TRY(auto items, decode_chunk(value));
    const size_t first = number == line->head ? line->index : 0;
    return give(std::move(items), first, {{}, queue->origin, "queue", number_of_line});
  }
  return {};
}

Result<void> Frontier::Walk::retry(std::string_view key, std::string_view value) {
  TRY(const RowOwner owner, owner_of(key));
  const RetryKey due = read_retry_key(owner.rest);
  if (const Host* host = store.find(std::string(owner.host)))
    for (const auto& queue : host->queues)
      if (queue->origin == owner.origin && !queue->retries.contains(due) && !queue->out.contains(due)) return {};
  TRY(RetryRow retry, read_retry_row(value));
  WaitingUrl url{{}, std::string(owner.origin), "retry", line_number(retry.candidate.precedence()), retry.attempt};
  url.wait = std::max<Duration>(Duration(0), due.due - now);
  std::vector<Candidate> items;
  items.push_back(std::move(retry.candidate));
  return give(std::move(items), 0, std::move(url));
}

Result<void> Frontier::Walk::letter(std::string_view value) {
  TRY(const Letter letter, read_letter(value));
  TRY(auto items, decode_chunk(letter.chunk));
  return give(std::move(items), 0, {{}, letter.origin, "inbox", letter.line});
}

Result<void> Frontier::Walk::give(std::vector<Candidate> items, size_t first, WaitingUrl url) {
  for (size_t i = std::max(first, place.item); i < items.size() && !stopped; ++i) {
    place.item = i;
    url.candidate = std::move(items[i]);
    stopped = !see(url);
  }
  return {};
}

Result<void> Frontier::walk(Walk& walk) {
  const Families& families = store_.families();
  const store::Family kinds[] = {families.chunks, families.retries, families.inbox};
  for (; walk.place.kind < std::size(kinds); ++walk.place.kind, walk.place.key.clear(), walk.place.item = 0) {
    const std::string from = std::max(walk.place.key, walk.prefix);
    TRY_VOID(store_.each_row_from(kinds[walk.place.kind], walk.prefix, from,
                                  [&](std::string_view key, std::string_view value) -> Result<bool> {
                                    if (walk.place.key != key) {
                                      walk.place.key = key;
                                      walk.place.item = 0;
                                    }
                                    if (walk.rows == 0) {
                                      walk.stopped = true;
                                      return false;
                                    }
                                    --walk.rows;
                                    TRY_VOID(walk.row(key, value));
                                    return !walk.stopped;
                                  }));
    if (walk.stopped) return {};
  }
  return {};
}

Result<void> Frontier::each_waiting(const std::function<void(const Candidate&)>& see) {
  Walk all{store_, clock_.wall(), "", [&](const WaitingUrl& url) {
             see(url.candidate);
             return true;
           }};
  return walk(all);
}

std::string Frontier::marker_of(const Place& place) const {
  return fmt::format("{}-{}-{}-{}", store_.totals().edits, place.kind, place.item, to_hex(place.key));
}

// One with a fifth part comes from a deletion: what stood there may have gone with it, and the place is where the next
// one stands.
Result<Frontier::Place> Frontier::place_of(const std::string& marker, bool* moved) {
  Place place;
  if (marker.empty()) return place;
  const auto parts = split(marker, '-');
  const bool is_whole = parts.size() == 4 || (parts.size() == 5 && parts[4] == kOfDeletion);
  const auto edits = parse_int(parts.front());
  const auto kind = is_whole ? parse_int(parts[1]) : std::nullopt;
  const auto item = is_whole ? parse_int(parts[2]) : std::nullopt;
  auto key = is_whole ? from_hex(parts[3]) : std::nullopt;
  if (!edits || !kind || !item || !key || *kind < 0 || *kind > 2 || *item < 0)
    return fail(ErrorCode::parse, fmt::format("'{}' is no marker: give the one of the answer before", marker));
  const Families& families = store_.families();
  const store::Family kinds[] = {families.chunks, families.retries, families.inbox};
  TRY(const bool stands, store_.has_row(kinds[*kind], *key));
  const bool holds = (stands || parts.size() == 5) && static_cast<uint64_t>(*edits) == store_.totals().edits;
  if (!holds && moved != nullptr) {
    // A row that something was deleted from is another one: from its beginning.
    *moved = true;
    return Place{static_cast<size_t>(*kind), *std::move(key), 0};
  }
  if (!holds)
    return fail(ErrorCode::not_found, "the marker no longer holds: the crawl has gone on; list from the beginning");
  return Place{static_cast<size_t>(*kind), *std::move(key), static_cast<size_t>(*item)};
}

std::string Frontier::walk_prefix(const std::string& host) const {
  if (host.empty()) return {};
  return host_key(options_.identity.partition(host), host) + '\0';
}

Result<WaitingPage> Frontier::waiting(const WaitingQuery& query) {
  WaitingPage page;
  Walk part{store_, clock_.wall(), walk_prefix(query.host), [&](const WaitingUrl& url) {
              if (query.match && !query.match(url.candidate)) return true;
              if (!query.only_count && page.urls.size() >= query.limit) return false;
              ++page.matched;
              if (!query.only_count) page.urls.push_back(url);
              return true;
            }};
  TRY(part.place, place_of(query.marker, query.nearest ? &page.moved : nullptr));
  part.rows = query.rows;
  TRY_VOID(walk(part));
  if (part.stopped) page.marker = marker_of(part.place);
  return page;
}

}  // namespace caddis::frontier
