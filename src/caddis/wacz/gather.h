// The content of a package: the WARC files of a collection, of one launch, or those that hold the answer to a query.
//
// One thread.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/cdx/query.h"
#include "caddis/io/files.h"
#include "caddis/wacz/create.h"

namespace caddis::wacz {

struct Gathered {
  std::vector<PackedArchive> archives;
  std::string pages;                 // a list of pages; empty: there is none
  std::vector<std::string> remarks;  // what is left out, and why
};

// All of it; with a launch (its name), that alone.
Result<Gathered> gather_collection(io::Files& files, const std::string& collection, const std::string& launch);
// A file, or all archives in a folder.
Result<Gathered> gather_files(io::Files& files, const std::vector<std::string>& paths);

// Copies the records of the captures that a query finds into a new WARC file (`.warc.gz`), byte for byte, with those that
// revisits among them refer to. `remarks` says of which none was found. ErrorCode::not_found if there is none at all.
struct CopiedCaptures {
  uint64_t captures = 0, originals = 0;
  std::vector<std::string> remarks;
};
Result<CopiedCaptures> copy_captures(io::Files& files, const Clock& clock, const std::string& collection,
                                     const cdx::Query& query, const std::string& output);

}  // namespace caddis::wacz
