#include "caddis/replay/collection_pool.h"

#include <cstdlib>
#include <utility>

#include "caddis/base/random.h"
#include "caddis/io/file_identity.h"
#include "caddis/replay/collection_paths.h"

namespace caddis::replay {
namespace {

// For bodies of other archives that do not fit into memory.
std::string temporary_folder() {
  const char* const folder = std::getenv("TMPDIR");
  SeededRandom random(system_seed());
  return io::join_path(folder == nullptr || *folder == '\0' ? "/tmp" : folder, "caddis-serve-" + random.uuid());
}

}  // namespace

std::string collection_identity(io::Files& files, const std::string& path) {
  std::string identity = io::file_identity(files, path);
  if (files.is_directory(path)) return identity;
  const auto file = files.open_read_foreign(path);
  const auto size = file ? (*file)->size() : Result<uint64_t>(std::unexpected(file.error()));
  return identity + ' ' + (size ? std::to_string(*size) : std::string());
}

CollectionIdentities collection_identities(io::Files& files, const std::vector<std::string>& paths) {
  CollectionIdentities identities;
  for (const std::string& path : paths) identities.emplace(path, collection_identity(files, path));
  return identities;
}

Result<std::shared_ptr<Collection>> CollectionPool::open_anew(const std::string& path,
                                                              sources::SourceOpener& opener) const {
  TRY(std::shared_ptr<Collection> collection, Collection::open(files_, clock_, path, launch_));
  std::vector<std::string> lists;
  if (is_collection(files_, path)) lists.push_back(io::join_path(path, sources::kSourceFile));
  if (!sources_.empty()) lists.push_back(sources_);
  for (const std::string& list : lists) {
    TRY(const auto more, opener.open(list));
    collection->add_sources(more);
  }
  return collection;
}

Result<std::vector<std::shared_ptr<Collection>>> CollectionPool::open(const CollectionIdentities& wanted,
                                                                      const Prepare& prepare) {
  std::vector<std::string> paths;
  for (const auto& [path, identity] : wanted) paths.push_back(path);
  TRY_VOID(refuse_equal_names(paths));
  if (!sources_.empty() && !files_.exists(sources_))
    return fail(ErrorCode::not_found, sources_ + ": no such file of sources");
  sources::SourceOpener opener(files_, clock_, temporary_folder());
  std::vector<std::shared_ptr<Collection>> collections;
  for (const auto& [path, identity] : wanted) {
    const auto known = open_.find(path);
    std::shared_ptr<Collection> collection =
        known != open_.end() && known->second.identity == identity ? known->second.collection.lock() : nullptr;
    if (collection == nullptr) {
      TRY(collection, open_anew(path, opener));
      if (prepare) TRY_VOID(prepare(*collection));
    }
    open_[path] = {identity, collection};
    collections.push_back(std::move(collection));
  }
  std::erase_if(open_, [](const auto& one) { return one.second.collection.expired(); });
  return collections;
}

}  // namespace caddis::replay
