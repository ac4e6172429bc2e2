// The first reading tells sizes and digests, and keeps a body of usual size. Larger ones are read again when they are
// given.
#include "caddis/revisits/stored_payload.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/io/digest.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"

namespace caddis::revisits {
namespace {

constexpr uint64_t kInMemory = 8 << 20;
constexpr std::string_view kLastChunk = "\r\n0\r\n\r\n";

std::string chunk_head(uint64_t size) { return fmt::format("{:x}\r\n", size); }

// An empty chunk would be the last one.
uint64_t size_in_one_chunk(uint64_t size) {
  return size == 0 ? kLastChunk.size() - 2 : chunk_head(size).size() + size + kLastChunk.size();
}

// Splits blocks, and keeps the first error of whoever takes the pieces.
class Split {
 public:
  Split(bool http, bool without_chunks, const StoredPayload::Sink& sink)
      : splitter_(http), without_chunks_(without_chunks), sink_(sink) {}

  Result<void> feed(std::string_view piece) {
    splitter_.feed(
        piece, [&](std::string_view bytes) { give(bytes, !without_chunks_); },
        [&](std::string_view bytes) { give(bytes, without_chunks_); });
    return result_;
  }

 private:
  void give(std::string_view bytes, bool is_wanted) {
    if (is_wanted && result_) result_ = sink_(bytes);
  }

  warc::PayloadSplitter splitter_;
  const bool without_chunks_;
  const StoredPayload::Sink& sink_;
  Result<void> result_;
};

}  // namespace

Result<StoredPayload> StoredPayload::open(const io::File& file, uint64_t offset, std::string_view digest) {
  StoredPayload payload(file, offset);
  TRY_VOID(payload.read(digest));
  return payload;
}

Result<void> StoredPayload::read(std::string_view digest) {
  TRY(const auto record, warc::read_record_at(*file_, offset_));
  header_ = record->header();
  if (record->type() != warc::RecordType::response && record->type() != warc::RecordType::resource)
    return fail(ErrorCode::corrupt, "the record there is neither a response nor a resource");
  auto field = warc::parse_digest_field(digest.empty() ? header_.payload_digest() : digest);
  if (field && field->raw.empty()) field.reset();
  if (!field && !digest.empty())
    return fail(ErrorCode::unsupported,
                fmt::format("the revisit's payload digest {} is in no known form, so no payload can be held against it",
                            digest));
  const bool is_http = warc::is_http(header_);
  warc::PayloadSplitter splitter(is_http);
  io::Digest raw(field ? field->algorithm : io::DigestAlgorithm::sha1), entity(raw.algorithm());
  for (;;) {
    TRY(const std::string_view piece, record->read_block());
    if (piece.empty()) break;
    splitter.feed(
        piece,
        [&](std::string_view bytes) {
          raw.update(bytes);
          stored_size_ += bytes.size();
          if (stored_size_ <= kInMemory) body_ += bytes;
        },
        [&](std::string_view bytes) {
          entity.update(bytes);
          size_ += bytes.size();
        });
  }
  TRY_VOID(record->finish());
  if (!record->complete()) return fail(ErrorCode::corrupt, "the record is damaged or cut");
  if (stored_size_ > kInMemory) body_ = {};
  if (is_http) http_head_ = splitter.head();
  is_chunked_ = splitter.was_chunked();
  if (!is_chunked_) size_ = stored_size_;
  const std::string as_stored = raw.finish(), without_chunks = entity.finish();
  is_of_chunks_ = field && field->raw == as_stored && is_chunked_;
  const bool fits = !field || field->raw == (is_chunked_ ? without_chunks : as_stored) || is_of_chunks_;
  return fits ? Result<void>() : fail(ErrorCode::corrupt, "its payload has another digest");
}

Result<void> StoredPayload::each_piece(bool without_chunks, const Sink& sink) const {
  if (!body_.empty() && !without_chunks) return sink(body_);
  TRY(const auto record, warc::read_record_at(*file_, offset_));
  Split split(warc::is_http(record->header()), without_chunks, sink);
  for (;;) {
    TRY(const std::string_view piece, record->read_block());
    if (piece.empty()) return {};
    TRY_VOID(split.feed(piece));
  }
}

StoredPayload::Form StoredPayload::form_below(std::string_view http_head) const {
  if (is_of_chunks_) return Form::as_stored;
  const bool wants_chunks = warc::HttpHead(http_head).chunked();
  if (wants_chunks == is_chunked_) return Form::as_stored;
  return wants_chunks ? Form::in_one_chunk : Form::without_chunks;
}

uint64_t StoredPayload::size_below(std::string_view http_head) const {
  switch (form_below(http_head)) {
    case Form::as_stored:
      return stored_size_;
    case Form::without_chunks:
      return size_;
    case Form::in_one_chunk:
      return size_in_one_chunk(size_);
  }
  return 0;
}

Result<void> StoredPayload::give_below(std::string_view http_head, const Sink& sink) const {
  const Form form = form_below(http_head);
  if (form != Form::in_one_chunk) return each_piece(form == Form::without_chunks, sink);
  if (size_ == 0) return sink(kLastChunk.substr(2));
  TRY_VOID(sink(chunk_head(size_)));
  TRY_VOID(each_piece(false, sink));
  return sink(kLastChunk);
}

}  // namespace caddis::revisits
