// Conversions into WARC 1.1: of ARC files, of HAR files, of folders and zip archives of files (docs/formats/warc.md).
//
// Each makes one file, whole or not at all. ErrorCode::conflict if `to` is there; ErrorCode::parse if `from` is not what
// it should be. Different files may be converted by different threads at once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/warc/packer.h"

namespace caddis::convert {

struct ConvertOptions {
  warc::Compression compression = warc::Compression::small;
  unsigned threads = 1;
  WallTime now = {};                                  // date of the warcinfo record, and of the records of a folder
  uint64_t seed = 0;                                  // of record ids
  std::string url_prefix;                             // of a folder or zip: what its files' paths are put behind
  std::function<void(uint64_t bytes)> progress = {};  // told now and then how much was read since; may be empty
};

struct ConvertReport {
  uint64_t records = 0;  // written, without the warcinfo record
  uint64_t left_out = 0;
  bool is_damaged = false;         // bytes of the input were passed over: notes say where
  uint64_t written = 0;            // bytes of the new file
  std::vector<std::string> notes;  // what was left out or is odd, with its place
};

// filedesc becomes the warcinfo record and a metadata record with the version block; dns: and what is no HTTP message
// become resources, all else responses.
Result<ConvertReport> convert_arc(io::Files& files, const std::string& from, const std::string& to,
                                  const ConvertOptions& options);
// A response and a request for each entry. Entries without an answer, or whose body was not saved, are left out. Logins
// (Authorization, Proxy-Authorization) are not copied; notes tell.
Result<ConvertReport> convert_har(io::Files& files, const std::string& from, const std::string& to,
                                  const ConvertOptions& options);
// A resource for each file in the folder and below it; links are left out.
Result<ConvertReport> convert_folder(io::Files& files, const std::string& from, const std::string& to,
                                     const ConvertOptions& options);
// Bounds against archives that are made to fill disks. Sizes are counted while an entry is read: an archive may lie.
struct ZipLimits {
  uint64_t entry = 16ULL << 30;  // bytes of one file
  uint64_t least = 1ULL << 30;   // bytes of all files, if the archive is small,
  uint64_t times = 100;          // or so many times its size
};
// A resource for each file in a zip archive. Links are left out, and encrypted entries, damaged ones, those whose names lead
// out of the archive, and what would unpack to more than ZipLimits allow.
Result<ConvertReport> convert_zip(io::Files& files, const std::string& from, const std::string& to,
                                  const ConvertOptions& options, const ZipLimits& limits = {});

}  // namespace caddis::convert
