// A folder of indexes, one store each: what an index server serves. An index is opened when it is first asked for, and
// made when it first gets lines. Any thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/capture_store.h"
#include "caddis/cdxserver/access_control.h"
#include "caddis/io/files.h"

namespace caddis::cdxserver {

// One index; it stays open as long as somebody holds it.
struct ServedIndex {
  ServedIndex(io::Files& files, const Clock& clock, std::string the_name, std::shared_ptr<cdx::CaptureStore> the_store,
              std::unique_ptr<AccessControl> the_access);
  std::string name;
  std::shared_ptr<cdx::CaptureStore> store;
  cdx::CaptureIndex index;
  const std::unique_ptr<AccessControl> access;
};

class IndexFolder {
 public:
  IndexFolder(io::Files& files, const Clock& clock, std::string path, cdx::CaptureStoreOptions options)
      : files_(files), clock_(clock), path_(std::move(path)), options_(std::move(options)) {}

  // ErrorCode::not_found where there is none of that name.
  Result<std::shared_ptr<ServedIndex>> find(std::string_view name);
  // Null if it is not open yet, or that cannot be said without waiting.
  std::shared_ptr<ServedIndex> find_opened(std::string_view name);
  // Makes it where there is none; ErrorCode::parse for what is no name.
  Result<std::shared_ptr<ServedIndex>> find_or_make(std::string_view name);
  // Indexes that are open, sorted by name.
  std::vector<std::shared_ptr<ServedIndex>> opened();
  // Sorted.
  Result<std::vector<std::string>> names() const;
  io::Files& files() const { return files_; }

 private:
  Result<std::shared_ptr<ServedIndex>> open(const std::string& name, bool may_make);

  io::Files& files_;
  const Clock& clock_;
  const std::string path_;
  const cdx::CaptureStoreOptions options_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<ServedIndex>, std::less<>> open_;
};

// Where the access rules of an index stand: beside its folder.
std::string access_file_of(std::string_view index_path);

// Letters, digits, '-', '_' and '.', none of the names that mean something else in an address.
bool is_index_name(std::string_view name);

}  // namespace caddis::cdxserver
