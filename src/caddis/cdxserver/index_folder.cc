#include "caddis/cdxserver/index_folder.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::cdxserver {

namespace {

// Each that is open takes memory, and whoever may write may make some.
constexpr size_t kMostIndexes = 1000;

}  // namespace

ServedIndex::ServedIndex(io::Files& files, const Clock& clock, std::string the_name,
                         std::shared_ptr<cdx::CaptureStore> the_store, std::unique_ptr<AccessControl> the_access)
    : name(std::move(the_name)), store(std::move(the_store)), index(files, clock, ""), access(std::move(the_access)) {
  index.add_source(store);
}

std::string access_file_of(std::string_view index_path) { return std::string(index_path) + ".access.json"; }

bool is_index_name(std::string_view name) {
  for (const std::string_view taken :
       {"", "api", "cdx", "wayback", "web", "login", "logout", "metrics", "healthz", "favicon.ico", "robots.txt"})
    if (name == taken) return false;
  return name.size() <= 100 && name.front() != '.' &&
         std::ranges::all_of(name, [](char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; });
}

Result<std::shared_ptr<ServedIndex>> IndexFolder::find(std::string_view name) {
  if (!is_index_name(name)) return fail(ErrorCode::not_found, "there is no index of that name");
  return open(std::string(name), false);
}

Result<std::shared_ptr<ServedIndex>> IndexFolder::find_or_make(std::string_view name) {
  if (!is_index_name(name))
    return fail(ErrorCode::parse, "an index has a name of letters, digits, '-', '_' and '.', and none that is taken");
  return open(std::string(name), true);
}

std::shared_ptr<ServedIndex> IndexFolder::find_opened(std::string_view name) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return nullptr;
  const auto known = open_.find(name);
  return known == open_.end() ? nullptr : known->second;
}

Result<std::shared_ptr<ServedIndex>> IndexFolder::open(const std::string& name, bool may_make) {
  const std::scoped_lock lock(mutex_);
  if (const auto known = open_.find(name); known != open_.end()) return known->second;
  const std::string path = io::join_path(path_, name);
  if (!may_make && !files_.is_directory(path)) return fail(ErrorCode::not_found, "there is no index of that name");
  if (!files_.is_directory(path)) {
    TRY(const auto known, names());
    if (known.size() >= kMostIndexes)
      return fail(ErrorCode::limit, "there are " + std::to_string(known.size()) + " indexes: no more are made");
  }
  TRY(auto store, cdx::CaptureStore::open(path, options_));
  TRY(auto access, AccessControl::open(files_, access_file_of(path)));
  auto served = std::make_shared<ServedIndex>(files_, clock_, name, std::move(store), std::move(access));
  open_.emplace(name, served);
  return served;
}

std::vector<std::shared_ptr<ServedIndex>> IndexFolder::opened() {
  const std::scoped_lock lock(mutex_);
  std::vector<std::shared_ptr<ServedIndex>> all;
  for (const auto& [name, index] : open_) all.push_back(index);
  return all;
}

Result<std::vector<std::string>> IndexFolder::names() const {
  std::vector<std::string> names;
  if (!files_.is_directory(path_)) return names;
  TRY(const auto entries, files_.list(path_));
  for (const auto& entry : entries)
    if (entry.is_directory && is_index_name(entry.name)) names.push_back(entry.name);
  return names;
}

}  // namespace caddis::cdxserver
