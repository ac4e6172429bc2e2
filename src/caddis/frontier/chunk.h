// A chunk is one row of a queue: the links that one visit found for one queue and precedence, with what they share
// (via, seed, hop path of the page) written once and URLs prefix-compressed. Grammar: docs/formats/frontier.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/frontier/candidate.h"

namespace caddis::frontier {

// Whether one chunk may hold both.
bool share_chunk(const Candidate& a, const Candidate& b);

// All candidates share via, seed and the hop path but for its last hop; that is checked.
std::string encode_chunk(std::span<const Candidate> candidates);
// ErrorCode::corrupt where the bytes are no chunk.
Result<std::vector<Candidate>> decode_chunk(std::string_view bytes);

// The URLs of a chunk, one after the other, without taking all of them apart at once.
class ChunkReader {
 public:
  // Stands before the first. The whole chunk is looked at: ErrorCode::corrupt as above.
  static Result<ChunkReader> open(std::shared_ptr<const std::string> bytes);

  bool at_end() const { return left_ == 0; }
  uint64_t left() const { return left_; }
  // The one it stands before; not at the end.
  Candidate front() const;
  void pop();

 private:
  // A part of the bytes.
  struct Span {
    size_t begin = 0, size = 0;
  };
  ChunkReader() = default;
  std::string_view text(Span span) const { return std::string_view(*bytes_).substr(span.begin, span.size); }
  bool read_item();

  std::shared_ptr<const std::string> bytes_;
  Span via_, seed_, hops_, context_, attributes_;
  std::string url_;
  size_t next_ = 0;  // where the next item begins
  uint64_t left_ = 0;
  uint8_t flags_ = 0;
  char hop_ = '\0';
};

}  // namespace caddis::frontier
