#include "caddis/wacz/package_files.h"

#include <set>
#include <utility>

#include "caddis/wacz/packed_index.h"

namespace caddis::wacz {
namespace {

constexpr std::string_view kPackedSuffixes[] = {".cdx.gz", ".cdxj.gz"};

// Under what name an entry appears, and whether its text is packed.
std::pair<std::string, bool> shown_name(const std::string& name) {
  if (name.starts_with("indexes/"))
    for (const std::string_view suffix : kPackedSuffixes)
      if (name.ends_with(suffix)) return {name.substr(0, name.size() - suffix.size()) + ".cdxj", true};
  return {name, false};
}

// A packed index is shown as the text that it holds, so the list of its members would name what is not there.
bool is_summary(const std::string& name) { return name.starts_with("indexes/") && name.ends_with(".idx"); }

std::unexpected<Error> read_only(const std::string& path) {
  return fail(ErrorCode::denied, path + ": a package can only be read");
}

}  // namespace

PackageFiles::PackageFiles(std::string root, std::shared_ptr<const Package> package)
    : root_(std::move(root)), package_(std::move(package)) {
  for (const PackedFile& entry : package_->entries())
    if (!is_summary(entry.name)) files_.try_emplace(shown_name(entry.name).first, &entry);
}

Result<std::unique_ptr<PackageFiles>> PackageFiles::open(io::Files& files, const std::string& path) {
  TRY(auto package, Package::open(files, path));
  auto made = std::unique_ptr<PackageFiles>(new PackageFiles(path, std::move(package)));
  if (!made->is_directory(path + "/archive"))
    return fail(ErrorCode::corrupt, path + " has no folder 'archive': it is a zip archive, but no WACZ file");
  return made;
}

std::optional<std::string> PackageFiles::name_of(const std::string& path) const {
  if (path == root_) return std::string();
  if (!path.starts_with(root_ + "/")) return std::nullopt;
  std::string name = path.substr(root_.size() + 1);
  while (name.ends_with('/')) name.pop_back();
  return name;
}

Result<std::unique_ptr<io::File>> PackageFiles::open_read(const std::string& path) {
  const auto name = name_of(path);
  const auto found = name ? files_.find(*name) : files_.end();
  if (found == files_.end()) return fail(ErrorCode::not_found, path + " is not in the package");
  auto file = package_->open_entry(*found->second);
  if (!file || !shown_name(found->second->name).second) return file;
  auto text = open_packed_index(*std::move(file));
  if (!text) return pass(std::move(text).error(), path);
  return text;
}

Result<std::vector<io::DirectoryEntry>> PackageFiles::list(const std::string& path) {
  const auto name = name_of(path);
  if (!name || !is_directory(path)) return fail(ErrorCode::not_found, path + " is no folder of the package");
  const std::string prefix = name->empty() ? std::string() : *name + "/";
  std::map<std::string, io::DirectoryEntry> entries;
  for (auto at = files_.lower_bound(prefix); at != files_.end() && at->first.starts_with(prefix); ++at) {
    const std::string rest = at->first.substr(prefix.size());
    const size_t slash = rest.find('/');
    const std::string own = rest.substr(0, slash);
    entries[own] = {own, slash != std::string::npos, slash == std::string::npos ? at->second->size : 0};
  }
  std::vector<io::DirectoryEntry> listed;
  for (auto& [own, entry] : entries) listed.push_back(std::move(entry));
  return listed;
}

bool PackageFiles::exists(const std::string& path) {
  const auto name = name_of(path);
  return name && (name->empty() || files_.contains(*name) || is_directory(path));
}

bool PackageFiles::is_directory(const std::string& path) {
  const auto name = name_of(path);
  if (!name) return false;
  if (name->empty()) return true;
  const auto inside = files_.lower_bound(*name + "/");
  return inside != files_.end() && inside->first.starts_with(*name + "/");
}

Result<std::unique_ptr<io::File>> PackageFiles::open_append(const std::string& path) { return read_only(path); }
Result<void> PackageFiles::make_dirs(const std::string& path) { return read_only(path); }
Result<void> PackageFiles::sync_dir(const std::string& path) { return read_only(path); }
Result<void> PackageFiles::rename(const std::string& from, const std::string&) { return read_only(from); }
Result<void> PackageFiles::link(const std::string& from, const std::string&) { return read_only(from); }
Result<void> PackageFiles::remove(const std::string& path) { return read_only(path); }
Result<uint64_t> PackageFiles::free_space(const std::string& path) { return read_only(path); }
Result<std::unique_ptr<io::FileLock>> PackageFiles::lock(const std::string& path, std::string_view) {
  return read_only(path);
}

}  // namespace caddis::wacz
