// Indexes archive files that are put into a collection's folders while it is served. Each look takes those that are new
// and have not grown since the last one, adds their lines to `indexes/auto-index.cdxj`, and notes their names beside it
// (`auto-index.files`), so that each is read once, whoever looks. Files that an index of the collection has already
// are noted only.
//
// One thread at a time; it reads and writes files meanwhile.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/collection/launch.h"
#include "caddis/io/files.h"

namespace caddis::cdx {

class AutoIndexer {
 public:
  AutoIndexer(io::Files& files, const std::string& collection, CaptureIndex& index)
      : files_(files), layout_(collection), index_(index) {}

  struct Look {
    uint64_t files = 0, lines = 0;      // indexed
    std::vector<std::string> problems;  // of files that could not be read, in words
  };
  Result<Look> look();

 private:
  struct Found {
    std::string name;  // in the index
    std::string path;
  };
  Result<void> read_noted();
  Result<void> note(const std::vector<std::string>& names);
  std::vector<Found> settled_files();
  Result<bool> is_indexed(const Found& file) const;
  std::string index_path() const { return layout_.indexes() + "/auto-index.cdxj"; }
  std::string noted_path() const { return layout_.indexes() + "/auto-index.files"; }

  io::Files& files_;
  const collection::Layout layout_;
  CaptureIndex& index_;
  bool has_read_ = false;
  std::set<std::string, std::less<>> noted_;
  std::map<std::string, uint64_t> sizes_;  // of new files, at the last look
};

}  // namespace caddis::cdx
