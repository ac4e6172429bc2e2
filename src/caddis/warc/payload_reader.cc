#include "caddis/warc/payload_reader.h"

#include <algorithm>
#include <utility>

#include "caddis/warc/payload.h"
#include "caddis/warc/views.h"

namespace caddis::warc {
namespace {

// Chunks below this are put together: some servers send a byte in each.
constexpr size_t kSmallChunk = 16 * 1024;
constexpr size_t kGathered = 64 * 1024;

}  // namespace

Result<void> PayloadReader::read_head() {
  const bool length_known = record_.header().content_length().has_value() && record_.complete();
  if (!is_http(record_.header())) {
    if (length_known) size_ = record_.content_length();
    return {};
  }
  for (;;) {
    TRY(const std::string_view piece, record_.read_block());
    const size_t before = head_.size();
    head_ += piece;
    if (const auto end = HttpHead::find_end(head_, before)) {
      // Where it ended may be known only with the next piece.
      if (*end < before) begun_ = head_.substr(*end);
      rest_ = *end < before ? std::string_view(begun_) : piece.substr(*end - before);
      head_.resize(*end);
      break;
    }
    if (piece.empty() || head_.size() > PayloadSplitter::kMaxHead) {
      head_.resize(std::min(head_.size(), PayloadSplitter::kMaxHead));
      no_body_ = true;
      size_ = 0;
      return {};
    }
  }
  if (HttpHead(head_).chunked())
    coding_ = Coding::undecided;
  else if (length_known)
    size_ = record_.content_length() - head_.size();
  return {};
}

Result<std::string_view> PayloadReader::next() {
  if (!left_.empty()) return std::exchange(left_, std::string_view());
  if (no_body_) return std::string_view();
  switch (coding_) {
    case Coding::none:
      return next_stored();
    case Coding::undecided:
      return next_undecided();
    case Coding::chunked:
      return next_chunked();
  }
  return std::string_view();
}

Result<std::string_view> PayloadReader::next_stored() {
  if (!rest_.empty()) return std::exchange(rest_, std::string_view());
  return record_.read_block();
}

// Until the first size line is there, all is kept: the body may not be chunked, whatever its head says.
Result<std::string_view> PayloadReader::next_undecided() {
  std::string held;
  while (!decoder_.broken()) {
    TRY(const std::string_view piece, next_stored());
    if (piece.empty()) break;
    held += piece;
    rest_ = piece;
    const std::string_view chunk = decoder_.next(rest_);
    if (!decoder_.was_chunked()) continue;
    coding_ = Coding::chunked;
    return chunk.empty() ? next_chunked() : chunk;
  }
  coding_ = Coding::none;
  rest_ = {};
  gathered_ = std::move(held);
  return std::string_view(gathered_);
}

Result<std::string_view> PayloadReader::next_chunked() {
  gathered_.clear();
  for (;;) {
    while (!rest_.empty()) {
      const std::string_view chunk = decoder_.next(rest_);
      if (chunk.empty()) break;
      if (chunk.size() >= kSmallChunk) {
        if (gathered_.empty()) return chunk;
        left_ = chunk;
        return std::string_view(gathered_);
      }
      gathered_ += chunk;
      if (gathered_.size() >= kGathered) return std::string_view(gathered_);
    }
    rest_ = {};
    if (decoder_.done() || decoder_.broken()) return std::string_view(gathered_);
    TRY(rest_, record_.read_block());
    if (rest_.empty()) return std::string_view(gathered_);
  }
}

Result<uint64_t> PayloadReader::skip(uint64_t size) {
  if (coding_ == Coding::none && rest_.empty() && left_.empty() && !no_body_) return record_.skip_block(size);
  TRY(const std::string_view piece, next());
  const size_t skipped = static_cast<size_t>(std::min<uint64_t>(size, piece.size()));
  if (skipped < piece.size()) left_ = piece.substr(skipped);
  return skipped;
}

}  // namespace caddis::warc
