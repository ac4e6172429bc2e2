#include "caddis/io/memory_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "caddis/io/memory_disk.h"

namespace caddis::io {

namespace {

std::unexpected<Error> no_space(const std::string& path) { return fail_errno("cannot write to " + path, ENOSPC); }
std::unexpected<Error> injected(std::string_view what, const std::string& path) {
  return fail_errno("cannot " + std::string(what) + " " + path, EIO);
}

}  // namespace

class MemoryFiles::OpenFile : public File {
 public:
  // With the lock of the file system held.
  OpenFile(std::shared_ptr<Disk> disk, NodePointer node, std::string path)
      : disk_(std::move(disk)), node_(std::move(node)), path_(std::move(path)), epoch_(disk_->epoch) {
    ++disk_->opened[node_.get()];
  }
  ~OpenFile() override {
    const std::lock_guard lock(disk_->mutex);
    if (epoch_ == disk_->epoch && --disk_->opened[node_.get()] == 0) disk_->opened.erase(node_.get());
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  Result<size_t> read_at(uint64_t offset, char* buffer, size_t size) const override {
    const std::lock_guard lock(disk_->mutex);
    TRY(const bool fails, enter(Operation::read));
    if (fails) return injected("read", path_);
    const std::string_view bytes = node_->bytes;
    if (offset >= bytes.size()) return 0;
    const size_t count = std::min<size_t>(size, bytes.size() - offset);
    std::memcpy(buffer, bytes.data() + offset, count);
    return count;
  }

  Result<void> append(std::string_view bytes) override {
    const std::lock_guard lock(disk_->mutex);
    TRY(const bool fails, enter(Operation::append));
    const uint64_t used = disk_->capacity ? disk_->used() : 0;
    const uint64_t room = disk_->capacity ? *disk_->capacity - std::min(used, *disk_->capacity) : bytes.size();
    const size_t fits = std::min<uint64_t>(fails ? bytes.size() / 2 : bytes.size(), room);
    node_->append(bytes.substr(0, fits));
    if (fails) return injected("write to", path_);
    if (fits < bytes.size()) return no_space(path_);
    return {};
  }

  Result<void> sync() override {
    const std::lock_guard lock(disk_->mutex);
    TRY(const bool fails, enter(Operation::sync));
    if (fails) {
      node_->fail_sync();
      return injected("sync", path_);
    }
    node_->make_durable();
    return {};
  }

  Result<void> truncate(uint64_t size) override {
    const std::lock_guard lock(disk_->mutex);
    TRY(const bool fails, enter(Operation::truncate));
    if (fails) return injected("cut", path_);
    if (size != node_->bytes.size()) node_->cut(size);
    return {};
  }

  Result<uint64_t> size() const override {
    const std::lock_guard lock(disk_->mutex);
    if (epoch_ != disk_->epoch) return fail(ErrorCode::closed, path_ + " was open when the power went");
    return node_->bytes.size();
  }

 private:
  Result<bool> enter(Operation operation) const {
    if (epoch_ != disk_->epoch) return fail(ErrorCode::closed, path_ + " was open when the power went");
    return disk_->enter(operation, path_);
  }

  std::shared_ptr<Disk> disk_;
  NodePointer node_;
  std::string path_;
  uint64_t epoch_;
};

class MemoryFiles::HeldLock : public FileLock {
 public:
  HeldLock(std::shared_ptr<Disk> disk, NodePointer node)
      : disk_(std::move(disk)), node_(std::move(node)), epoch_(disk_->epoch) {}
  ~HeldLock() override {
    const std::lock_guard lock(disk_->mutex);
    if (epoch_ == disk_->epoch) disk_->locked.erase(node_.get());
  }

