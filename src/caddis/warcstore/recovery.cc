#include "caddis/warcstore/recovery.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "caddis/collection/archive_folders.h"
#include "caddis/collection/layout.h"
#include "caddis/warcstore/archive_files.h"
#include "caddis/warcstore/rows.h"

namespace caddis::warcstore {
namespace {

// Archive files that the store had begun, under the names that they have while they are written.
Result<std::set<std::string, std::less<>>> begun_files(store::Kv& kv, const collection::Launch& launch) {
  std::set<std::string, std::less<>> begun;
  const auto rows = kv.cursor(kMeta);
  for (rows->seek(kBegunRow); rows->valid() && rows->key().starts_with(kBegunRow); rows->next())
    begun.insert(begun_path(launch.archive(), std::string(rows->value())) + collection::kOpenSuffix);
  TRY_VOID(rows->status());
  return begun;
}

}  // namespace

Result<store::StreamPlan> inspect_streams(io::Files& files, store::Kv& kv, const store::StreamSet& streams,
                                          const collection::Launch& launch) {
  TRY(const auto begun, begun_files(kv, launch));
  std::vector<std::string> archives = collection::archive_folders(files, launch.layout());
  std::erase_if(archives, [&](const std::string& folder) { return !files.is_directory(folder); });
  std::vector<std::string> owned = archives;
  owned.push_back(launch.logs());
  return streams.inspect(owned, [&](std::string_view path) {
    const bool is_archive = std::ranges::find(archives, io::parent_path(path)) != archives.end();
    return is_archive && !begun.contains(path);
  });
}

Result<void> settle_begun_files(store::Kv& kv) {
  store::Batch settled;
  const auto rows = kv.cursor(kMeta);
  for (rows->seek(kBegunRow); rows->valid() && rows->key().starts_with(kBegunRow); rows->next())
    settled.erase(kMeta, rows->key());
  TRY_VOID(rows->status());
  return kv.write(settled, store::Durability::lazy);
}

}  // namespace caddis::warcstore
