// Small pieces of data that resemble each other, each compressed by itself, so that one of them is had without the
// others: zstd (RFC 8878) with a dictionary that was trained on some of them.
//
//   const std::string dictionary = train_dictionary(samples, 64 << 10);
//   BlockCompressor compressor(dictionary);
//   compressor.append(out, block);
//   const BlockDecompressor decompressor(dictionary);
//   TRY(const std::string_view same, decompressor.decompress(frame, limit));
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::io {

// At most `size` bytes; empty where there are too few samples to learn from. An empty dictionary is none.
std::string train_dictionary(const std::vector<std::string>& samples, size_t size);

// One thread.
class BlockCompressor {
 public:
  explicit BlockCompressor(std::string_view dictionary);
  ~BlockCompressor();
  BlockCompressor(const BlockCompressor&) = delete;
  BlockCompressor& operator=(const BlockCompressor&) = delete;

  // Appends one frame, which tells its size.
  void append(std::string& out, std::string_view block);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Any thread.
class BlockDecompressor {
 public:
  explicit BlockDecompressor(std::string_view dictionary);
  ~BlockDecompressor();
  BlockDecompressor(const BlockDecompressor&) = delete;
  BlockDecompressor& operator=(const BlockDecompressor&) = delete;

  // One whole frame of at most `limit` bytes; ErrorCode::corrupt otherwise. Valid until the thread's next call of it, on
  // whatever object.
  Result<std::string_view> decompress(std::string_view frame, size_t limit) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace caddis::io
