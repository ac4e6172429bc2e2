// Writes a digest index (docs/formats/digest-index.md) of originals that come in any order and any number.
//
// They are sorted by URL outside of memory, and joined where they are the same. Then they are written in blocks, and
// their digests sorted into the table. The file appears whole or not at all: it is written beside, synced and renamed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/dedup/index_info.h"
#include "caddis/dedup/index_key.h"
#include "caddis/dedup/original.h"
#include "caddis/dedup/original_block.h"
#include "caddis/dedup/row_sorter.h"
#include "caddis/dedup/section_output.h"
#include "caddis/dedup/text_spool.h"
#include "caddis/io/files.h"

namespace caddis::dedup {

struct WriterOptions {
  io::DigestAlgorithm algorithm = io::DigestAlgorithm::sha1;
  IndexKey key = standard_index_key();
  size_t memory = 512u << 20;  // about so much is held; what is more is sorted in files beside the output
};

// One thread. An index that is not finished leaves nothing behind.
class DigestIndexWriter {
 public:
  static constexpr size_t kMaxUrl = 64 << 10;

  DigestIndexWriter(io::Files& files, std::string path, WriterOptions options = {});
  ~DigestIndexWriter();
  DigestIndexWriter(const DigestIndexWriter&) = delete;
  DigestIndexWriter& operator=(const DigestIndexWriter&) = delete;

  // `digest` is raw. ErrorCode::parse where the URL has more than kMaxUrl bytes or control characters. The same payload
  // of the same URL is kept once, with its earliest date. An empty `url_key` is computed.
  Result<void> add(std::string_view digest, const Original& original, std::string_view url_key = {});
  void add_source(SourceFile source) { info_.sources.push_back(std::move(source)); }
  // Writes the file, over one that is there, and returns what it holds.
  Result<IndexInfo> finish();

 private:
  struct Found;  // an original as it comes out of the sorter

  Result<void> write_texts();
  Result<void> keep(const Found& found, BlockText& block);
  Result<void> write_blocks(SectionOutput& output);
  Result<void> write_table(SectionOutput& output);
  Result<void> write(SectionOutput& output);

  io::Files& files_;
  const std::string path_;
  const WriterOptions options_;
  const size_t digest_size_;
  IndexInfo info_;
  RowSorter originals_, entries_;
  TextSpool texts_;
};

}  // namespace caddis::dedup
