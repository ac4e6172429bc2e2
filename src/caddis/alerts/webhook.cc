#include <fmt/format.h>

#include <utility>

#include "caddis/aio/network.h"
#include "caddis/alerts/alert_desk.h"
#include "caddis/base/version.h"
#include "caddis/dns/resolver.h"
#include "caddis/http/head.h"
#include "caddis/url/url.h"

namespace caddis::alerts {
namespace {

constexpr int kTries = 3;
constexpr Duration kPatience = std::chrono::seconds(10), kPause = std::chrono::seconds(2);
constexpr size_t kLongestHead = 64 * 1024;

std::string request_of(const url::Url& url, std::string_view json) {
  const std::string target = fmt::format("{}{}", url.pathname(), url.search());
  return fmt::format(
      "POST {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: caddis/{}\r\nContent-Type: application/json\r\n"
      "Content-Length: {}\r\nConnection: close\r\n\r\n{}",
      target.empty() ? "/" : target, url.host(), kVersion, json.size(), json);
}

class RealWebhook final : public Webhook {
 public:
  explicit RealWebhook(aio::Loop& loop) : loop_(loop), network_(aio::make_network(loop)) {}

  aio::Task<Result<void>> post(std::string address, std::string json) override {
    CO_TRY(const url::Url url, url::Url::parse(address));
    Result<void> outcome;
    Duration pause = kPause;
    for (int i = 0; i < kTries; ++i) {
      if (i > 0) {
        co_await aio::sleep_for(loop_, pause);
        pause *= 4;
      }
      outcome = co_await try_once(url, json);
      if (outcome) co_return outcome;
    }
    co_return outcome;
  }

 private:
  aio::Task<Result<std::unique_ptr<aio::Stream>>> connect(const url::Url& url, SteadyTime deadline) {
    const dns::Settings settings;
    CO_TRY(const auto resolver, dns::make_resolver(loop_, settings));
    std::string host(url.hostname());
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    auto answer = co_await resolver->resolve(host);
    co_await resolver->end();
    if (!answer) co_return std::unexpected(std::move(answer).error());
    aio::TlsOptions tls;
    tls.server_name = host;
    tls.trust = aio::TlsTrust::normal;
    const aio::Endpoint at{answer->addresses.front().text, url.effective_port()};
    co_return co_await network_->connect(at, url.scheme() == "https" ? &tls : nullptr, deadline);
  }

  aio::Task<Result<void>> try_once(const url::Url& url, const std::string& json) {
    const SteadyTime deadline = loop_.clock().steady() + kPatience;
    CO_TRY(const auto stream, co_await connect(url, deadline));
    stream->set_deadline(deadline);
    const std::string request = request_of(url, json);
    CO_TRY_VOID(co_await stream->write(request));
    std::string answer;
    std::string buffer(4096, '\0');
    while (answer.find("\r\n\r\n") == std::string::npos && answer.size() < kLongestHead) {
      CO_TRY(const size_t n, co_await stream->read(buffer.data(), buffer.size()));
      if (n == 0) break;
      answer.append(buffer, 0, n);
    }
    CO_TRY(const http::ResponseHead head, http::parse_response_head(answer, http::Mode::lenient));
    if (head.status() / 100 == 2) co_return Result<void>();
    co_return fail(ErrorCode::denied, fmt::format("it answers {}", head.status()));
  }

  aio::Loop& loop_;
  std::unique_ptr<aio::Network> network_;
};

}  // namespace

std::unique_ptr<Webhook> make_webhook(aio::Loop& loop) { return std::make_unique<RealWebhook>(loop); }

}  // namespace caddis::alerts
