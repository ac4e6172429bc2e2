#include "caddis/fetch/decoded_body.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/io/chunked.h"
#include "caddis/io/content_codec.h"

namespace caddis::fetch {
namespace {

// Coded bytes that are read beyond the output limit: framing, and codings that grow what they code.
constexpr size_t kSlack = 64 * 1024;

// The front of the body as received, borrowed where memory holds enough of it, otherwise read into `storage`.
Result<std::string_view> body_front(const http::Exchange& exchange, size_t size, std::string& storage) {
  size = static_cast<size_t>(std::min<uint64_t>(size, exchange.body_size()));
  const std::string_view memory = exchange.response.memory_view();
  if (memory.size() >= exchange.head_size + size) return memory.substr(exchange.head_size, size);
  storage.resize(size);
  size_t read = 0;
  while (read < size) {
    TRY(const size_t got, exchange.response.read_at(exchange.head_size + read, storage.data() + read, size - read));
    if (got == 0) return fail(ErrorCode::io, "the spooled response is shorter than it was");
    read += got;
  }
  return std::string_view(storage);
}

bool is_identity(std::string_view coding) { return coding.empty() || equals_ignore_case(coding, "identity"); }

std::string cut_after(size_t bytes) { return fmt::format("only the first {} bytes are read", bytes); }

constexpr size_t kShownCoding = 40;

}  // namespace

// `is_front`: more was received than what it was made of.
void DecodedBody::cut(size_t max_output, bool is_front) {
  const size_t size = std::min(bytes().size(), max_output);
  if (size == bytes().size() && !is_front) return;
  is_cut_ = true;
  problem_ = cut_after(size);
  if (owned_)
    text_.resize(size);
  else
    view_ = view_.substr(0, size);
}

void DecodedBody::put_away() {
  if (!owned_ || is_away_) return;
  size_ = text_.size();
  is_away_ = size_ > kFront;
  std::string(text_, 0, kFront).swap(text_);
}

Result<DecodedBody> decode_body(const http::Exchange& exchange, size_t max_output) {
  DecodedBody body;
  body.max_output_ = max_output;
  std::string storage;
  const size_t wanted = max_output > SIZE_MAX - kSlack ? max_output : max_output + kSlack;
  TRY(const std::string_view received, body_front(exchange, wanted, storage));
  const bool is_front = received.size() < exchange.body_size();
  body.view_ = received;
  if (!exchange.payload_is_body)
    body.own(io::dechunk(received).bytes);
  else if (!storage.empty())
    body.own(std::move(storage));

  const std::string coding = exchange.head.joined("content-encoding");
  const bool has_coding = !is_identity(trim(coding)) && !body.bytes().empty();
  if (has_coding && io::can_decode(coding)) {
    io::Decoded decoded = io::decode_content(body.bytes(), coding, max_output);
    body.own(std::move(decoded.bytes));
    body.problem_ = std::move(decoded.problem);
    body.is_cut_ = !body.complete() && (is_front || body.bytes().size() >= max_output);
  } else {
    if (has_coding) body.unknown_coding_ = coding.substr(0, kShownCoding);
    body.cut(max_output, is_front);
  }
  body.is_undecodable_ = !body.is_cut_ && !body.complete() && exchange.truncated == http::Truncated::none;
  return body;
}

Result<DecodedBody> decode_front(const http::Exchange& exchange, size_t max_output) {
  const std::string coding = exchange.head.joined("content-encoding");
  const bool has_coding = !is_identity(trim(coding));
  const bool is_stored_plain = exchange.payload_is_body && !(has_coding && io::can_decode(coding));
  const size_t size = static_cast<size_t>(std::min<uint64_t>(exchange.body_size(), max_output));
  if (!is_stored_plain || exchange.response.in_memory() || size <= DecodedBody::kFront)
    return decode_body(exchange, max_output);
  DecodedBody body;
  body.max_output_ = max_output;
  body.size_ = size;
  body.is_away_ = true;
  std::string storage;
  TRY(const std::string_view front, body_front(exchange, DecodedBody::kFront, storage));
  body.own(std::string(front));
  body.is_cut_ = size < exchange.body_size();
  if (body.is_cut_) body.problem_ = cut_after(size);
  if (has_coding) body.unknown_coding_ = coding.substr(0, kShownCoding);
  return body;
}

}  // namespace caddis::fetch
