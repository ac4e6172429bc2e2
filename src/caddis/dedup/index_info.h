// The facts about a digest index, and their text at its end: what it was made of and by which rules, how much it holds,
// and where its parts lie (docs/formats/digest-index.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/io/digest.h"
#include "caddis/io/file_stamp.h"

namespace caddis::dedup {

inline constexpr std::string_view kIndexHead = "caddis-digest-index/1\n";
inline constexpr size_t kIndexHeadSize = 32;  // with zeros behind the text
inline constexpr std::string_view kIndexEnd = "digestix";
inline constexpr size_t kIndexTrailerSize = 16;
inline constexpr size_t kPrefixSize = 12;  // bytes of a digest by which the table is searched
inline constexpr size_t kTableEntrySize = 19;
inline constexpr unsigned kLeastBuckets = 8, kMostBuckets = 28;  // as powers of two

// A file of which the index was made.
struct SourceFile {
  std::string name;  // as it was given
  io::FileStamp stamp;
};

// A part of the file.
struct Section {
  uint64_t offset = 0, size = 0;
  uint32_t checksum = 0;
};

struct IndexInfo {
  io::DigestAlgorithm algorithm = io::DigestAlgorithm::sha1;
  std::string rules;       // of the index key
  uint64_t originals = 0;  // URLs with a payload
  uint64_t digests = 0;    // different payloads
  uint64_t entries = 0;    // of the table
  WallTime first, last;    // the dates of its captures
  unsigned bucket_bits = kLeastBuckets;
  std::vector<SourceFile> sources;
  Section blocks, directory, dictionary, table, buckets;
};

std::string info_text(const IndexInfo& info);
Result<IndexInfo> parse_info(std::string_view text);

// The number by which the table knows the index key of a URL.
uint32_t key_hash(std::string_view url_key);

// The sources that are not there any more, or are not as they were.
std::vector<SourceFile> changed_sources(io::Files& files, const IndexInfo& info);

}  // namespace caddis::dedup
