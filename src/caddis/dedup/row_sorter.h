// Sorts rows of bytes, more than memory holds, by their bytes: runs of them are sorted in memory and written beside the
// output, then merged.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::dedup {

// One thread. Its temporary files are gone when it is.
class RowSorter {
 public:
  // Runs are written as `path`0, `path`1 and so on, when about `memory` bytes (4 GiB at most) are held.
  RowSorter(io::Files& files, std::string path, size_t memory);
  ~RowSorter();
  RowSorter(const RowSorter&) = delete;
  RowSorter& operator=(const RowSorter&) = delete;

  Result<void> add(std::string_view row);
  // Gives all rows in order, once; then the sorter is empty. A row is valid for the call.
  Result<void> drain(const std::function<Result<void>(std::string_view row)>& use);

 private:
  struct Reference {
    uint64_t prefix;  // the first bytes, as a number that compares as they do
    uint32_t offset, size;
  };
  std::string_view row(const Reference& reference) const { return {rows_.data() + reference.offset, reference.size}; }
  void sort();
  Result<void> write_run();
  Result<void> merge(const std::function<Result<void>(std::string_view row)>& use);

  io::Files& files_;
  const std::string path_;
  const size_t memory_;
  std::string rows_;
  std::vector<Reference> references_;
  std::vector<std::string> runs_;
};

}  // namespace caddis::dedup
