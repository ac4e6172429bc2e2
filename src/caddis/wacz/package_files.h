// A WACZ file as a file system that can only be read: what serves a collection in a folder serves one in a package. Paths
// below the package's own are its entries; others are not there. A packed index appears as the text that it holds
// ("indexes/index.cdx.gz" as "indexes/index.cdxj").
//
// Any thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/wacz/package.h"

namespace caddis::wacz {

class PackageFiles final : public io::Files {
 public:
  // `path` is that of the package, and of its root. ErrorCode::parse if it is none, corrupt if it has no archive/.
  static Result<std::unique_ptr<PackageFiles>> open(io::Files& files, const std::string& path);

  Result<std::unique_ptr<io::File>> open_read(const std::string& path) override;
  Result<std::vector<io::DirectoryEntry>> list(const std::string& path) override;
  bool exists(const std::string& path) override;
  bool is_directory(const std::string& path) override;

  // All of these are refused.
  Result<std::unique_ptr<io::File>> open_append(const std::string& path) override;
  Result<void> make_dirs(const std::string& path) override;
  Result<void> sync_dir(const std::string& path) override;
  Result<void> rename(const std::string& from, const std::string& to) override;
  Result<void> link(const std::string& from, const std::string& to) override;
  Result<void> remove(const std::string& path) override;
  Result<uint64_t> free_space(const std::string& path) override;
  Result<std::unique_ptr<io::FileLock>> lock(const std::string& path, std::string_view note) override;

 private:
  PackageFiles(std::string root, std::shared_ptr<const Package> package);
  // The name within the package; empty for its root. Nothing for a path that is not in it.
  std::optional<std::string> name_of(const std::string& path) const;

  const std::string root_;
  const std::shared_ptr<const Package> package_;
  std::map<std::string, const PackedFile*, std::less<>> files_;  // by the name under which they appear
};

}  // namespace caddis::wacz
