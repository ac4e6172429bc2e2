#include "caddis/fetch/dns_over_https.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "caddis/aio/event.h"
#include "caddis/aio/network.h"
#include "caddis/base/strings.h"
#include "caddis/fetch/decoded_body.h"
#include "caddis/http/client.h"
#include "caddis/http/media_type.h"
#include "caddis/io/memory_files.h"
#include "caddis/io/spool.h"
#include "caddis/url/url.h"

namespace caddis::fetch {
namespace {

constexpr std::string_view kMediaType = "application/dns-message";
constexpr size_t kLongestMessage = 65535;
constexpr size_t kMostInFlight = 32;

class HttpsTransport final : public dns::Transport {
 public:
  HttpsTransport(aio::Loop& loop, url::Url server, std::string address, Duration timeout)
      : server_(std::move(server)),
        address_(std::move(address)),
        timeout_(timeout),
        network_(aio::make_network(loop)),
        client_(loop, *network_, spools_, {.max_idle_per_address = kMostInFlight}),
        free_(loop) {}

  std::string server() const override { return address_; }

  void abort() override {
    is_aborted_ = true;
    client_.abort();
    free_.notify();
  }

  aio::Task<Result<Reply>> ask(std::string message) override {
    while (in_flight_ >= kMostInFlight && !is_aborted_) co_await free_.wait();
    if (is_aborted_) co_return fail(ErrorCode::cancelled, "the crawl stops");
    ++in_flight_;
    http::FetchResult got = co_await client_.fetch(origin(), request(std::move(message)), limits());
    --in_flight_;
    free_.notify();
    co_return read(got);
  }

 private:
  http::Origin origin() const {
    return {.tls = true,
            .host = std::string(server_.hostname()),
            .port = server_.effective_port(),
            .address = aio::Endpoint{address_, server_.effective_port()},
            .trust = aio::TlsTrust::strict,
            .offers_http2 = true};
  }

  http::Request request(std::string message) const {
    http::Request made;
    made.method = "POST";
    made.target = std::string(server_.pathname()) + std::string(server_.search());
    made.add("Host", server_.host());
    made.add("Accept", kMediaType);
    made.add("Content-Type", kMediaType);
    made.add("Content-Length", std::to_string(message.size()));
    made.body = std::move(message);
    return made;
  }

  http::Limits limits() const {
    http::Limits limits;
    limits.connect = limits.silence = limits.total = timeout_;
    limits.max_body = kLongestMessage;
    return limits;
  }

  Result<Reply> read(const http::FetchResult& got) const {
    const auto failed = [this](std::string_view why) {
      return fail(ErrorCode::io, fmt::format("{}: {}", server_.href(), why));
    };
    if (!got) return pass(got.error().error, server_.href());
    if (const int status = got->head.status(); status < 200 || status > 299)
      return failed(fmt::format("it answers with status {}", status));
    if (const std::string mime = http::mime_of(got->head); mime != kMediaType)
      return failed(fmt::format("its answer is no {}, but '{}'", kMediaType, mime));
    if (got->truncated != http::Truncated::none) return failed("its answer is cut short");
    TRY(const DecodedBody body, decode_body(*got, kLongestMessage));
    Reply reply{.message = std::string(body.bytes())};
    // RFC 8484, 5.1: time in a cache counts.
    const auto age = parse_int(got->head.find("age").value_or("0"));
    if (age && *age > 0) reply.age = static_cast<uint32_t>(std::min<int64_t>(*age, UINT32_MAX));
    return reply;
  }

  const url::Url server_;
  const std::string address_;
  const Duration timeout_;
  const std::unique_ptr<aio::Network> network_;
  io::MemoryFiles files_;  // never used: messages are shorter than what a spool holds in memory
  io::SpoolFolder spools_{files_, "spool"};
  http::Client client_;
  aio::Event free_;
  size_t in_flight_ = 0;
  bool is_aborted_ = false;
};

}  // namespace

Result<std::unique_ptr<dns::Resolver>> make_resolver(aio::Loop& loop, const dns::Settings& settings,
                                                     const FindServer& find) {
  if (settings.over_https.empty()) return dns::make_resolver(loop, settings);
  TRY_VOID(dns::check_https_server(settings.over_https));
  TRY(url::Url server, url::Url::parse(settings.over_https));
  std::string host(server.hostname());
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  auto address = find(host);
  if (!address)
    return fail(ErrorCode::config,
                fmt::format("dns.over-https: the server {} cannot be found ({}): write its address into "
                            "the URL, or into /etc/hosts",
                            host, address.error().message));
  return dns::make_resolver(loop, settings,
                            std::make_unique<HttpsTransport>(loop, std::move(server), *address, settings.timeout));
}

}  // namespace caddis::fetch
