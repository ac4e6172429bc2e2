// Reads a feed that is polled: its items, what its server calls this state of it, or why it is none.

#include <fmt/format.h>

#include <memory>

#include "caddis/feeds/feed.h"
#include "caddis/visit/feed_origin.h"
#include "caddis/visit/feed_read.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

constexpr int kOk = 200;

class FeedStep final : public Step {
 public:
  std::string_view name() const override { return "feed"; }

  Result<Next> run(Visit& visit) override {
    const auto origin = FeedOrigin::of(visit.lease().candidate);
    if (!origin || origin->kind != FeedUrlKind::feed) return Next::on();
    auto read = std::make_shared<FeedRead>();
    const LogEntry& entry = visit.line->entry;
    if (entry.is_unchanged())
      read->is_unchanged = true;
    else if (entry.status == kOk)
      TRY_VOID(read_answer(visit, *origin, *read));
    else
      read->trouble = fmt::format("it is answered with the status {}", entry.status);
    visit.line->feed = std::move(read);
    return Next::on();
  }

 private:
  static Result<void> read_answer(Visit& visit, const FeedOrigin& origin, FeedRead& read) {
    const LogEntry& entry = visit.line->entry;
    if (!entry.digest.empty() && entry.digest == origin.capture.digest) {
      read.is_unchanged = true;
      return {};
    }
    if (!visit.document.body) {
      read.trouble = "its document was not read: it is longer than extract.max-length, or cannot be decoded";
      return {};
    }
    TRY(const std::string_view bytes, visit.document.body_bytes());
    auto feed = feeds::parse_feed(bytes, *visit.url());
    if (!feed) {
      read.trouble = "it is no feed: " + feed.error().message;
      return {};
    }
    read.feed = *std::move(feed);
    const http::ResponseHead& head = visit.document.exchange()->head;
    read.capture = {.url = entry.url,
                    .date = entry.started,
                    .record_id = {},
                    .etag = std::string(head.find("etag").value_or("")),
                    .last_modified = std::string(head.find("last-modified").value_or("")),
                    .digest = entry.digest,
                    .mime = entry.mime};
    return {};
  }
};

}  // namespace

std::unique_ptr<Step> make_feed_step(LaneTools&) { return std::make_unique<FeedStep>(); }

}  // namespace caddis::visit
