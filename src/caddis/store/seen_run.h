// A run: an immutable file of spread fingerprints in ascending order, in blocks that a question can be answered from
// (docs/formats/seen.md). 6 bytes a value where there are 10^8; in RAM, 4 bytes for each block of some 400 values.
//
// A block holds the values whose upper bits are its number: they are evenly spread, so no index of keys is needed. Each
// block has a checksum, looked at whenever it is read.
//
// A SeenRun never changes, and may be read from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::store {

// How values lie in the blocks of a run; follows from their number.
struct SeenRunShape {
  explicit SeenRunShape(uint64_t values);
  uint64_t blocks() const { return 1ULL << prefix_bits; }
  uint64_t block_of(uint64_t value) const { return prefix_bits == 0 ? 0 : value >> (64 - prefix_bits); }

  int prefix_bits;  // of a value: the number of its block
  size_t width;     // bytes of what is left of it
};

inline constexpr uint64_t kMostValuesInRun = 0xffffffff;

// "<folder>/000001.run".
std::string seen_run_path(const std::string& folder, uint64_t number);

class SeenRun {
 public:
  // Reads the index. ErrorCode::corrupt where it is not the file of so many values that was written under this number.
  static Result<std::shared_ptr<const SeenRun>> open(io::Files& files, const std::string& folder, uint64_t number,
                                                     uint64_t values);

  uint64_t number() const { return number_; }
  uint64_t values() const { return values_; }
  uint64_t block_of(uint64_t value) const { return shape_.block_of(value); }
  uint64_t memory_bytes() const { return starts_.size() * sizeof(starts_[0]); }
  uint64_t disk_bytes() const { return offset_of(shape_.blocks()) + shape_.blocks() * sizeof(starts_[0]); }

  // Reads a block for `block_contains`. The first gives false where the disk has to be waited for.
  Result<bool> read_block_at_once(uint64_t block, std::string& bytes) const;
  Result<void> read_block(uint64_t block, std::string& bytes) const;
  bool block_contains(uint64_t block, std::string_view bytes, uint64_t value) const;

 private:
  friend class SeenRunScan;
  SeenRun(std::string path, uint64_t number, uint64_t values)
      : path_(std::move(path)), number_(number), values_(values), shape_(values) {}
  Result<void> load_index();
  Result<void> check(uint64_t block, std::string_view bytes) const;
  std::unexpected<Error> fail_damaged(std::string_view what) const;
  std::unexpected<Error> fail_unread(Error error) const;

  uint64_t offset_of(uint64_t block) const;
  size_t size_of(uint64_t block) const { return static_cast<size_t>(offset_of(block + 1) - offset_of(block)); }
  uint64_t value_at(uint64_t block, std::string_view bytes, size_t index) const;

  std::string path_;
  uint64_t number_;
  uint64_t values_;
  SeenRunShape shape_;
  std::vector<uint32_t> starts_;  // values before each block, and all of them
  std::unique_ptr<io::File> file_;
};

// Reads a run from front to back, checking every block.
class SeenRunScan {
 public:
  // What becomes of a block that does not have its checksum, or cannot be read: an error, or what of it can be values
  // of this block.
  enum class Damaged { refused, salvaged };

  explicit SeenRunScan(std::shared_ptr<const SeenRun> run, Damaged damaged = Damaged::refused)
      : run_(std::move(run)), damaged_(damaged) {}
  // The next values, some 100,000; none at the end. Valid until the next call.
  Result<std::span<const uint64_t>> next();
  // Blocks that were salvaged so far, and how many values they had.
  uint64_t damaged_blocks() const { return damaged_blocks_; }
  uint64_t damaged_values() const { return damaged_values_; }

 private:
  Result<void> read_bytes(uint64_t first, uint64_t end);
  Result<void> read_values(uint64_t block, std::string_view bytes);
  void salvage(uint64_t block, size_t from);

  std::shared_ptr<const SeenRun> run_;
  Damaged damaged_;
  uint64_t damaged_blocks_ = 0;
  uint64_t damaged_values_ = 0;
  uint64_t block_ = 0;
  std::string bytes_;
  std::vector<bool> unread_;  // of the blocks in bytes_, those that the disk does not give; empty where it gives all
  std::vector<uint64_t> values_;
};

// Writes a run. Ends with a file that is synced, and whose name is.
class SeenRunWriter {
 public:
  // What is already there under this number belongs to nobody, and is removed.
  static Result<std::unique_ptr<SeenRunWriter>> create(io::Files& files, const std::string& folder, uint64_t number,
                                                       uint64_t values);

  // In ascending order.
  Result<void> add(std::span<const uint64_t> values);
  // What was added so far is on disk: so that the end does not have to wait for all of it.
  Result<void> sync();
  // ErrorCode::corrupt where fewer or more values came than were promised.
  Result<void> finish();

 private:
  SeenRunWriter(io::Files& files, std::string folder, uint64_t number, uint64_t values)
      : files_(files), folder_(std::move(folder)), number_(number), values_(values), shape_(values) {}
  void end_block();
  Result<void> flush();

  io::Files& files_;
  std::string folder_;
  uint64_t number_;
  uint64_t values_;
  SeenRunShape shape_;
  std::unique_ptr<io::File> file_;
  std::string bytes_;
  size_t block_start_ = 0;  // in bytes_
  uint64_t added_ = 0;
  std::vector<uint32_t> counts_;  // of the blocks that are complete
  uint32_t count_ = 0;            // of the current one
};

}  // namespace caddis::store
