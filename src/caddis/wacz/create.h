// Makes a WACZ 1.1.1 file of WARC files: an index of them, made anew and packed as ZipNum, a list of pages, and the
// datapackage with a digest of each, signed if there is a key.
//
// One thread; each WARC file is read three times (for the index, for the digest, and to be copied). Memory does not grow
// with them. Temporary files stand beside the output, and go.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/wacz/signature.h"

namespace caddis::wacz {

struct PackedArchive {
  std::string name;  // in archive/
  std::string path;
};

struct CreateOptions {
  std::string title, description, main_url, main_time;  // empty ones are left out
  std::string software;
  std::string pages;  // a list of pages ("json-pages-1.0"); empty: captures of HTML with status 200 are taken
  const SigningKey* key = nullptr;  // null: it is not signed
  WallTime now;
};

struct CreateReport {
  uint64_t archives = 0, captures = 0, pages = 0, bytes = 0;
  std::vector<std::string> remarks;  // flaws of the archives
};

// ErrorCode::conflict if the output is there, or two archives have one name; unsupported for what is no WARC file in gzip
// or without compression.
Result<CreateReport> create_package(io::Files& files, const std::vector<PackedArchive>& archives,
                                    const std::string& output, const CreateOptions& options);

}  // namespace caddis::wacz
