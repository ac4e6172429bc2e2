// The body of a request is taken whole, into a spool, before a server is asked: so its length is known, and it can be
// recorded as it was sent. The response goes the other way while it comes (delivery.h).

#include "caddis/recording/proxy_connection.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "caddis/aio/nursery.h"
#include "caddis/base/strings.h"
#include "caddis/http/proxy_listener.h"
#include "caddis/http/server_response.h"
#include "caddis/recording/delivery.h"
#include "caddis/recording/log_line.h"
#include "caddis/recording/record_proxy.h"
#include "caddis/recording/recorded_exchange.h"
#include "caddis/url/public_form.h"

namespace caddis::recording {
namespace {

constexpr size_t kBufferSize = 64 * 1024;
constexpr size_t kBodyInMemory = 256 * 1024;
constexpr Duration kForAHead = std::chrono::seconds(10);
constexpr Duration kForAnother = std::chrono::seconds(75);
constexpr Duration kForABody = std::chrono::seconds(60);  // each piece of it
constexpr Duration kForAnAnswer = std::chrono::seconds(60);

http::ServerSettings parser_settings() {
  http::ServerSettings settings;
  settings.reads_body = [](const http::ServerRequest&) { return true; };
  return settings;
}

UpstreamTarget target_of(const url::Url& url) {
  return {.tls = url.scheme() == "https", .host = std::string(url.hostname()), .port = url.effective_port()};
}

// The page that asked for it, without secrets.
std::string via_of(const http::ServerRequest& request) {
  const auto page = url::Url::parse(request.header("referer"));
  return page ? url::public_form(*page) : std::string();
}

bool is_page(const http::ServerRequest& request) {
  if (request.method != "GET") return false;
  const std::string_view destination = request.header("sec-fetch-dest");
  return destination.empty() ? request.header("accept").contains("text/html") : destination == "document";
}

// Both with their default ports left out, so that "h:443" in a tunnel and "h" in a field are the same.
bool is_same_site(const url::Url& url, std::string_view tunnel) {
  const auto other = url::Url::parse(fmt::format("{}://{}/", url.scheme(), tunnel));
  return other && other->host() == url.host();
}

}  // namespace

ProxyConnection::ProxyConnection(RecordProxy& proxy, aio::Stream& stream)
    : proxy_(proxy),
      stream_(stream),
      settings_(parser_settings()),
      buffer_(std::make_unique_for_overwrite<char[]>(kBufferSize)) {}

void ProxyConnection::allow(Duration time) { stream_.set_deadline(proxy_.world().loop.clock().steady() + time); }

aio::Task<void> ProxyConnection::run() {
  while (!proxy_.is_stopping() && co_await exchange()) {
  }
}

void ProxyConnection::end_when_idle() {
  if (is_idle_) cut();
}

aio::Task<Result<void>> ProxyConnection::read_more() {
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= std::exchange(begin_, 0);
  }
  if (end_ == kBufferSize) co_return fail(ErrorCode::limit, "the head is too long");
  const auto count = co_await stream_.read(buffer_.get() + end_, kBufferSize - end_);
  if (!count || *count == 0) co_return fail(ErrorCode::cancelled, "the client has gone");
  end_ += *count;
  co_return Result<void>();
}

aio::Task<Result<void>> ProxyConnection::receive_head(http::RequestParser& parser) {
  is_idle_ = begin_ == end_;
  allow(is_idle_ && !is_first_ ? kForAnother : kForAHead);
  while (parser.in_head()) {
    CO_TRY(const size_t taken, parser.take(std::string_view(buffer_.get() + begin_, end_ - begin_)));
    begin_ += taken;
    if (!parser.in_head()) break;
    if (taken > 0) continue;
    CO_TRY_VOID(co_await read_more());
    if (std::exchange(is_idle_, false)) allow(kForAHead);
  }
  is_first_ = false;
  co_return Result<void>();
}

