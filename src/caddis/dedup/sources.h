// The kinds of files that tell of captures: archives, their indexes, logs of crawls, and digest indexes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/dedup/index_key.h"
#include "caddis/dedup/intake.h"
#include "caddis/io/files.h"

namespace caddis::dedup {

enum class SourceKind { archive, cdxj, cdx, crawl_log, digest_index };
std::string_view to_string(SourceKind kind);

// Told from the first bytes, never from the name. ErrorCode::unsupported for anything else.
Result<SourceKind> kind_of(io::Files& files, const std::string& path);

// The files that a person means: a file itself; the indexes of a collection; the archives below another folder.
Result<std::vector<std::string>> find_sources(io::Files& files, const std::string& path);

// Give all captures of a file. Lines and records that make no sense are counted; flaws of the file that lose something
// are returned in words.
struct ReadSource {
  std::vector<std::string> flaws;
};
Result<ReadSource> read_archive(io::Files& files, const std::string& path, Intake& intake);
Result<ReadSource> read_cdxj(io::Files& files, const std::string& path, const IndexKey& key, Intake& intake);
Result<ReadSource> read_cdx(io::Files& files, const std::string& path, Intake& intake);
Result<ReadSource> read_crawl_log(io::Files& files, const std::string& path, Intake& intake);
Result<ReadSource> read_digest_index(io::Files& files, const std::string& path, const IndexKey& key,
                                     io::DigestAlgorithm algorithm, Intake& intake);

}  // namespace caddis::dedup
