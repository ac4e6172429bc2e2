#include "caddis/replay/blocked.h"

#include <memory>
#include <string>
#include <utility>

#include "caddis/replay/frame_page.h"
#include "caddis/replay/views.h"
#include "caddis/viewing/viewer_rules.h"

namespace caddis::replay {
namespace {

constexpr std::string_view kLatest = "99991231235959";
// So many captures of one URL are looked at, to find one that is blocked; somebody waits.
constexpr size_t kLookedAt = 10'000;

class KeptSource final : public http::BodySource {
 public:
  KeptSource(std::shared_ptr<Collection> collection, std::unique_ptr<http::BodySource> source)
      : collection_(std::move(collection)), source_(std::move(source)) {}
  Result<bool> next(std::string& piece) override { return source_->next(piece); }

 private:
  const std::shared_ptr<Collection> collection_;  // outlives source_
  const std::unique_ptr<http::BodySource> source_;
};

// The message of the first blocked capture, of all or of those at that time; nothing if there is none. It is counted.
std::optional<std::string> message_of_blocked(const SeenCollection& seen, std::string_view url,
                                              std::string_view timestamp) {
  for (const SeenCollection& member : seen.members)
    if (auto message = message_of_blocked(member, url, timestamp)) return message;
  if (seen.rules == nullptr) return std::nullopt;
  const auto all = seen.collection->originals().captures_of(url);
  if (!all) return std::nullopt;
  std::optional<std::string> message;
  size_t looked = 0;
  const auto done = all->each([&](cdx::Capture& capture) {
    if (!timestamp.empty() && capture.timestamp < timestamp) return true;
    if ((!timestamp.empty() && capture.timestamp > timestamp) || ++looked > kLookedAt) return false;
    const viewing::Decision decision = seen.rules->decide(capture.url, capture.timestamp);
    if (decision.verdict == viewing::Verdict::block) message = decision.message;
    return !message;
  });
  if (!done || !message) return std::nullopt;
  seen.rules->counts().refusals.fetch_add(1, std::memory_order_relaxed);
  return message;
}

// Returns the words of a refusal, if there is one. It is counted.
std::optional<std::string> words_of_refusal(const RequestContext& context, std::string_view url,
                                            std::string_view timestamp) {
  if (!context.seen.hides_anything_of(url)) return std::nullopt;
  const auto seen = context.collection.index().captures_of(url);
  const auto nearest = seen ? seen->closest(timestamp.empty() ? kLatest : timestamp, 1)
                            : Result<std::vector<cdx::Capture>>(std::unexpected(seen.error()));
  const bool sees_something = nearest && !nearest->empty();
  // A whole time names a capture; another one is a wish, which what may be seen fulfils.
  if (sees_something && (timestamp.size() < 14 || nearest->front().timestamp == timestamp)) return std::nullopt;
  const auto message = message_of_blocked(context.seen, url, sees_something ? timestamp : std::string_view());
  if (!message) return std::nullopt;
  return message->empty() ? context.writer.text("blocked") : *message;
}

}  // namespace

std::optional<http::ServerResponse> refuse_blocked(const RequestContext& context, std::string_view url,
                                                   std::string_view timestamp, Modifier modifier) {
  const auto words = words_of_refusal(context, url, timestamp);
  if (!words) return std::nullopt;
  if (is_for_a_frame(context.request, modifier))
    return alone_page(context, 451, "*", url, *words + ' ' + context.writer.text("frame-see-others"));
  return own_page(451, message_page(context.writer, context.writer.text("title-blocked"), *words));
}

std::optional<http::ServerResponse> refuse_blocked_as_captured(const RequestContext& context, const Address& address) {
  const auto words = words_of_refusal(context, address.url, address.timestamp);
  if (!words) return std::nullopt;
  return http::text_response(451, context.writer.text("title-blocked") + ": " + address.url + '\n' + *words);
}

http::ServerResponse keep_for_body(http::ServerResponse response, std::shared_ptr<Collection> collection) {
  if (response.source)
    response.source = std::make_unique<KeptSource>(std::move(collection), std::move(response.source));
  return response;
}

}  // namespace caddis::replay