aio::Task<Result<void>> ProxyConnection::receive_body(http::RequestParser& parser, io::Spool& body) {
  if (parser.take_wish_to_continue()) {
    CO_TRY_VOID(co_await stream_.write("HTTP/1.1 100 Continue\r\n\r\n"));
  }
  while (!parser.done()) {
    CO_TRY(const size_t taken, parser.take(std::string_view(buffer_.get() + begin_, end_ - begin_)));
    begin_ += taken;
    CO_TRY_VOID(body.append(std::exchange(parser.request().body, std::string())));
    if (taken > 0 || parser.done()) continue;
    allow(kForABody);
    CO_TRY_VOID(co_await read_more());
  }
  co_return Result<void>();
}

Result<std::optional<url::Url>> ProxyConnection::asked_url(const http::ServerRequest& request) const {
  const std::string tunnel = http::tunnel_of(stream_);
  if (tunnel.empty() && request.target.starts_with('/')) return std::nullopt;
  const std::string asked =
      tunnel.empty() ? request.target
                     : fmt::format("{}://{}{}", request.tls ? "https" : "http", request.header("host"), request.target);
  auto url = url::Url::parse(asked);
  if (!url || !url->is_http() || url->effective_port() == 0)
    return fail(ErrorCode::parse, "A proxy is asked for URLs of http and https.");
  if (!tunnel.empty() && !is_same_site(*url, tunnel))
    return fail(ErrorCode::denied,
                fmt::format("The connection was opened for {}, and {} is asked for.", tunnel, request.header("host")));
  if (url->hostname() == kOwnHost) return std::nullopt;
  return std::optional(*std::move(url));
}

// A client that has a tunnel has been asked already.
aio::Task<bool> ProxyConnection::may_ask(const http::ServerRequest& request) {
  const AdmitsClient& admits = proxy_.options().admits;
  if (!admits || !http::tunnel_of(stream_).empty()) co_return true;
  std::string credentials(request.header("proxy-authorization"));
  co_return co_await admits(std::move(credentials), stream_.remote());
}

aio::Task<bool> ProxyConnection::answer(const http::ServerResponse& response, const http::ServerRequest& request,
                                        bool may_go_on) {
  const auto plan = http::plan_response(response, request.method == "HEAD", false, may_go_on);
  std::string bytes = http::response_head(response, plan, false, proxy_.world().loop.clock().wall());
  if (plan.body == http::ResponsePlan::Body::sized) bytes += response.body;
  allow(kForAnAnswer);
  const auto written = co_await stream_.write(bytes);
  co_return written.has_value() && plan.keep_alive;
}

aio::Task<bool> ProxyConnection::exchange() {
  http::RequestParser parser(settings_);
  const auto received = co_await receive_head(parser);
  is_idle_ = false;
  http::ServerRequest& request = parser.request();
  if (!received) {
    if (received.error().code == ErrorCode::cancelled || received.error().code == ErrorCode::closed ||
        received.error().code == ErrorCode::timeout)
      co_return false;
    const int status = http::status_of(received.error(), parser.in_head());
    const auto page = refusal_page(status, "This request makes no sense", received.error().message);
    co_return co_await answer(page, request, false);
  }
  request.remote = stream_.remote();
  request.tls = stream_.tls() != nullptr;
  const bool is_admitted = co_await may_ask(request);
  if (!is_admitted) {
    auto page = refusal_page(407, "Log in", "This proxy is for those who have a name and a password for it.");
    page.headers.emplace_back("Proxy-Authenticate", "Basic realm=\"Caddis\"");
    co_return co_await answer(page, request, false);
  }
  const auto url = asked_url(request);
  if (!url) {
    const int status = url.error().code == ErrorCode::denied ? 421 : 400;
    const auto page = refusal_page(status, "This cannot be asked for", url.error().message);
    co_return co_await answer(page, request, false);
  }
  if (!*url) {
    const auto page = own_page(request.path, proxy_.facts());
    co_return co_await answer(page, request, parser.keep_alive() && parser.done());
  }
  co_return co_await pass_on(parser, **url);
}

