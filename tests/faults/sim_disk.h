// One simulated machine's storage: files and key-value stores that lose power together, at an operation of choice.
//
//   SimDisk disk(seed);
//   disk.cut_power_after(disk.random.below(500));       // operations that change something
//   run_the_program(disk.files, disk.kv_opener());      // sees every operation fail once the power is off
//   disk.crash();                                       // what was not synced is lost, in part or whole; the power is
//   back run_the_program(...)                                // recovers
//
// The objects of the killed program may be dropped before or after crash(): they cannot reach the new life.
// The same seed and the same program give the same run. Any thread may use the files and stores; the rest is for one
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/io/memory_files.h"
#include "caddis/store/memory_kv.h"

namespace caddis::testing {

class SimDisk {
 public:
  explicit SimDisk(uint64_t seed) : random(seed) {
    files.set_gate([this](io::MemoryFiles::Operation operation, const std::string& path) -> Result<void> {
      using Operation = io::MemoryFiles::Operation;
      if (operation == Operation::read && !counted.empty() && path == counted) ++reads_of_counted;
      if (operation != Operation::read && !broken_folder.empty() && path.contains(broken_folder))
        return fail(ErrorCode::io, "cannot reach " + path);
      return pass_gate(operation != Operation::read && operation != Operation::open);
    });
  }
  SimDisk(const SimDisk&) = delete;
  SimDisk& operator=(const SimDisk&) = delete;

  // A store for each path; outlives its Kvs.
  store::KvOpener kv_opener() {
    return [this](const std::string& path, const std::vector<std::string>& families) {
      return open_store(path, store_at(path), families);
    };
  }

  // After `operations` more changes (writes, syncs, renames, batches …) the power goes: all that follows fails.
  void cut_power_after(uint64_t operations) {
    const std::lock_guard lock(mutex_);
    left_ = operations;
  }
  // The power goes now.
  void cut_power() {
    const std::lock_guard lock(mutex_);
    left_ = 0;
    was_refused_ = true;
  }
  // Keeps the power on.
  void disarm() {
    const std::lock_guard lock(mutex_);
    left_.reset();
  }
  bool power_is_off() const {
    const std::lock_guard lock(mutex_);
    return left_ == 0u && was_refused_;
  }
  // The store at that path is lost, whole.
  void lose_store(const std::string& path) {
    const std::lock_guard lock(mutex_);
    stores_.erase(path);
  }
  // Changes made so far, over all lives.
  uint64_t operations() const {
    const std::lock_guard lock(mutex_);
    return operations_;
  }

  // The power goes, if it has not gone yet, and comes back; nothing is armed any more.
  void crash() {
    files.crash(random);
    for (auto& [path, kv] : stores_) kv.crash(random);
    const std::lock_guard lock(mutex_);
    left_.reset();
    was_refused_ = false;
    ++crashes_;
  }
  uint64_t crashes() const { return crashes_; }

  // While not empty, files whose path has this part can be read and nothing else.
  std::string broken_folder;
  // Of the file with this path, how often it was read from.
  std::string counted;
  uint64_t reads_of_counted = 0;
  io::MemoryFiles files;
  SeededRandom random;

 private:
  store::MemoryKvDisk& store_at(const std::string& path) {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = stores_.try_emplace(path);
    if (is_new) {
      entry->second.set_gate([this](const store::Batch&, store::Durability) { return pass_gate(true); });
      entry->second.save_to(files);
    }
    return entry->second;
  }
  // A checkpoint that was put where the store is becomes the store.
  Result<std::unique_ptr<store::Kv>> open_store(const std::string& path, store::MemoryKvDisk& kv,
                                                const std::vector<std::string>& families) {
    const std::string rows = path + "/rows";
    if (files.exists(rows)) {
      TRY(const std::string bytes, files.read_all(rows));
      TRY_VOID(kv.load(bytes));
      TRY_VOID(files.remove(rows));
      TRY_VOID(files.sync_dir(path));
    }
    return kv.open(families);
  }

  Result<void> pass_gate(bool is_change) {
    const std::lock_guard lock(mutex_);
    if (left_ == 0u && (is_change || was_refused_)) {
      was_refused_ = true;
      return fail(ErrorCode::io, "the power is off");
    }
    if (is_change) {
      ++operations_;
      if (left_) --*left_;
    }
    return {};
  }

  mutable std::mutex mutex_;
  std::map<std::string, store::MemoryKvDisk> stores_;
  std::optional<uint64_t> left_;  // changes until the power goes
  bool was_refused_ = false;      // the program has noticed
  uint64_t operations_ = 0;
  uint64_t crashes_ = 0;
};

}  // namespace caddis::testing
