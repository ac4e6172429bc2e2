// A WACZ file (https://specs.webrecorder.net/wacz/1.1.1/) opened for reading: its entries, each readable by ranges if it
// is stored as it is, and whole if it is compressed and small.
//
//   archive/*.warc.gz           WARC files
//   indexes/index.cdx.gz, .idx  or index.cdx, index.cdxj
//   pages/*.jsonl               pages
//   datapackage.json            what there is, with digests; datapackage-digest.json: its own, perhaps signed
//
// Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/wacz/zip_directory.h"

namespace caddis::wacz {

inline constexpr std::string_view kDataPackage = "datapackage.json";
inline constexpr std::string_view kDataPackageDigest = "datapackage-digest.json";
inline constexpr std::string_view kPages = "pages/pages.jsonl";
inline constexpr std::string_view kIndex = "indexes/index.cdx.gz";
inline constexpr std::string_view kIndexOfIndex = "indexes/index.idx";
// A compressed entry that is larger is not read.
inline constexpr uint64_t kLargestUnpacked = 256 << 20;

class Package : public std::enable_shared_from_this<Package> {
 public:
  // ErrorCode::parse if it is no zip archive.
  static Result<std::shared_ptr<const Package>> open(io::Files& files, const std::string& path);

  const std::vector<PackedFile>& entries() const { return entries_; }
  // Null if there is none.
  const PackedFile* find(std::string_view name) const;
  // The bytes of a stored entry in place; of a compressed one a copy in memory. ErrorCode::unsupported for a compressed
  // WARC file: the format wants those stored.
  Result<std::unique_ptr<io::File>> open_entry(const PackedFile& entry) const;
  // ErrorCode::limit if it is larger.
  Result<std::string> read(std::string_view name, uint64_t most) const;

 private:
  Package(std::unique_ptr<io::File> file, std::vector<PackedFile> entries)
      : file_(std::move(file)), entries_(std::move(entries)) {}
  Result<std::string> unpack(const PackedFile& entry, uint64_t most) const;

  const std::unique_ptr<io::File> file_;
  const std::vector<PackedFile> entries_;
};

// True for names of WACZ files.
bool is_package_name(std::string_view name);

// A file in memory that can only be read.
std::unique_ptr<io::File> file_of_bytes(std::string bytes);

}  // namespace caddis::wacz
