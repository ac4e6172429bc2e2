// Sorts lines by their bytes, identical ones once, in bounded memory: what does not fit is sorted in runs beside the
// output and merged. The output appears whole or not at all. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::cdx {

class LineSorter {
 public:
  // `memory`: bytes of lines that are sorted at once.
  LineSorter(io::Files& files, std::string output, size_t memory);
  ~LineSorter();
  LineSorter(const LineSorter&) = delete;
  LineSorter& operator=(const LineSorter&) = delete;

  // Without line end.
  Result<void> add(std::string_view line);
  // All lines of a sorted file, which must stay until `finish`.
  void add_sorted(std::string path) { sorted_.push_back(std::move(path)); }
  // Writes the output, and gives the number of its lines.
  Result<uint64_t> finish();
  // The same in steps, each of about so many bytes of lines. True if all is written. After an error it is over.
  Result<bool> finish_some(uint64_t bytes);

 private:
  class UniqueWriter;
  struct Output;
  // A line that is held, and its first bytes as a number that sorts as they do.
  struct Line {
    uint64_t begin;
    std::string_view text;
    bool operator<(const Line& other) const { return begin != other.begin ? begin < other.begin : text < other.text; }
  };
  std::string_view keep(std::string_view line);
  void let_go();
  Result<void> remove_other_runs();
  Result<void> write_run();
  Result<void> begin_output();
  Result<void> open_runs();
  Result<void> advance(size_t run);
  Result<bool> write_next();

  io::Files& files_;
  const std::string output_;
  const size_t memory_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t block_left_ = 0;
  std::vector<Line> lines_;
  size_t held_ = 0;
  std::vector<std::string> runs_, sorted_;  // files of its own, and of others
  std::unique_ptr<Output> finishing_;
};

}  // namespace caddis::cdx