aio::Task<bool> ProxyConnection::pass_on(http::RequestParser& parser, const url::Url& url) {
  http::ServerRequest& request = parser.request();
  std::optional<io::Spool> body;
  OutgoingForm form{.body_size = std::nullopt,
                    .records_credentials = proxy_.options().records_credentials,
                    .is_http_1_0 = parser.http_1_0()};
  const bool says_length = !request.header("content-length").empty();
  if (!parser.done() || says_length) {
    body.emplace(proxy_.world().spools, kBodyInMemory);
    if (const auto received = co_await receive_body(parser, *body); !received) {
      if (received.error().code != ErrorCode::no_space && received.error().code != ErrorCode::limit) co_return false;
      const auto page = refusal_page(507, "The recorder has no room", received.error().message);
      co_return co_await answer(page, request, false);
    }
    form.body_size = body->size();
  }
  const OutgoingRequest outgoing = outgoing_request(request, url, form);
  const bool goes_on = parser.keep_alive() && !parser.http_1_0() && !proxy_.is_stopping();
  Delivery delivery(proxy_.world().loop, stream_, goes_on);
  stream_.set_deadline(SteadyTime::max());
  UpstreamResult result = co_await proxy_.upstream().fetch(target_of(url), outgoing, body ? &*body : nullptr, delivery);
  if (result.upgraded) {
    co_await relay(url, via_of(request), *std::move(result.upgraded));
    co_return false;
  }
  if (result.exchange) {
    co_await delivery.end();
    co_return co_await finish(request, url, outgoing, std::move(result), std::move(body), delivery.goes_on());
  }
  LoggedRequest failed{.url = {}, .via = {}, .mime = {}, .digest = {}};
  const std::string shown = url::public_form(url), via = via_of(request);
  failed.url = shown;
  failed.via = via;
  failed.status = result.failure.status;
  failed.started = failed.finished = proxy_.world().loop.clock().wall();
  proxy_.recording().log(failed);
  if (delivery.has_begun()) co_return false;
  const auto page = failure_page(shown, result.failure);
  co_return co_await answer(page, request, goes_on);
}

aio::Task<bool> ProxyConnection::finish(const http::ServerRequest& request, const url::Url& url,
                                        const OutgoingRequest& outgoing, UpstreamResult result,
                                        std::optional<io::Spool> body, bool goes_on) {
  RecordedExchange recorded(*std::move(result.exchange));
  recorded.url = url::public_form(url);
  recorded.via = via_of(request);
  recorded.method = request.method;
  recorded.withheld = outgoing.withheld;
  recorded.content_type = request.header("content-type");
  recorded.request_body = std::move(body);
  recorded.is_page = is_page(request);
  recorded.cut = std::move(result.cut);
  proxy_.keep(std::move(recorded));
  // A client that brings more than the disk takes has to wait before it asks for more.
  co_await proxy_.recording().wait_for_room();
  co_return goes_on;
}

// Both directions until one ends. Nothing of it is recorded: WARC has no form for it.
aio::Task<void> ProxyConnection::relay(const url::Url& url, std::string via, Upgraded upgraded) {
  const WallTime begun = proxy_.world().loop.clock().wall();
  aio::Stream& server = *upgraded.stream;
  stream_.set_deadline(SteadyTime::max());
  server.set_deadline(SteadyTime::max());
  const std::string first = upgraded.head + upgraded.behind;
  const std::string early(buffer_.get() + begin_, end_ - begin_);
  begin_ = end_ = 0;
  const auto to_client = co_await stream_.write(first);
  const auto to_server = early.empty() ? Result<void>() : co_await server.write(early);
  if (to_client && to_server) {
    const Upstream::Active active(proxy_.upstream(), server);
    aio::Nursery both;
    both.spawn(copy(stream_, server));
    both.spawn(copy(server, stream_));
    co_await both.join();
  }
  const std::string shown = url::public_form(url);
  LoggedRequest told{.url = shown, .via = via, .mime = {}, .digest = {}};
  told.status = 101;
  told.started = begun;
  told.finished = proxy_.world().loop.clock().wall();
  told.is_websocket = true;
  proxy_.recording().log(told);
}

aio::Task<void> ProxyConnection::copy(aio::Stream& from, aio::Stream& to) {
  const auto buffer = std::make_unique_for_overwrite<char[]>(kBufferSize);
  for (;;) {
    const auto got = co_await from.read(buffer.get(), kBufferSize);
    if (!got || *got == 0) break;
    const auto written = co_await to.write(std::string_view(buffer.get(), *got));
    if (!written) break;
  }
  from.close();
  to.close();
}

}  // namespace caddis::recording
