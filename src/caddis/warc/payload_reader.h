// The payload of a record piece by piece: for bodies of any size. For HTTP messages the body behind the head, without
// its transfer coding (as `Payload::entity`, payload.h); for other records the block.
//
//   PayloadReader payload(record);
//   TRY_VOID(payload.read_head());
//   for (;;) {
//     TRY(const std::string_view piece, payload.next());
//     if (piece.empty()) break;
//   }
//
// One thread at a time. Errors: the source cannot be read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/chunked.h"
#include "caddis/warc/reader.h"

namespace caddis::warc {

class PayloadReader {
 public:
  // Nothing of `record` has been read yet; it must outlive this.
  explicit PayloadReader(Record& record) : record_(record) {}

  // Reads up to the end of the HTTP head, and no further than one piece of the block.
  Result<void> read_head();
  // With its empty line; the first of the block where the head never ends (there is no body then). Empty for records
  // that are not HTTP messages.
  const std::string& http_head() const { return head_; }
  // Bytes of the body, where they are known beforehand: the record says how long it is, and the body is not chunked.
  std::optional<uint64_t> size() const { return size_; }
  // The next piece, valid until the next call; empty at the end.
  Result<std::string_view> next();
  // Passes over up to `size` bytes: any number in a plain file, else at most a piece. How many they were; 0 at the end.
  Result<uint64_t> skip(uint64_t size);
  // At the end: all of the block was there. A chunked coding that was cut when it was captured is no matter of the
  // record.
  bool complete() const { return record_.complete(); }

 private:
  enum class Coding { none, undecided, chunked };

  Result<std::string_view> next_undecided();
  Result<std::string_view> next_chunked();
  Result<std::string_view> next_stored();

  Record& record_;
  std::string head_;
  std::string begun_;  // of the body, where its beginning was taken for the head
  std::optional<uint64_t> size_;
  bool no_body_ = false;
  Coding coding_ = Coding::none;
  io::ChunkedDecoder decoder_;
  std::string_view rest_;  // of the block's piece, as it is coded: not looked at yet
  std::string_view left_;  // of the body: to be given next
  std::string gathered_;   // small chunks put together
};

}  // namespace caddis::warc
