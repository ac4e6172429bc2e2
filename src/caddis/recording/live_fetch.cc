#include "caddis/recording/live_fetch.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/recording/log_line.h"
#include "caddis/recording/outgoing_request.h"
#include "caddis/recording/record_proxy.h"
#include "caddis/recording/recorded_exchange.h"
#include "caddis/url/public_form.h"

namespace caddis::recording {
namespace {

constexpr auto kOfTheBrowser =
    std::to_array<std::string_view>({"user-agent", "accept", "accept-language", "accept-encoding"});

// Nobody sees how much comes, so nobody would end what has no end.
constexpr Duration kWithin = std::chrono::minutes(5);
constexpr uint64_t kAtMost = 1 << 30;

// Takes a response to its end, but for one that is too long.
class Taker final : public ResponseFollower {
 public:
  explicit Taker(aio::Loop& loop) : loop_(loop), until_(loop.clock().steady() + kWithin) {}
  aio::Task<void> follow(const http::Exchange& so_far) override {
    size_ = so_far.response.size();
    co_return;
  }
  std::string gives_up() const override {
    if (size_ > kAtMost) return "longer than 1 GiB, which is the most that is fetched for a page that is shown";
    if (loop_.clock().steady() > until_)
      return "not at its end after 5 minutes, which is the most for a page that is shown";
    return {};
  }

 private:
  aio::Loop& loop_;
  const SteadyTime until_;
  uint64_t size_ = 0;
};

http::ServerRequest request_for(const http::ServerRequest& asked, const url::Url& url, const std::string& via) {
  http::ServerRequest request;
  request.method = "GET";
  request.headers.emplace_back("Host", url.host());
  for (const auto& [name, value] : asked.headers)
    if (std::ranges::any_of(kOfTheBrowser, [&](std::string_view one) { return equals_ignore_case(one, name); }))
      request.headers.emplace_back(name, value);
  const bool leaks = via.starts_with("https:") && url.scheme() == "http";
  if (!via.empty() && !leaks) request.headers.emplace_back("Referer", via);
  return request;
}

}  // namespace

aio::Task<Result<void>> fetch_and_record(RecordProxy& proxy, const http::ServerRequest& asked, url::Url url,
                                         std::string via) {
  const OutgoingRequest outgoing = outgoing_request(request_for(asked, url, via), url, OutgoingForm());
  UpstreamTarget target{
      .tls = url.scheme() == "https", .host = std::string(url.hostname()), .port = url.effective_port()};
  Taker taker(proxy.world().loop);
  UpstreamResult result = co_await proxy.upstream().fetch(std::move(target), outgoing, nullptr, taker);
  const std::string shown = url::public_form(url);
  if (!result.exchange) {
    LoggedRequest failed{.url = shown, .via = via, .mime = {}, .digest = {}};
    failed.status = result.failure.status;
    failed.started = failed.finished = proxy.world().loop.clock().wall();
    proxy.recording().log(failed);
    co_return fail(ErrorCode::io, result.failure.error);
  }
  RecordedExchange recorded(*std::move(result.exchange));
  recorded.url = shown;
  recorded.via = std::move(via);
  recorded.method = "GET";
  recorded.is_page = asked.header("sec-fetch-dest") == "document";
  recorded.cut = std::move(result.cut);
  co_await proxy.recording().keep(std::move(recorded));
  co_return co_await proxy.recording().settle();
}

}  // namespace caddis::recording
