// The lists of seeds of a launch, of any length: <launch>/state/seeds/000001.<name> is a copy of the first one that was
// given, inflated if it was gzip. The crawl reads the copy (seed_intake.h), and goes on in the middle of it after a
// death, so it does not matter what becomes of what was given: a pipe, or a file that somebody changes.
//
// A copy is there whole or not at all. Blocks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/io/files.h"

namespace caddis::crawl {

// A list as people give it.
struct SeedSource {
  std::string name;                           // for people: a path, "standard input"
  std::function<Result<std::string>()> read;  // the next bytes; empty at the end
};
// A file.
Result<SeedSource> seed_source_of_file(io::Files& files, const std::string& path);

// A copy.
struct SeedList {
  std::string file;   // its name: "000001.seeds.txt"
  std::string shown;  // for people: "seeds.txt"
  std::string path;
};

// Makes the copy. ErrorCode::config if a line is so long that this is no list of seeds, or gzip is damaged.
Result<SeedList> copy_seed_list(io::Files& files, const collection::Launch& launch, const SeedSource& source);
// Copies that a process has died in: they are of nobody. To be called by whoever holds the collection's lock.
Result<void> remove_unfinished_copies(io::Files& files, const std::string& collection);
// In the order in which they were given.
Result<std::vector<SeedList>> seed_lists(io::Files& files, const collection::Launch& launch);

// Reads a copy in parts of whole lines.
class SeedListReader {
 public:
  static constexpr size_t kPart = 128 * 1024, kLongestLine = 100'000;

  // From `offset` on, where a line begins. ErrorCode::corrupt if the copy is shorter.
  static Result<SeedListReader> open(io::Files& files, const SeedList& list, uint64_t offset);
  // The next lines, at most about kPart bytes of them; empty at the end. Good until the next call.
  Result<std::string_view> next();
  // Where the lines end that `next` has given.
  uint64_t offset() const { return offset_; }

 private:
  explicit SeedListReader(std::unique_ptr<io::File> file, uint64_t offset) : file_(std::move(file)), offset_(offset) {}

  std::unique_ptr<io::File> file_;
  uint64_t offset_;
  std::string part_;
};

// The first lines of a list, as far as they tell of all of it.
struct SeedListLook {
  bool has_seed = false;
  bool only_loopback = true;          // of the seeds looked at
  std::vector<std::string> problems;  // if it has no seed: the first ones, for people
};
// Reads on until a seed is found; if `contact_missing`, until one is found that does not stay on this machine.
Result<SeedListLook> look_at_seed_list(io::Files& files, const SeedList& list, bool contact_missing);
// For making room.
Result<uint64_t> count_lines(io::Files& files, const SeedList& list);

}  // namespace caddis::crawl
