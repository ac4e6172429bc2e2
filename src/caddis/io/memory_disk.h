// The disk behind MemoryFiles: nodes with a visible and a durable state, and the rules of what a power cut leaves.
// Private to io.
//
// Not thread-safe: MemoryFiles holds its mutex.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/io/memory_files.h"

namespace caddis::io {

struct NameChange;

// A file or a folder.
struct MemoryNode {
  using Names = std::map<std::string, std::shared_ptr<MemoryNode>, std::less<>>;

  // What was done to a file's content since its last sync: bytes appended, or a cut to `size`.
  struct Pending {
    bool is_cut = false;
    uint64_t size = 0;
    std::string bytes;
  };

  explicit MemoryNode(bool folder) : is_folder(folder) {}

  void append(std::string_view more);
  void cut(uint64_t size);
  void make_durable();
  // The disk could not write: zeros stand where the bytes should be, and no later sync reaches it.
  void fail_sync();
  void lose_power(Random& random);

  const bool is_folder;
  std::string bytes;    // as seen
  std::string durable;  // as last synced
  std::vector<Pending> pending;
  bool sync_failed = false;

  Names names;          // as seen
  Names durable_names;  // as last synced
  std::deque<std::shared_ptr<NameChange>> journal;
};

using NodePointer = std::shared_ptr<MemoryNode>;

// Names given (or, where `target` is null, taken away) at once: one effect, or the two of a rename.
struct NameChange {
  struct Effect {
    NodePointer folder;
    std::string name;
    NodePointer target;
  };
  std::vector<Effect> effects;
};

struct MemoryFiles::Disk {
  struct Fault {
    Operation operation;
    uint64_t countdown;
    std::string path_part;
  };

  Disk() = default;
  // A folder's journal and the changes in it own each other.
  ~Disk() {
    for (const auto& change : unsettled) change->effects.clear();
  }

  // The node of a path, or null. ".", empty parts and a leading "/" mean nothing, ".." is the folder above.
  NodePointer find(std::string_view path) const;
  // The folder that holds the last part of a path, and that part; null where there is no such folder.
  NodePointer find_folder_of(std::string_view path, std::string& last) const;
  void change_names(std::vector<NameChange::Effect> effects);
  void settle_folder(const NodePointer& folder);
  void lose_power(Random& random);
  // True where the operation is to fail by an injected fault; an error where the gate refuses it.
  Result<bool> enter(Operation operation, const std::string& path);
  uint64_t used() const;

  std::mutex mutex;
  NodePointer root = std::make_shared<MemoryNode>(true);
  std::deque<std::shared_ptr<NameChange>> unsettled;  // all journals, in the order of the changes
  std::set<const MemoryNode*> locked;
  std::map<const MemoryNode*, int> opened;  // how often; who has no name any more takes room until it is closed
  uint64_t epoch = 0;                       // counts the power cuts
  Gate gate;
  std::vector<Fault> faults;
  std::optional<uint64_t> capacity;

 private:
  void settle(std::shared_ptr<NameChange> change);
};

}  // namespace caddis::io
