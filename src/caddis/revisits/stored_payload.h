// The payload of an original, to be put into another record.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/warc/digest_field.h"
#include "caddis/warc/record.h"

namespace caddis::revisits {

// One thread. The file must outlive it.
class StoredPayload {
 public:
  using Sink = std::function<Result<void>(std::string_view piece)>;

  // Reads the record there, and holds its payload against the digest that a revisit tells; without one, against that of
  // the record itself. ErrorCode::corrupt if it is another, or the record is damaged, or no original; ErrorCode::unsupported if
  // the digest that the revisit tells is in no known form.
  static Result<StoredPayload> open(const io::File& file, uint64_t offset, std::string_view digest);

  const warc::Header& header() const { return header_; }
  // With its empty line; empty if the record is no HTTP message.
  const std::string& http_head() const { return http_head_; }

  // Below that head: with chunk sizes if it tells of them, and in the form whose digest was asked for.
  uint64_t size_below(std::string_view http_head) const;
  Result<void> give_below(std::string_view http_head, const Sink& sink) const;

 private:
  enum class Form { as_stored, without_chunks, in_one_chunk };

  explicit StoredPayload(const io::File& file, uint64_t offset) : file_(&file), offset_(offset) {}
  Result<void> read(std::string_view digest);
  Result<void> each_piece(bool without_chunks, const Sink& sink) const;
  Form form_below(std::string_view http_head) const;

  const io::File* file_;
  uint64_t offset_;
  warc::Header header_;
  std::string http_head_;
  uint64_t stored_size_ = 0, size_ = 0;  // of the body as it is stored, and without its chunk sizes
  bool is_chunked_ = false;
  bool is_of_chunks_ = false;  // the digest is that of the body with its chunk sizes
  std::string body_;           // as it is stored, if it is small
};

}  // namespace caddis::revisits
