#include "auto_index.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/log.h"
#include "caddis/cdx/auto_index.h"
#include "caddis/io/files.h"
#include "stop_signals.h"

namespace caddis::cli {
namespace {

struct Watched {
  std::shared_ptr<replay::Collection> collection;  // outlives what looks at it
  std::string path;
  cdx::AutoIndexer indexer;
  std::set<std::string> told{};
};

void look(Watched& watched) {
  const auto looked = watched.indexer.look();
  if (!looked) {
    if (watched.told.insert(looked.error().message).second)
      log_warn("serve", "{}: new files are not indexed: {}", watched.path, looked.error().message);
    return;
  }
  for (const std::string& problem : looked->problems) log_warn("serve", "{}", problem);
  if (looked->files > 0)
    log_info("serve", "{}: {} captures of {} new files are indexed", watched.path, looked->lines, looked->files);
}

// Looks of those that were watched before go on as they are.
std::vector<Watched> watched_of(const ServedArchive& archive, std::vector<Watched> before) {
  std::vector<Watched> all;
  for (const auto& collection : archive.wayback->collections()) {
    const auto known = std::ranges::find(before, collection, &Watched::collection);
    if (known != before.end())
      all.push_back(std::move(*known));
    else if (collection->members().empty() && replay::is_collection(io::real_files(), collection->path()))
      all.push_back({collection, collection->path(),
                     cdx::AutoIndexer(io::real_files(), collection->path(), collection->index())});
  }
  return all;
}

}  // namespace

aio::Task<void> index_new_files(aio::Loop& loop, aio::Blocking& workers, const CurrentArchive& current,
                                Duration every) {
  std::weak_ptr<const ServedArchive> archive;
  std::vector<Watched> all;
  while (!stop_asked()) {
    if (const auto now = current.get(); now != archive.lock()) {
      all = watched_of(*now, std::move(all));
      archive = now;
    }
    for (Watched& watched : all) {
      std::function<void()> work = [&] { look(watched); };
      co_await workers.run_piece(loop, std::move(work));
    }
    for (Duration waited{}; waited < every && !stop_asked(); waited += std::chrono::milliseconds(100))
      co_await aio::sleep_for(loop, std::chrono::milliseconds(100));
  }
}

}  // namespace caddis::cli
