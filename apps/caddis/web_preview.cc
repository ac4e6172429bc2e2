// A request that Wayback answers without a capture (files of the server, frames that are led to their host, requests that
// a page sends astray) is given to an archive that has none. Any other is fetched first, and given to one that has
// nothing but the answer, dated as the request wants it: so each address is that of its capture, and leads nowhere else.
#include "web_preview.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/replay/address.h"
#include "caddis/replay/destination.h"
#include "caddis/replay/headers.h"
#include "live_requests.h"

namespace caddis::cli {
namespace {

constexpr std::string_view kPrefix = "/live/";
constexpr size_t kTimestamp = 14;
// For frames: as many windows as somebody may open at once.
constexpr size_t kMostHeld = 8;
constexpr uint64_t kMostHeldBytes = 512 << 20;
constexpr Duration kHeldFor = std::chrono::seconds(60);

bool is_below(std::string_view path) { return path.starts_with(kPrefix) || path == "/live"; }

// Wayback leads it to another host, whatever is there.
bool leads_elsewhere(const replay::Place& place, const http::ServerRequest& request, bool is_frameless) {
  const replay::Destination destination = replay::destination_of(request);
  if (place.kind == replay::Place::Kind::captures) return destination == replay::Destination::window && !is_frameless;
  return destination == replay::Destination::frame || destination == replay::Destination::plugin;
}

std::string address_text(std::string_view timestamp, const replay::Address& address) {
  return fmt::format("{}{}{}/{}", kPrefix, timestamp, replay::to_string(address.modifier),
                     replay::header_url(address.url));
}

http::ServerResponse lead_to(std::string address) {
  http::ServerResponse response = replay::confined_text(302, "the live web, as it is now");
  response.headers.emplace_back("Location", std::move(address));
  return response;
}

}  // namespace

WebPreview::WebPreview(aio::Loop& loop, std::unique_ptr<LiveArchive> live, Fetch fetch)
    : loop_(loop), live_(std::move(live)), nothing_(live_->with(nullptr)), fetch_(std::move(fetch)), turns_(loop) {}

WebPreview::~WebPreview() {
  if (timer_) loop_.cancel(*timer_);
}

aio::Task<http::ServerResponse> WebPreview::answer(const http::ServerRequest& request, const ArchiveDoor& archive) {
  const replay::Place place = live_->origins().place_of(request);
  const bool is_of_captures = place.kind == replay::Place::Kind::captures;
  if (!is_of_captures && !(place.kind == replay::Place::Kind::own && is_below(request.path)))
    co_return co_await archive.replay(request);
  http::ServerResponse response = co_await answer_live(request, archive, place);
  if (!request.path.starts_with("/-/")) replay::set_header(response.headers, "Cache-Control", "no-store");
  co_return response;
}

aio::Task<http::ServerResponse> WebPreview::answer_live(const http::ServerRequest& request, const ArchiveDoor& archive,
                                                        const replay::Place& place) {
  const bool is_own = place.kind == replay::Place::Kind::own;
  const auto address = request.target.starts_with(kPrefix)
                           ? replay::capture_address(std::string_view(request.target).substr(kPrefix.size()))
                           : std::nullopt;
  const bool is_named = address && (address->has_scheme || !address->timestamp.empty());
  if (is_own && !is_named)
    co_return replay::confined_text(404, fmt::format("a page of the live web has an address such as {}{}https://{}/",
                                                     archive.base, kPrefix, "example.org"));
  if (!is_named || request.method == "OPTIONS" || leads_elsewhere(place, request, live_->is_frameless()))
    co_return co_await archive.show(request, nothing_);
  auto url = url::Url::parse(address->url);
  if (!url || !url->is_http() || url->effective_port() == 0)
    co_return replay::confined_text(400,
                                    fmt::format("'{}' is no URL of http or https", replay::header_url(address->url)));
  const bool is_page = replay::is_page(address->modifier);
  const bool is_read = request.method == "GET" || request.method == "HEAD";
  const bool is_dated = address->timestamp.size() == kTimestamp;
  const std::string timestamp = is_dated ? address->timestamp : timestamp14(loop_.clock().wall());
  if (!is_dated && is_page && is_read) co_return lead_to(archive.base + address_text(timestamp, *address));

  const std::string key = timestamp + ' ' + std::string(url->without_fragment());
  Fetched exchange = is_page && is_read && address->modifier != replay::Modifier::page ? take(key) : nullptr;
  if (exchange == nullptr) {
    auto refused = co_await refuse(request, archive);
    if (refused) co_return *std::move(refused);
    const std::string via = page_of(request, archive.base);
    const auto fetched = co_await fetch(request, *url, via);
    if (!fetched)
      co_return replay::confined_text(
          502, fmt::format("{} gives no answer: {}", replay::header_url(url->href()), fetched.error().message));
    exchange = *fetched;
  }
  const replay::FetchedCapture capture{std::string(url->without_fragment()), timestamp, exchange};
  http::ServerRequest dated = request;
  if (!is_dated) dated.target = address_text(timestamp, *address);
  const auto fresh = live_->with(&capture);
  http::ServerResponse response = co_await archive.show(dated, fresh);
  const bool is_redirect = exchange->head.status() / 100 == 3;
  if (is_own && is_read && !is_redirect && replay::is_for_a_window(request, address->modifier))
    hold(key, std::move(exchange));
  co_return response;
}

// A frame for which nothing is held asks the page around it to open its address: then it is one of the server's own.
aio::Task<std::optional<http::ServerResponse>> WebPreview::refuse(const http::ServerRequest& request,
                                                                  const ArchiveDoor& archive) {
  if (is_of_a_stranger(request) || is_outside(request, archive.base)) {
    if (replay::destination_of(request) == replay::Destination::frame)
      co_return co_await archive.show(request, nothing_);
    co_return replay::confined_text(403, "another site may not have pages fetched: open the address yourself");
  }
  co_return co_await archive.refuse_change(request);
}

aio::Task<Result<WebPreview::Fetched>> WebPreview::fetch(const http::ServerRequest& request, const url::Url& url,
                                                         const std::string& via) {
  co_await turns_.take();
  auto fetched = co_await fetch_(request, url, via);
  turns_.give_back();
  co_return fetched;
}

// Once: what is fetched is shown once.
WebPreview::Fetched WebPreview::take(const std::string& key) {
  drop_old();
  const auto found = std::ranges::find(held_, key, &Held::key);
  if (found == held_.end()) return nullptr;
  Fetched exchange = std::move(found->exchange);
  held_.erase(found);
  return exchange;
}

// The newest is always held: without it, the frame would ask the window for its address again, and so forth.
void WebPreview::hold(std::string key, Fetched exchange) {
  const auto is_too_much = [&] {
    uint64_t bytes = exchange->response.size();
    for (const Held& one : held_) bytes += one.exchange->response.size();
    return held_.size() >= kMostHeld || bytes > kMostHeldBytes;
  };
  while (!held_.empty() && is_too_much()) held_.pop_front();
  held_.push_back({std::move(key), std::move(exchange), loop_.clock().steady() + kHeldFor});
  drop_old();
}

void WebPreview::drop_old() {
  while (!held_.empty() && held_.front().until <= loop_.clock().steady()) held_.pop_front();
  if (timer_ || held_.empty()) return;
  timer_ = loop_.at(held_.front().until, [this] {
    timer_.reset();
    drop_old();
  });
}

}  // namespace caddis::cli
