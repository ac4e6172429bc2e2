// Makes index lines of archive files, also of those made by others: one line for each response, resource and revisit
// record.
//
// Requests, metadata, conversions and continuations get none: they bear the URL of the capture they belong to, and a
// replay would take them for it. A request other than a GET gives its capture another key (posted_captures.h). Agrees with pywb's and cdxj-indexer's lines (docs/formats/cdxj.md tells where not).
// The functions hold no state; different files may be indexed by different threads at once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/url/key_policy.h"

namespace caddis::cdx {

struct IndexedFile {
  uint64_t records = 0;  // all that were read
  uint64_t lines = 0;
  std::vector<std::string> problems;  // flaws of the file, at most 20: where they are, in words
  bool is_damaged = false;            // of those, one by which something is lost
  // Where there is no record at all: what the file is instead, and what to do with it. Empty otherwise.
  std::string foreign;
};

// Gives the lines of `path` in the order of the file, without records of which something is missing. `filename` is what
// the lines name (by default the name in the path).
Result<IndexedFile> index_archive(io::Files& files, const std::string& path, std::string_view filename,
                                  const std::function<Result<void>(std::string_view line)>& use,
                                  const url::KeyPolicy& policy = url::KeyPolicy::ia_surt());

// True for names of files that are archives: .warc, .arc, either with .gz or .zst, and ".open" behind (being written).
bool is_archive_name(std::string_view name);
// All archives at `path` (a file of any name, or a folder searched downwards), sorted.
Result<std::vector<std::string>> find_archives(io::Files& files, const std::string& path);

}  // namespace caddis::cdx
