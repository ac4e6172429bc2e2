#include "caddis/protocols/body_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "caddis/base/check.h"

namespace caddis::protocols {

BodyRecorder::BodyRecorder(io::SpoolFolder& folder, const http::Limits& limits)
    : exchange_(io::Spool(folder, limits.memory)),
      digest_(limits.digest),
      most_(limits.max_body == 0 ? std::numeric_limits<uint64_t>::max() : limits.max_body) {}

Result<void> BodyRecorder::feed(std::string_view bytes) {
  const auto taken = static_cast<size_t>(std::min<uint64_t>(bytes.size(), most_ - size()));
  if (taken < bytes.size()) cut(http::Truncated::length);
  digest_.update(bytes.substr(0, taken));
  return exchange_.response.append(bytes.substr(0, taken));
}

void BodyRecorder::cut(http::Truncated why) {
  if (exchange_.truncated == http::Truncated::none) exchange_.truncated = why;
}

void BodyRecorder::note(std::string_view problem) {
  if (!exchange_.problem.empty()) exchange_.problem += "; ";
  exchange_.problem += problem;
}

http::Exchange BodyRecorder::finish(http::Resource resource, std::string_view media_type) {
  // WHOIS has no status that a head could have.
  const bool is_http_like = resource.status >= 200 && resource.status <= 599;
  exchange_.head = made_up_head(is_http_like ? resource.status : 200, media_type);
  exchange_.block_digest = digest_.finish();
  exchange_.payload_digest = exchange_.block_digest;
  exchange_.payload_size = size();
  exchange_.framing.kind = http::Framing::Kind::until_close;
  exchange_.resource.emplace(std::move(resource));
  return std::move(exchange_);
}

http::ResponseHead made_up_head(int status, std::string_view media_type) {
  auto head = http::parse_response_head(fmt::format("HTTP/1.1 {}\r\nContent-Type: {}\r\n\r\n", status, media_type),
                                        http::Mode::lenient);
  CADDIS_CHECK(head.has_value());
  return *std::move(head);
}

}  // namespace caddis::protocols
