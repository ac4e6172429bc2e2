// Holds a package against the specification: what must be there, digests of all that is listed, nothing that is not, the
// index against the WARC files, the pages, and the signature.
//
// One thread. Memory: what datapackage.json lists, and a piece.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::wacz {

struct ValidationReport {
  std::vector<std::string> faults;   // what the specification forbids; the first kMostFaults
  std::vector<std::string> remarks;  // what is unusual, and what was not checked
  uint64_t resources = 0, captures = 0, pages = 0;
  std::string signer;  // "the key …" or "the domain …"; empty: it is not signed

  bool is_valid() const { return faults.empty(); }
};

inline constexpr size_t kMostFaults = 100;

// An error if it is no zip archive at all.
Result<ValidationReport> validate_package(io::Files& files, const std::string& path);

}  // namespace caddis::wacz