 private:
  std::shared_ptr<Disk> disk_;
  NodePointer node_;
  uint64_t epoch_;
};

MemoryFiles::MemoryFiles() : disk_(std::make_shared<Disk>()) {}
MemoryFiles::~MemoryFiles() = default;

void MemoryFiles::crash(Random& random) {
  const std::lock_guard lock(disk_->mutex);
  disk_->lose_power(random);
}

Result<void> MemoryFiles::lose_synced_tail(const std::string& path, uint64_t bytes) {
  const std::lock_guard lock(disk_->mutex);
  const NodePointer node = disk_->find(path);
  if (!node || node->is_folder) return fail_errno("cannot damage " + path, ENOENT);
  node->cut(node->bytes.size() - std::min<uint64_t>(bytes, node->bytes.size()));
  node->make_durable();
  return {};
}

void MemoryFiles::inject_failure(Operation operation, uint64_t nth, std::string path_part) {
  const std::lock_guard lock(disk_->mutex);
  disk_->faults.push_back({operation, nth, std::move(path_part)});
}

void MemoryFiles::set_gate(Gate gate) {
  const std::lock_guard lock(disk_->mutex);
  disk_->gate = std::move(gate);
}

void MemoryFiles::set_free_space(uint64_t bytes) {
  const std::lock_guard lock(disk_->mutex);
  const uint64_t used = disk_->used();
  disk_->capacity =
      bytes > std::numeric_limits<uint64_t>::max() - used ? std::numeric_limits<uint64_t>::max() : used + bytes;
}

Result<std::unique_ptr<File>> MemoryFiles::open_read(const std::string& path) {
  const std::lock_guard lock(disk_->mutex);
  TRY(const bool fails, disk_->enter(Operation::open, path));
  if (fails) return injected("open", path);
  const NodePointer node = disk_->find(path);
  if (!node) return fail_errno("cannot open " + path, ENOENT);
  if (node->is_folder) return fail_errno("cannot open " + path, EISDIR);
  return std::make_unique<OpenFile>(disk_, node, path);
}

Result<std::unique_ptr<File>> MemoryFiles::open_append(const std::string& path) {
  const std::lock_guard lock(disk_->mutex);
  TRY(const bool fails, disk_->enter(Operation::open, path));
  if (fails) return injected("open for writing", path);
  NodePointer node = disk_->find(path);
  if (node && node->is_folder) return fail_errno("cannot open for writing " + path, EISDIR);
  if (!node) {
    std::string name;
    const NodePointer folder = disk_->find_folder_of(path, name);
    if (!folder) return fail_errno("cannot open for writing " + path, ENOENT);
    node = std::make_shared<MemoryNode>(false);
    disk_->change_names({{folder, name, node}});
  }
  return std::make_unique<OpenFile>(disk_, node, path);
}

Result<void> MemoryFiles::make_dirs(const std::string& path) {
  const std::lock_guard lock(disk_->mutex);
  std::vector<std::string> missing;
  for (std::string part = path; !disk_->find(part); part = parent_path(part)) missing.push_back(part);
  for (const std::string& part : missing) {
    TRY(const bool fails, disk_->enter(Operation::make_dirs, part));
    if (fails) return injected("make folder", part);
  }
  for (auto part = missing.rbegin(); part != missing.rend(); ++part) {
    std::string name;
    const NodePointer folder = disk_->find_folder_of(*part, name);
    if (!folder) return fail_errno("cannot make folder " + *part, ENOTDIR);
    disk_->change_names({{folder, name, std::make_shared<MemoryNode>(true)}});
    disk_->settle_folder(folder);
  }
  if (!disk_->find(path)->is_folder) return fail_errno("cannot make folder " + path, EEXIST);
  return {};
}

Result<void> MemoryFiles::sync_dir(const std::string& path) {
  const std::lock_guard lock(disk_->mutex);
  TRY(const bool fails, disk_->enter(Operation::sync_dir, path));
  if (fails) return injected("sync folder", path);
  const NodePointer folder = disk_->find(path);
  if (!folder) return fail_errno("cannot open folder " + path, ENOENT);
  if (!folder->is_folder) return fail_errno("cannot open folder " + path, ENOTDIR);
  disk_->settle_folder(folder);
  return {};
}

Result<std::vector<DirectoryEntry>> MemoryFiles::list(const std::string& path) {
  const std::lock_guard lock(disk_->mutex);
  const NodePointer folder = disk_->find(path);
  if (!folder) return fail_errno("cannot list folder " + path, ENOENT);
  if (!folder->is_folder) return fail_errno("cannot list folder " + path, ENOTDIR);
  std::vector<DirectoryEntry> entries;
  for (const auto& [name, node] : folder->names) entries.push_back({name, node->is_folder, node->bytes.size()});
  return entries;
}

Result<void> MemoryFiles::rename(const std::string& from, const std::string& to) {
  const std::lock_guard lock(disk_->mutex);
  const std::string what = "rename " + from + " to";
  TRY(const bool fails, disk_->enter(Operation::rename, from));
  if (fails) return injected(what, to);
  std::string from_name;
  std::string to_name;
  const NodePointer from_folder = disk_->find_folder_of(from, from_name);
  const NodePointer to_folder = disk_->find_folder_of(to, to_name);
  const NodePointer node = disk_->find(from);
  if (!node || !to_folder) return fail_errno("cannot " + what + " " + to, ENOENT);
  const NodePointer replaced = disk_->find(to);
  if (replaced == node) return {};  // POSIX: two names of one file stay as they are
  if (replaced && replaced->is_folder) return fail_errno("cannot " + what + " " + to, EISDIR);
  disk_->change_names({{to_folder, to_name, node}, {from_folder, from_name, nullptr}});
  return {};
}

Result<void> MemoryFiles::link(const std::string& from, const std::string& to) {
  const std::lock_guard lock(disk_->mutex);
  const std::string what = "link " + from + " as";
  TRY(const bool fails, disk_->enter(Operation::link, from));
  if (fails) return injected(what, to);
  std::string name;
  const NodePointer node = disk_->find(from);
  const NodePointer folder = disk_->find_folder_of(to, name);
  if (!node || !folder) return fail_errno("cannot " + what + " " + to, ENOENT);
  if (node->is_folder) return fail_errno("cannot " + what + " " + to, EPERM);
  if (folder->names.contains(name)) return fail_errno("cannot " + what + " " + to, EEXIST);
  disk_->change_names({{folder, name, node}});
  return {};
}

Result<void> MemoryFiles::remove(const std::string& path) {
  const std::lock_guard lock(disk_->mutex);
  TRY(const bool fails, disk_->enter(Operation::remove, path));
  if (fails) return injected("remove", path);
  std::string name;
  const NodePointer node = disk_->find(path);
  const NodePointer folder = disk_->find_folder_of(path, name);
  if (!node || !folder || node == disk_->root) return fail_errno("cannot remove " + path, ENOENT);
  if (!node->names.empty()) return fail_errno("cannot remove " + path, ENOTEMPTY);
  disk_->change_names({{folder, name, nullptr}});
  return {};
}

bool MemoryFiles::exists(const std::string& path) {
  const std::lock_guard lock(disk_->mutex);
  return disk_->find(path) != nullptr;
}

bool MemoryFiles::is_directory(const std::string& path) {
  const std::lock_guard lock(disk_->mutex);
  const NodePointer node = disk_->find(path);
  return node && node->is_folder;
}

Result<uint64_t> MemoryFiles::free_space(const std::string&) {
  const std::lock_guard lock(disk_->mutex);
  if (!disk_->capacity) return std::numeric_limits<uint64_t>::max();
  return *disk_->capacity - std::min(disk_->used(), *disk_->capacity);
}

Result<std::unique_ptr<FileLock>> MemoryFiles::lock(const std::string& path, std::string_view note) {
  TRY_VOID(open_append(path));
  const std::lock_guard lock(disk_->mutex);
  const NodePointer node = disk_->find(path);
  if (!node) return fail_errno("cannot open lock file " + path, ENOENT);
  if (!disk_->locked.insert(node.get()).second) {
    return fail(ErrorCode::conflict, path + " is locked by " + node->bytes + "; stop it first, or wait until it ends");
  }
  node->cut(0);
  node->append(note);
  return std::make_unique<HeldLock>(disk_, node);
}

}  // namespace caddis::io
