#include "caddis/visit/feed_origin.h"

#include <chrono>

#include "caddis/frontier/bytes.h"

namespace caddis::visit {
namespace {

constexpr std::string_view kName = "feed";
constexpr uint8_t kVersion = 1;

}  // namespace

// Whatever else the bytes may be, a URL is not lost for them.
std::optional<FeedOrigin> FeedOrigin::of(const frontier::Candidate& candidate) {
  const auto bytes = candidate.attributes.find(kName);
  if (!bytes) return {};
  frontier::Reader in(*bytes);
  if (in.u8() != kVersion) return {};
  FeedOrigin origin;
  const uint8_t kind = in.u8();
  if (kind > static_cast<uint8_t>(FeedUrlKind::derived)) return {};
  origin.kind = static_cast<FeedUrlKind>(kind);
  origin.site = in.string();
  origin.round = in.varint();
  if (origin.kind == FeedUrlKind::feed) {
    origin.feed = in.string();
    feeds::FeedCapture& capture = origin.capture;
    for (std::string* const part :
         {&capture.url, &capture.record_id, &capture.etag, &capture.last_modified, &capture.digest, &capture.mime})
      *part = in.string();
    capture.date = WallTime(std::chrono::microseconds(in.varint()));
  }
  if (!in.ok()) return {};
  return origin;
}

void FeedOrigin::put_into(frontier::Candidate& candidate) const {
  std::string bytes(1, static_cast<char>(kVersion));
  bytes += static_cast<char>(kind);
  frontier::put_string(bytes, site);
  frontier::put_varint(bytes, round);
  if (kind == FeedUrlKind::feed) {
    for (const std::string* const part : {&feed, &capture.url, &capture.record_id, &capture.etag,
                                          &capture.last_modified, &capture.digest, &capture.mime})
      frontier::put_string(bytes, *part);
    frontier::put_varint(bytes, static_cast<uint64_t>(capture.date.time_since_epoch().count()));
  }
  candidate.attributes.set(kName, std::move(bytes));
}

FeedOrigin FeedOrigin::next(bool is_redirect) const {
  if (is_redirect && kind != FeedUrlKind::derived) return *this;
  FeedOrigin derived;
  derived.site = site;
  derived.round = round;
  return derived;
}

}  // namespace caddis::visit
