#include "caddis/crawl/host_key_rows.h"

#include <string>
#include <string_view>

#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {
namespace {

// A row of `meta`: "host-key:<host>:<port>" → the key that an SFTP server showed first.
constexpr std::string_view kHostKeyRow = "host-key:";

}  // namespace

Result<void> HostKeyRows::open(store::StreamSet& /*streams*/) {
  const auto rows = kv_.cursor(kMeta);
  for (rows->seek(kHostKeyRow); rows->valid() && rows->key().starts_with(kHostKeyRow); rows->next())
    keys_.load(rows->key().substr(kHostKeyRow.size()), rows->value());
  return rows->status();
}

void HostKeyRows::stage(commit::CommitGroup& group) {
  for (const auto& [server, key] : keys_.take_new()) group.batch().put(kMeta, std::string(kHostKeyRow) + server, key);
}

}  // namespace caddis::crawl
