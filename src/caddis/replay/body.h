// Bodies of captures piece by piece, in stages: as stored, a range of it, without content coding. Memory does not grow
// with the body. One thread at a time, not always the same; reading blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/content_decoder.h"
#include "caddis/io/files.h"
#include "caddis/warc/payload_reader.h"
#include "caddis/warc/reader.h"

namespace caddis::replay {

struct Piece {
  std::string_view bytes;  // valid until the next call
  bool end = false;        // nothing follows
};

class BodyReader {
 public:
  virtual ~BodyReader() = default;
  // The next piece. One without bytes that is not the end: there was much to do, and it is not over.
  virtual Result<Piece> next() = 0;
};

// The body of a record: without transfer coding, its content coding as captured.
class StoredBody : public BodyReader {
 public:
  // Reads the record at `offset` up to the end of its HTTP head. `length`: of the record in the file, as far as it is
  // known; `name` is for messages. ErrorCode::corrupt where no record begins there.
  static Result<std::unique_ptr<StoredBody>> open(std::shared_ptr<const io::File> file, uint64_t offset,
                                                  std::optional<uint64_t> length, const std::string& name);

  // The same body from its begin, by itself.
  Result<std::unique_ptr<StoredBody>> reopen() const { return open(file_, record_->offset(), std::nullopt, name_); }

  const warc::Header& header() const { return record_->header(); }
  const std::string& http_head() const { return payload_.http_head(); }
  // Where it is known before the body is read. Of a record that the file ends in, it is not.
  std::optional<uint64_t> size() const;
  // Bytes of the record's block: head and coded body.
  uint64_t stored_size() const { return record_->content_length(); }
  // The first bytes, a few at least, unless the body has none.
  Result<std::string_view> front();
  // Passes over up to `size` bytes, some megabytes at most where they have to be inflated. 0 at the end.
  Result<uint64_t> skip(uint64_t size);
  // ErrorCode::corrupt where the archive is damaged. A record that the file ends in gives what there is.
  Result<Piece> next() override;

 private:
  StoredBody(std::shared_ptr<const io::File> file, warc::SingleRecord record)
      : file_(std::move(file)), record_(std::move(record)), payload_(*record_) {}

  std::shared_ptr<const io::File> file_;
  warc::SingleRecord record_;
  warc::PayloadReader payload_;
  std::string name_;
  bool cut_ = false;  // the file ends inside the record
  std::string_view front_;
};

// The bytes from `first` to `last` (inclusive) of a body that has them.
std::unique_ptr<BodyReader> body_range(std::unique_ptr<StoredBody> body, uint64_t first, uint64_t last);

// Without its content coding: what could be decoded where that is damaged. ErrorCode::limit where too many decoders
// with large windows are at work already.
std::unique_ptr<BodyReader> decoded_body(std::unique_ptr<BodyReader> body, std::string_view content_encoding);

// A body whose first bytes are looked at before it is read.
class FrontReader : public BodyReader {
 public:
  explicit FrontReader(std::unique_ptr<BodyReader> body) : body_(std::move(body)) {}
  // At least `size` bytes, or all there are: then what the reading took is given back at once. What hinders the
  // reading comes from next().
  std::string_view front(size_t size);
  // All of the body is in front().
  bool whole() const { return body_ == nullptr && !error_; }
  Result<Piece> next() override;

 private:
  std::unique_ptr<BodyReader> body_;  // null once it is read to its end
  std::optional<Error> error_;
  std::string front_;
  bool front_given_ = false;
};

}  // namespace caddis::replay
