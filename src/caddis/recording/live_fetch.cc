#include "caddis/recording/live_fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/recording/log_line.h"
#include "caddis/recording/outgoing_request.h"
#include "caddis/recording/record_proxy.h"
#include "caddis/recording/recorded_exchange.h"
#include "caddis/url/public_form.h"

namespace caddis::recording {
namespace {

constexpr auto kOfTheBrowser =
    std::to_array<std::string_view>({"user-agent", "accept", "accept-language", "accept-encoding"});
constexpr auto kOfTheRequest = std::to_array<std::string_view>({"content-type", "range", "x-requested-with"});
constexpr size_t kBodyInMemory = 64 * 1024;

// Takes a response to its end, but for one that is too long.
class Taker final : public ResponseFollower {
 public:
  Taker(const aio::Loop& loop, LiveLimits limits)
      : loop_(loop), limits_(limits), until_(loop.clock().steady() + limits.within) {}
  aio::Task<void> follow(const http::Exchange& so_far) override {
    size_ = so_far.response.size();
    co_return;
  }
  std::string gives_up() const override {
    if (size_ > limits_.bytes)
      return fmt::format("longer than {} MiB, which is the most that is fetched for a page that is shown",
                         limits_.bytes >> 20);
    if (loop_.clock().steady() > until_)
      return fmt::format("not at its end after {}, which is the most for a page that is shown",
                         format_duration(limits_.within));
    return {};
  }

 private:
  const aio::Loop& loop_;
  const LiveLimits limits_;
  const SteadyTime until_;
  uint64_t size_ = 0;
};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view one) { return equals_ignore_case(one, name); });
}

http::ServerRequest request_for(const LiveAsk& ask) {
  http::ServerRequest request;
  // The answer to a HEAD could not be shown as that to a GET is.
  request.method = ask.keeps_request && ask.asked.method != "HEAD" ? ask.asked.method : "GET";
  request.headers.emplace_back("Host", ask.url.host());
  for (const auto& [name, value] : ask.asked.headers)
    if (is_one_of(name, kOfTheBrowser) || (ask.keeps_request && is_one_of(name, kOfTheRequest)))
      request.headers.emplace_back(name, value);
  const bool leaks = ask.via.starts_with("https:") && ask.url.scheme() == "http";
  if (!ask.via.empty() && !leaks) request.headers.emplace_back("Referer", ask.via);
  return request;
}

}  // namespace

aio::Task<UpstreamResult> fetch_live(Upstream& upstream, LiveAsk ask, LiveLimits limits) {
  const http::ServerRequest request = request_for(ask);
  OutgoingForm form;
  std::optional<io::Spool> body;
  if (request.method != "GET") {
    body.emplace(upstream.world().spools, kBodyInMemory);
    if (auto taken = body->append(ask.asked.body); !taken) {
      UpstreamResult result;
      result.failure = {.status = status::kSevereError, .error = taken.error().message};
      co_return result;
    }
    form.body_size = body->size();
  }
  const OutgoingRequest outgoing = outgoing_request(request, ask.url, form);
  UpstreamTarget target{
      .tls = ask.url.scheme() == "https", .host = std::string(ask.url.hostname()), .port = ask.url.effective_port()};
  Taker taker(upstream.world().loop, limits);
  co_return co_await upstream.fetch(std::move(target), outgoing, body ? &*body : nullptr, taker);
}

aio::Task<Result<void>> fetch_and_record(RecordProxy& proxy, const http::ServerRequest& asked, url::Url url,
                                         std::string via) {
  const LiveAsk ask{asked, url, via};
  const LiveLimits limits;
  UpstreamResult result = co_await fetch_live(proxy.upstream(), ask, limits);
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
