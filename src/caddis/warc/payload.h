// The payload of a record: for HTTP messages the body behind the head, with or without its transfer and content coding.
//
// Only as much HTTP as archives need: where the head ends, its status, and the fields that tell how the body is coded.
// The full parser lives in module http, which warc cannot see.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/chunked.h"
#include "caddis/warc/reader.h"

namespace caddis::warc {

// The head of an HTTP message: leniently, lines may end with LF alone or stray CRs, blank lines may stand in front of a
// status line, and fields may go on on further lines.
class HttpHead {
 public:
  // The length of the head at the front of `bytes`, its empty line included; nothing where the empty line is not there
  // yet. `from` is where to start looking, for callers who looked in a shorter `bytes` before.
  static std::optional<size_t> find_end(std::string_view bytes, size_t from = 0);
  // `bytes` is the head, or a whole block whose head never ends.
  explicit HttpHead(std::string_view bytes) : bytes_(bytes) {}

  std::string_view start_line() const;
  // 0 where the start line is no status line.
  int status() const;
  // The value of the first field of that name, trimmed, of its first line that has any; empty where there is none.
  std::string_view get(std::string_view name) const;
  // Whether the last transfer coding of all such fields is chunked (RFC 9112 section 6.3), as module http has it.
  bool chunked() const;

 private:
  static size_t blank_lines(std::string_view bytes);  // in front, in bytes
  template <class Visit>
  void for_each(std::string_view name, const Visit& visit) const;

  std::string_view bytes_;
};

// Feeds on a block piece by piece and splits it: the head is kept, the body is given on as it is and de-chunked.
class PayloadSplitter {
 public:
  static constexpr size_t kMaxHead = 1 << 20;

  explicit PayloadSplitter(bool http) : in_head_(http) {}

  // Calls raw(piece) with the body's bytes as stored and entity(piece) with those after transfer decoding. Where the
  // body is not said to be chunked, only raw() is called.
  template <class Raw, class Entity>
  void feed(std::string_view bytes, Raw&& raw, Entity&& entity) {
    if (in_head_) {
      bytes = take_head(bytes);
      if (in_head_) return;
      give(early_, raw, entity);
    }
    give(bytes, raw, entity);
  }

  // Bytes of the head with its empty line; the whole block where the head never ends.
  const std::string& head() const { return head_; }
  bool head_complete() const { return !in_head_; }
  // What the head says.
  bool chunked() const { return chunked_; }
  // Whether the body is that of entity(), or of raw(): not chunked, or said to be and decoded already by whoever stored
  // it. To be asked at the end.
  bool was_chunked() const { return decoder_.was_chunked(); }
  const io::ChunkedDecoder& decoder() const { return decoder_; }

 private:
  template <class Raw, class Entity>
  void give(std::string_view body, Raw&& raw, Entity&& entity) {
    if (body.empty()) return;
    raw(body);
    if (chunked_) decoder_.feed(body, entity);
  }
  // Moves bytes into the head; gives what is behind it.
  std::string_view take_head(std::string_view bytes);

  bool in_head_;
  bool chunked_ = false;
  std::string head_;
  std::string early_;  // body that came with earlier pieces, before it was clear that the head ends there
  io::ChunkedDecoder decoder_;
};

struct Payload {
  std::string http_head;  // with its empty line; empty for records that are not HTTP messages
  std::string raw;        // the payload as stored: for HTTP the body with transfer and content coding
  std::string entity;     // without transfer coding
  bool complete = true;   // the block is complete, and its chunked coding too
  std::string problem;
};

// Reads the rest of the record's block, which may have at most `limit` bytes.
Result<Payload> read_payload(Record& record, uint64_t limit);
// The entity with its content coding undone as well.
std::string decode_payload(const Payload& payload, size_t max_output, std::string* problem = nullptr);

}  // namespace caddis::warc
