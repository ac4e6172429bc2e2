#include "caddis/replay/body.h"

#include <algorithm>
#include <utility>

namespace caddis::replay {
namespace {

// Passed over in one call: a few milliseconds of inflating.
constexpr uint64_t kSkippedAtOnce = 4 << 20;
constexpr size_t kDecodedPiece = 64 * 1024;
// For all windows of br and zstd decoders at work; gzip needs little.
constexpr int64_t kWindowMemory = 96 << 20;

io::MemoryBudget& window_memory() {
  static io::MemoryBudget share(kWindowMemory);
  return share;
}

class RangeReader : public BodyReader {
 public:
  RangeReader(std::unique_ptr<StoredBody> body, uint64_t first, uint64_t last)
      : body_(std::move(body)), before_(first), left_(last - first + 1) {}

  Result<Piece> next() override {
    if (before_ > 0) {
      TRY(const uint64_t skipped, body_->skip(before_));
      before_ -= skipped;
      if (skipped == 0) return fail(ErrorCode::corrupt, "the body is shorter than its record says");
      return Piece();
    }
    TRY(const Piece piece, body_->next());
    const std::string_view bytes =
        piece.bytes.substr(0, static_cast<size_t>(std::min<uint64_t>(left_, piece.bytes.size())));
    left_ -= bytes.size();
    if (piece.end && left_ > 0) return fail(ErrorCode::corrupt, "the body is shorter than its record says");
    return Piece{bytes, left_ == 0};
  }

 private:
  std::unique_ptr<StoredBody> body_;
  uint64_t before_;
  uint64_t left_;
};

class DecodedReader : public BodyReader {
 public:
  DecodedReader(std::unique_ptr<BodyReader> body, std::string_view coding)
      : body_(std::move(body)), decoder_(coding, &window_memory()) {}

  Result<Piece> next() override {
    if (buffer_ == nullptr) buffer_ = std::make_unique_for_overwrite<char[]>(kDecodedPiece);
    if (input_.empty() && !last_) {
      TRY(const Piece piece, body_->next());
      input_ = piece.bytes;
      last_ = piece.end;
    }
    const size_t size = decoder_.decode(input_, last_, {buffer_.get(), kDecodedPiece});
    if (decoder_.out_of_memory())
      return fail(ErrorCode::limit, "too many large bodies are being decoded at the same time; try again later");
    return Piece{{buffer_.get(), size}, decoder_.ended()};
  }

 private:
  std::unique_ptr<BodyReader> body_;
  io::ContentDecoder decoder_;
  std::unique_ptr<char[]> buffer_;
  std::string_view input_;
  bool last_ = false;
};

}  // namespace

Result<std::unique_ptr<StoredBody>> StoredBody::open(std::shared_ptr<const io::File> file, uint64_t offset,
                                                     std::optional<uint64_t> length, const std::string& name) {
  TRY(const uint64_t file_size, file->size());
  auto record = warc::read_record_at(*file, offset);
  if (!record) return pass(std::move(record).error(), name);
  std::unique_ptr<StoredBody> body(new StoredBody(std::move(file), *std::move(record)));
  body->name_ = name;
  body->cut_ = !body->record_->complete() || (length && *length > file_size - std::min(offset, file_size));
  TRY_VOID(body->payload_.read_head());
  return body;
}

std::optional<uint64_t> StoredBody::size() const { return cut_ ? std::nullopt : payload_.size(); }

Result<std::string_view> StoredBody::front() {
  if (!front_.empty()) return front_;
  TRY(front_, payload_.next());
  return front_;
}

Result<uint64_t> StoredBody::skip(uint64_t size) {
  uint64_t skipped = std::min<uint64_t>(size, front_.size());
  front_.remove_prefix(static_cast<size_t>(skipped));
  while (skipped < size && skipped < kSkippedAtOnce) {
    TRY(const uint64_t more, payload_.skip(size - skipped));
    if (more == 0) break;
    skipped += more;
  }
  return skipped;
}

Result<Piece> StoredBody::next() {
  if (!front_.empty()) return Piece{std::exchange(front_, std::string_view()), false};
  TRY(const std::string_view bytes, payload_.next());
  if (bytes.empty() && !payload_.complete() && !cut_)
    return fail(ErrorCode::corrupt, name_ + ": the record is damaged, its body ends early");
  return Piece{bytes, bytes.empty()};
}

std::unique_ptr<BodyReader> body_range(std::unique_ptr<StoredBody> body, uint64_t first, uint64_t last) {
  return std::make_unique<RangeReader>(std::move(body), first, last);
}

std::unique_ptr<BodyReader> decoded_body(std::unique_ptr<BodyReader> body, std::string_view content_encoding) {
  return std::make_unique<DecodedReader>(std::move(body), content_encoding);
}

std::string_view FrontReader::front(size_t size) {
  while (body_ != nullptr && front_.size() < size) {
    auto piece = body_->next();
    if (piece) front_ += piece->bytes;
    const bool end = !piece || piece->end;
    if (!piece) error_ = std::move(piece).error();
    if (end) body_.reset();
  }
  return front_;
}

Result<Piece> FrontReader::next() {
  if (!std::exchange(front_given_, true) && !front_.empty()) return Piece{front_, whole()};
  front_ = std::string();
  if (error_) return std::unexpected(*error_);
  if (body_ == nullptr) return Piece{{}, true};
  return body_->next();
}

}  // namespace caddis::replay
