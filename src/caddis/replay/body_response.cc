#include "caddis/replay/body_response.h"

#include <algorithm>
#include <string>
#include <utility>

#include "caddis/base/log.h"
#include "caddis/replay/range.h"

namespace caddis::replay {
namespace {

// Bodies up to this size are in the response as they are; of larger ones this much is read before the head is sent.
constexpr size_t kAtOnce = 64 * 1024;
// A decoder's window may take more than what it decodes: up to here, that is kept instead.
constexpr size_t kUnmeasuredAtOnce = 1 << 20;

// A reader as the server wants it.
class ReaderSource : public http::BodySource {
 public:
  ReaderSource(std::unique_ptr<BodyReader> body, std::string begun)
      : body_(std::move(body)), begun_(std::move(begun)) {}

  Result<bool> next(std::string& piece) override {
    if (!begun_.empty()) {
      piece = std::exchange(begun_, std::string());
      return true;
    }
    if (rest_.empty() && !end_) {
      auto read = body_->next();
      if (!read) {
        log_warn("replay", "a response is cut: {}", read.error().message);
        return std::unexpected(std::move(read).error());
      }
      rest_ = read->bytes;
      end_ = read->end;
    }
    piece += rest_.substr(0, piece_size);
    rest_.remove_prefix(std::min(piece_size, rest_.size()));
    return !end_ || !rest_.empty();
  }

 private:
  std::unique_ptr<BodyReader> body_;
  std::string begun_;      // what was read beforehand
  std::string_view rest_;  // of the piece read last
  bool end_ = false;
};

// Blocks up to this size are read to find the size of a chunked body, where a part of it is asked for: a tenth of a
// second.
constexpr uint64_t kMeasured = 32 << 20;

bool is_head(const http::ServerRequest& request) { return request.method == "HEAD"; }

// Of a body whose record does not tell it: by reading it, if that is soon done.
Result<std::optional<uint64_t>> measure(const StoredBody& body) {
  if (body.stored_size() > kMeasured) return std::nullopt;
  TRY(const auto again, body.reopen());
  for (uint64_t size = 0;;) {
    const auto piece = again->next();
    if (!piece) return std::nullopt;
    size += piece->bytes.size();
    if (piece->end) return size;
  }
}

}  // namespace

Result<void> put_body(const http::ServerRequest& request, std::unique_ptr<BodyReader> body,
                      std::optional<uint64_t> size, http::ServerResponse& response) {
  std::string begun;
  bool end = false;
  const bool streamed = is_head(request) || (size && *size > kAtOnce);
  while (!streamed && !end && begun.size() < kAtOnce) {
    auto piece = body->next();
    // What its archive has lost the end of is worth showing.
    if (!piece && piece.error().code != ErrorCode::corrupt) return std::unexpected(std::move(piece).error());
    if (piece) begun += piece->bytes;
    end = !piece || piece->end;
  }
  if (end) {
    response.body = std::move(begun);
  } else {
    response.source = std::make_unique<ReaderSource>(std::move(body), std::move(begun));
    response.stream_size = size;
  }
  return {};
}

Result<void> put_range(const http::ServerRequest& request, std::unique_ptr<StoredBody> body,
                       http::ServerResponse& response) {
  auto size = body->size();
  if (!size && !is_head(request) && !request.header("range").empty()) {
    TRY(size, measure(*body));
  }
  if (!size) return put_unmeasured(request, std::move(body), response);
  ByteRange range;
  switch (answer_range(request, *size, response, range)) {
    case RangeKind::none:
      return put_body(request, std::move(body), size, response);
    case RangeKind::satisfiable:
      // What lies far in is passed over in pieces, between which others have their turn.
      if (range.first > kAtOnce) {
        response.source = std::make_unique<ReaderSource>(body_range(std::move(body), range.first, range.last), "");
        response.stream_size = range.last - range.first + 1;
        return {};
      }
      return put_body(request, body_range(std::move(body), range.first, range.last), range.last - range.first + 1,
                      response);
    case RangeKind::unsatisfiable:
      break;
  }
  return {};
}

Result<void> put_unmeasured(const http::ServerRequest& request, std::unique_ptr<BodyReader> body,
                            http::ServerResponse& response) {
  if (is_head(request)) return put_body(request, std::move(body), std::nullopt, response);
  auto front = std::make_unique<FrontReader>(std::move(body));
  const std::string_view bytes = front->front(kUnmeasuredAtOnce);
  if (!front->whole()) {
    response.source = std::make_unique<ReaderSource>(std::move(front), "");
    return {};
  }
  ByteRange range;
  const RangeKind kind = answer_range(request, bytes.size(), response, range);
  if (kind == RangeKind::none) response.body = bytes;
  if (kind == RangeKind::satisfiable) response.body = bytes.substr(range.first, range.last - range.first + 1);
  return {};
}

}  // namespace caddis::replay
