#include "caddis/io/memory_disk.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::io {

void MemoryNode::append(std::string_view more) {
  bytes.append(more);
  if (pending.empty() || pending.back().is_cut) pending.emplace_back();
  pending.back().bytes.append(more);
}

void MemoryNode::cut(uint64_t size) {
  bytes.resize(size);
  pending.push_back({.is_cut = true, .size = size});
}

void MemoryNode::make_durable() {
  if (sync_failed) return;
  for (const Pending& change : pending) {
    if (change.is_cut)
      durable.resize(change.size);
    else
      durable.append(change.bytes);
  }
  pending.clear();
}

void MemoryNode::fail_sync() {
  sync_failed = true;
  for (Pending& change : pending) std::ranges::fill(change.bytes, '\0');
}

void MemoryNode::lose_power(Random& random) {
  const uint64_t kept = pending.empty() ? 0 : random.below(pending.size() + 1);
  if (kept < pending.size()) {
    Pending& torn = pending[kept];
    const bool part_survives = !torn.is_cut && !torn.bytes.empty();
    if (part_survives) torn.bytes.resize(random.below(torn.bytes.size() + 1));
    pending.resize(kept + (part_survives ? 1 : 0));
  }
  sync_failed = false;
  make_durable();
  bytes = durable;
}

NodePointer MemoryFiles::Disk::find(std::string_view path) const {
  std::vector<NodePointer> way{root};
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (way.size() > 1) way.pop_back();
      continue;
    }
    const auto& names = way.back()->names;
    const auto found = names.find(part);
    if (found == names.end()) return nullptr;
    way.push_back(found->second);
  }
  return way.back();
}

NodePointer MemoryFiles::Disk::find_folder_of(std::string_view path, std::string& last) const {
  last = base_name(path);
  const NodePointer folder = find(parent_path(path));
  return folder && folder->is_folder ? folder : nullptr;
}

void MemoryFiles::Disk::change_names(std::vector<NameChange::Effect> effects) {
  const auto change = std::make_shared<NameChange>(std::move(effects));
  for (const auto& [folder, name, target] : change->effects) {
    if (target)
      folder->names[name] = target;
    else
      folder->names.erase(name);
    if (folder->journal.empty() || folder->journal.back() != change) folder->journal.push_back(change);
  }
  unsettled.push_back(change);
}

void MemoryFiles::Disk::settle_folder(const NodePointer& folder) {
  while (!folder->journal.empty()) settle(folder->journal.front());
}

// Makes a change durable, and before it what came before it in its folders.
// A copy of the pointer: the journal it lies in is popped here.
void MemoryFiles::Disk::settle(std::shared_ptr<NameChange> change) {  // NOLINT(performance-unnecessary-value-param)
  for (const auto& effect : change->effects) {
    while (effect.folder->journal.front() != change) settle(effect.folder->journal.front());
  }
  for (const auto& [folder, name, target] : change->effects) {
    if (target)
      folder->durable_names[name] = target;
    else
      folder->durable_names.erase(name);
    if (!folder->journal.empty() && folder->journal.front() == change) folder->journal.pop_front();
  }
  std::erase(unsettled, change);
}

void MemoryFiles::Disk::lose_power(Random& random) {
  std::map<const MemoryNode*, uint64_t> left;  // changes of the folder that still survive
  const auto all = unsettled;
  for (const auto& change : all) {
    bool survives = true;
    for (const auto& effect : change->effects) {
      const auto [entry, is_new] = left.try_emplace(effect.folder.get());
      if (is_new) entry->second = random.below(effect.folder->journal.size() + 1);
      survives = survives && entry->second > 0;
    }
    if (survives) settle(change);
    for (const auto& effect : change->effects) {
      uint64_t& folder_left = left[effect.folder.get()];
      folder_left = survives ? folder_left - (&effect == &change->effects.front() ||
                                              effect.folder != change->effects.front().folder)
                             : 0;
    }
  }
  // Folders that were taken away keep their journals otherwise: they own each other.
  for (const auto& change : unsettled) change->effects.clear();
  unsettled.clear();

  std::set<const MemoryNode*> visited;
  std::vector<NodePointer> open{root};
  while (!open.empty()) {
    const NodePointer node = open.back();
    open.pop_back();
    if (!visited.insert(node.get()).second) continue;
    if (node->is_folder) {
      node->names = node->durable_names;
      node->journal.clear();
      for (const auto& [name, child] : node->names) open.push_back(child);
    } else {
      node->lose_power(random);
    }
  }
  locked.clear();
  opened.clear();
  faults.clear();
  ++epoch;
}

Result<bool> MemoryFiles::Disk::enter(Operation operation, const std::string& path) {
  if (gate) TRY_VOID(gate(operation, path));
  for (auto fault = faults.begin(); fault != faults.end(); ++fault) {
    if (fault->operation != operation || path.find(fault->path_part) == std::string::npos) continue;
    if (--fault->countdown > 0) continue;
    faults.erase(fault);
    return true;
  }
  return false;
}

uint64_t MemoryFiles::Disk::used() const {
  uint64_t sum = 0;
  std::set<const MemoryNode*> visited;
  std::vector<const MemoryNode*> waiting{root.get()};
  while (!waiting.empty()) {
    const MemoryNode* node = waiting.back();
    waiting.pop_back();
    if (!visited.insert(node).second) continue;
    sum += node->bytes.size();
    for (const auto& [name, child] : node->names) waiting.push_back(child.get());
  }
  for (const auto& [node, times] : opened)
    if (!visited.contains(node)) sum += node->bytes.size();
  return sum;
}

}  // namespace caddis::io
