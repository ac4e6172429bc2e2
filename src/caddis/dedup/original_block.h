// A block of the digest index: sixteen originals that follow each other, with what is known of them
// (docs/formats/digest-index.md).
//
// URLs are stored as what differs from the URL before, dates as seconds since the date before; what is left is
// compressed. Bytes that cannot be compressed, digests and UUIDs, stand beside.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/dedup/original.h"
#include "caddis/dedup/stored_url.h"
#include "caddis/io/small_blocks.h"

namespace caddis::dedup {

inline constexpr size_t kOriginalsPerBlock = 16;

// The text of a block, and what stands beside it.
class BlockText {
 public:
  // `digest_rest` is the part of the digest that the table does not hold.
  void add(std::string_view digest_rest, const Original& original);
  size_t count() const { return count_; }
  const std::string& text() const { return text_; }
  // One piece of bytes from which `append_block` makes the block; the text is empty afterwards.
  std::string take();

 private:
  void add_facts(const Original& original, uint8_t flags, std::string_view uuid);

  size_t count_ = 0;
  std::string text_, rests_, uuids_;
  std::string previous_url_;
  int64_t previous_seconds_ = 0;
};

// The block of what BlockText::take gave.
void append_block(std::string& out, std::string_view taken, io::BlockCompressor& compressor);
// The compressible part of what BlockText::take gave.
std::string_view text_of(std::string_view taken);

// Reads a block. Its text is valid until the thread opens another.
class OriginalBlock {
 public:
  struct Entry {
    std::string_view digest_rest;
    Original original;
  };
  // `count` originals, of whose digests `rest_size` bytes stand here. ErrorCode::corrupt if it is damaged.
  static Result<OriginalBlock> open(std::string_view bytes, size_t count, size_t rest_size,
                                    const io::BlockDecompressor& decompressor);

  std::string_view digest_rest(size_t i) const { return rests_.substr(i * rest_size_, rest_size_); }
  // The original at that place; ErrorCode::corrupt if what stands there makes no sense.
  Result<Original> original(size_t i) const;
  Result<std::vector<Entry>> all() const;

 private:
  class Rows;
  OriginalBlock() = default;

  size_t count_ = 0, rest_size_ = 0;
  std::string_view rests_, text_, uuids_;
};

}  // namespace caddis::dedup
