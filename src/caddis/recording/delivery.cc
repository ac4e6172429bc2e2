#include "caddis/recording/delivery.h"

#include <fmt/format.h>

#include "caddis/recording/answer_head.h"

namespace caddis::recording {
namespace {

constexpr size_t kPiece = 64 * 1024;
constexpr Duration kForAPiece = std::chrono::seconds(60);
// A response that its browser does not wait for any more is finished if that is soon.
constexpr Duration kFinishWithin = std::chrono::seconds(20);
constexpr uint64_t kFinishAtMost = 32 << 20;

// Chunks whose server does not keep its connection, or has ended it where more should have come.
bool ends_with_connection(const http::Framing& framing) {
  return framing.kind == http::Framing::Kind::chunked && !framing.keep_alive;
}

}  // namespace

aio::Task<void> Delivery::write(std::string_view bytes) {
  if (is_gone_) co_return;
  client_.set_deadline(loop_.clock().steady() + kForAPiece);
  const auto written = co_await client_.write(bytes);
  if (written) co_return;
  is_gone_ = true;
  gone_since_ = loop_.clock().steady();
}

aio::Task<void> Delivery::write_piece(std::string_view piece) {
  if (!is_in_chunks_) {
    co_await write(piece);
    co_return;
  }
  const std::string chunk = fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
  co_await write(chunk);
}

aio::Task<void> Delivery::write_body(const http::Exchange& so_far) {
  const io::Spool& response = so_far.response;
  while (sent_ < response.size() && !is_gone_) {
    if (response.in_memory()) {
      // The spool stands still while this waits.
      const std::string_view rest = response.memory_view().substr(sent_, kPiece);
      sent_ += rest.size();
      co_await write_piece(rest);
      continue;
    }
    if (buffer_ == nullptr) buffer_ = std::make_unique_for_overwrite<char[]>(kPiece);
    const auto got = response.read_at(sent_, buffer_.get(), kPiece);
    if (!got || *got == 0) {
      goes_on_ = false;
      co_return;
    }
    sent_ += *got;
    co_await write_piece(std::string_view(buffer_.get(), *got));
  }
}

aio::Task<void> Delivery::follow(const http::Exchange& so_far) {
  if (so_far.head_size == 0) co_return;
  if (!has_begun_) {
    has_begun_ = true;
    if (ends_with_connection(so_far.framing)) goes_on_ = false;
    is_in_chunks_ = goes_on_ && so_far.framing.kind == http::Framing::Kind::until_close;
    const std::string head = answer_head(so_far.head, so_far.framing, goes_on_);
    sent_ = so_far.head_size;
    co_await write(head);
  }
  if (is_gone_) come_since_ += so_far.response.size() - size_;
  size_ = so_far.response.size();
  co_await write_body(so_far);
  // The browser learns by the end of its connection that something is missing, also the last line end of chunks.
  if (so_far.truncated != http::Truncated::none || ends_with_connection(so_far.framing)) goes_on_ = false;
}

aio::Task<void> Delivery::end() {
  if (is_in_chunks_ && goes_on()) co_await write("0\r\n\r\n");
}

std::string Delivery::gives_up() const {
  if (!is_gone_) return {};
  const bool is_long = loop_.clock().steady() - gone_since_ > kFinishWithin || come_since_ > kFinishAtMost;
  return is_long ? "the browser has left before the end" : "";
}

}  // namespace caddis::recording
