// Every URL that waits, of hosts in memory and out of it.

#include "caddis/base/check.h"
#include "caddis/frontier/bytes.h"
#include "caddis/frontier/chunk.h"
#include "caddis/frontier/frontier.h"

namespace caddis::frontier {

Result<void> Frontier::each_waiting(const std::function<void(const Candidate&)>& see) {
  // Rows of one host stand together: its cursors are read once.
  Host outside;
  const auto host_of = [&](std::string_view name) -> Result<const Host*> {
    if (const Host* host = store_.find(std::string(name))) return host;
    if (outside.name != name) {
      outside = Host();
      outside.name = name;
      TRY_VOID(store_.peek(outside));
    }
    return &outside;
  };
  const Families& families = store_.families();
  TRY_VOID(store_.each_row(families.chunks, "", [&](std::string_view key, std::string_view value) -> Result<void> {
    TRY(const RowOwner owner, owner_of(key));
    TRY(const Host* const host, host_of(owner.host));
    Reader in(owner.rest);
    const size_t precedence = in.u8();
    const uint64_t number = in.be64();
    for (const auto& queue : host->queues) {
      if (queue->origin != owner.origin || precedence >= kPrecedences) continue;
      const QueueLine& line = queue->lines[precedence];
      if (number < line.head) return {};  // taken, and not yet erased on disk
      TRY(const auto items, decode_chunk(value));
      for (size_t i = number == line.head ? line.index : 0; i < items.size(); ++i) see(items[i]);
    }
    return {};
  }));
  TRY_VOID(store_.each_row(families.retries, "", [&](std::string_view key, std::string_view value) -> Result<void> {
    TRY(const RowOwner owner, owner_of(key));
    if (const Host* host = store_.find(std::string(owner.host)))
      for (const auto& queue : host->queues)
        if (queue->origin == owner.origin && !queue->retries.contains(read_retry_key(owner.rest))) return {};
    TRY(const RetryRow retry, read_retry_row(value));
    see(retry.what);
    return {};
  }));
  return store_.each_row(families.inbox, "", [&](std::string_view, std::string_view value) -> Result<void> {
    TRY(const Letter letter, read_letter(value));
    TRY(const auto items, decode_chunk(letter.chunk));
    for (const Candidate& item : items) see(item);
    return {};
  });
}

}  // namespace caddis::frontier
