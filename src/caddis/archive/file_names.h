// Names of archive files by Heritrix's template, for example WEB-20261121004500123-00000-4711-crawler1-8444.warc.gz.
// A variable is written {prefix}, or ${prefix} as in Heritrix's settings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/archive/writer_spec.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/warc/packing.h"

namespace caddis::archive {

struct NameParts {
  std::string prefix;
  WallTime time;
  uint64_t serial = 0;
  std::string pid, host, full_host;  // the last one with its domain
  uint16_t port = 0;                 // where the control API of the crawl listens
};

// ErrorCode::config if the template has an unknown variable, or would not give different names to different files.
Result<void> check_name_template(std::string_view name_template);
// The file name with its ending. Characters that no file name may have become '_'.
std::string archive_file_name(std::string_view name_template, const NameParts& parts, std::string_view ending);

// ".warc.gz", ".warc.zst", ".warc", ".arc.gz", ".arc".
std::string file_ending(WriterKind kind, warc::Packing packing);

}  // namespace caddis::archive
