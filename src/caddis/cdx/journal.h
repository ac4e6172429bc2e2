// The CDX journal of a crawl: index lines in the order in which captures were committed, unsorted. While the crawl runs
// it is read into memory piece by piece (JournalReader); at its end `sort_journal` makes a sorted index of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/line_source.h"
#include "caddis/io/files.h"
#include "caddis/store/streams.h"

namespace caddis::cdx {

struct SortLimits {
  size_t memory = 256u << 20;  // bytes of lines sorted at once; more is sorted in runs beside the output and merged
  std::function<bool(std::string_view line)> keep;  // lines for which it says false are left out
  // Returns what is sorted in the place of a line.
  std::function<Result<std::string>(std::string_view line)> change;
};

// Gives each capture line of all `indexes` in turn: no headers, and no empty lines. Those that are not there count as empty.
Result<void> each_capture_line(io::Files& files, const std::vector<std::string>& indexes,
                               const std::function<Result<void>(std::string_view line)>& use);

// The same for a journal, as far as it is committed: a last line without line end is left out.
Result<void> each_capture_line(io::Files& files, const store::LogParts& journal,
                               const std::function<Result<void>(std::string_view line)>& use);

// Gives each capture line of a file from `from` on, which is the beginning of a line, up to `to`. Returns the offset
// behind the last complete line.
Result<uint64_t> each_line_between(io::Files& files, const std::string& path, uint64_t from, uint64_t to,
                                   const std::function<Result<void>(std::string_view line)>& use);

// Sorts the capture lines of all `indexes`, sorted or not, by their bytes into `output` (*.cdxj), identical lines once.
// `output` appears whole or not at all: written beside, synced, renamed, its folder synced. Returns the number of lines
// written.
Result<uint64_t> sort_files(io::Files& files, const std::vector<std::string>& indexes, const std::string& output,
                            const SortLimits& limits = {});

// The same for the lines of a journal that are committed.
Result<uint64_t> sort_journal(io::Files& files, const store::LogParts& journal, const std::string& output,
                              const SortLimits& limits = {});

// Follows a journal as it grows, also in the further files (`path.N`) in which its stream went on after a failed sync.
// What is new is read in blocks. Held in memory are the lines that stand in no index yet. Not thread-safe.
class JournalReader {
 public:
  JournalReader(io::Files& files, std::string path, url::KeyPolicy policy = url::KeyPolicy::ia_surt())
      : files_(files), path_(std::move(path)), policy_(std::move(policy)) {}

  // Takes up lines that were added behind what an index holds already: `indexed` bytes of each of the journal's files,
  // in their order. Begins anew where that changed, and where a file became shorter or vanished (a recovery cut it).
  Result<void> refresh(const std::vector<uint64_t>& indexed = {});
  const std::shared_ptr<MemoryLines>& lines() const { return lines_; }
  const std::string& path() const { return path_; }
  const url::KeyPolicy& policy() const { return policy_; }

 private:
  struct Part {
    std::string path;
    uint64_t begin = 0, end = 0;  // taken up
  };
  // Takes up what is new; false where the files are not those of the last time.
  Result<bool> go_on(const std::vector<std::string>& found);

  io::Files& files_;
  std::string path_;
  url::KeyPolicy policy_;
  std::shared_ptr<MemoryLines> lines_ = std::make_shared<MemoryLines>(policy_);
  std::vector<Part> parts_;
  std::vector<uint64_t> indexed_;
};

}  // namespace caddis::cdx
