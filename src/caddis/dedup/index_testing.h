// Helpers of the tests of the digest index.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/base/check.h"
#include "caddis/base/time_format.h"
#include "caddis/dedup/digest_index.h"
#include "caddis/dedup/digest_index_writer.h"
#include "caddis/io/digest.h"

namespace caddis::dedup {

inline Original original(std::string url, std::string_view date, std::string record_id = {}) {
  return {std::move(url), *parse_w3c_date(date), std::move(record_id), {}, {}};
}

struct Stored {
  std::string payload;  // its SHA-1 is the digest
  Original original;
};

// Writes `path` and opens it.
inline std::unique_ptr<DigestIndex> index_of(io::Files& files, const std::string& path,
                                             const std::vector<Stored>& stored, WriterOptions options = {}) {
  DigestIndexWriter writer(files, path, std::move(options));
  for (const Stored& one : stored) CADDIS_CHECK(writer.add(io::sha1(one.payload), one.original).has_value());
  CADDIS_CHECK(writer.finish().has_value());
  auto index = DigestIndex::open(files, path);
  CADDIS_CHECK(index.has_value());
  return *std::move(index);
}

inline std::string label_of(std::string_view payload) { return io::digest_label(io::sha1(payload)); }

}  // namespace caddis::dedup
