#include "caddis/harvestserver/server_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/strings.h"
#include "caddis/control/api_json.h"
#include "caddis/dns/resolver.h"
#include "caddis/http/head.h"
#include "caddis/url/url.h"

namespace caddis::harvestserver {
namespace {

constexpr size_t kMostAnswer = 64 << 20;

struct Place {
  std::string socket;  // or
  std::string host;
  uint16_t port = 0;
  bool is_tls = false;
};

Result<Place> place_of(const std::string& server) {
  Place place;
  if (!server.contains("://")) {
    place.socket = server;
    return place;
  }
  TRY(const url::Url url, url::Url::parse(server));
  if (!url.is_http() || url.pathname() != "/" || url.hostname().empty())
    return fail(ErrorCode::config,
                fmt::format("'{}' is no address of a server such as https://harvest.example:8444", server));
  place.host = std::string(url.hostname());
  if (place.host.starts_with('[')) place.host = place.host.substr(1, place.host.size() - 2);
  place.port = url.effective_port();
  place.is_tls = url.scheme() == "https";
  return place;
}

class Exchange {
 public:
  Exchange(aio::Loop& loop, const LinkOptions& options, const Place& place)
      : loop_(loop), options_(options), place_(place), network_(aio::make_network(loop)) {}

  aio::Task<void> run(const LinkQuestion& question, Result<std::string>& answer) {
    answer = co_await exchange(question);
  }

 private:
  aio::Task<Result<std::unique_ptr<aio::Stream>>> connect(SteadyTime deadline) {
    if (!place_.socket.empty()) co_return co_await network_->connect_unix(place_.socket, deadline);
    const dns::Settings settings;
    CO_TRY(const auto resolver, dns::make_resolver(loop_, settings));
    auto found = co_await resolver->resolve(place_.host);
    co_await resolver->end();
    if (!found) co_return std::unexpected(std::move(found).error());
    aio::TlsOptions tls;
    tls.server_name = place_.host;
    tls.trust = options_.fingerprint.empty() ? aio::TlsTrust::normal : aio::TlsTrust::open;
    const aio::Endpoint at{found->addresses.front().text, place_.port};
    CO_TRY(auto stream, co_await network_->connect(at, place_.is_tls ? &tls : nullptr, deadline));
    if (!is_known(*stream))
      co_return fail(ErrorCode::denied,
                     fmt::format("{} shows another certificate than the one that is expected", place_.host));
    co_return stream;
  }

  bool is_known(const aio::Stream& stream) const {
    if (options_.fingerprint.empty()) return true;
    const aio::TlsInfo* const info = stream.tls();
    if (info == nullptr || info->chain == nullptr || info->chain->empty()) return false;
    std::string wanted = to_lower(options_.fingerprint);
    std::erase(wanted, ':');
    return to_lower(info->chain->front().sha256) == wanted;
  }

  // HTTP/1.0: the answer ends with the connection, and is not chunked.
  aio::Task<Result<std::string>> exchange(const LinkQuestion& question) {
    const SteadyTime deadline = loop_.clock().steady() + options_.patience;
    CO_TRY(const auto stream, co_await connect(deadline));
    stream->set_deadline(deadline);
    std::string request =
        fmt::format("{} {} HTTP/1.0\r\nHost: {}\r\nContent-Length: {}\r\n", question.method, question.target,
                    place_.host.empty() ? "caddis" : place_.host, question.body.size());
    if (!options_.token.empty()) request += fmt::format("Authorization: Bearer {}\r\n", options_.token);
    if (!question.range.empty()) request += fmt::format("Range: {}\r\n", question.range);
    request += "\r\n";
    CO_TRY_VOID(co_await stream->write(request));
    CO_TRY_VOID(co_await stream->write(question.body));
    std::string answer;
    std::string buffer(64 * 1024, '\0');
    for (;;) {
      CO_TRY(const size_t n, co_await stream->read(buffer.data(), buffer.size()));
      if (n == 0) co_return answer;
      answer.append(buffer, 0, n);
      if (answer.size() > kMostAnswer) co_return fail(ErrorCode::limit, "the answer is too large");
    }
  }

  aio::Loop& loop_;
  const LinkOptions& options_;
  const Place& place_;
  const std::unique_ptr<aio::Network> network_;
};

Result<LinkAnswer> ask_once(const LinkOptions& options, const Place& place, const LinkQuestion& question) {
  const auto loop = aio::make_loop(system_clock());
  Exchange exchange(*loop, options, place);
  Result<std::string> answer;
  aio::run_to_end(*loop, exchange.run(question, answer));
  if (!answer) return pass(std::move(answer.error()), options.server);
  TRY(const http::ResponseHead head, http::parse_response_head(*answer, http::Mode::strict));
  return LinkAnswer{head.status(), answer->substr(head.size())};
}

ErrorCode code_of(int status) {
  switch (status) {
    case 404:
      return ErrorCode::not_found;
    case 409:
      return ErrorCode::conflict;
    case 401:
    case 403:
      return ErrorCode::denied;
    case 422:
      return ErrorCode::corrupt;
    case 400:
      return ErrorCode::parse;
    default:
      return ErrorCode::io;
  }
}

}  // namespace

Result<ServerLink> make_link(LinkOptions options) {
  TRY(Place place, place_of(options.server));
  return ServerLink([options = std::move(options), place = std::move(place)](const LinkQuestion& question) {
    return ask_once(options, place, question);
  });
}

Result<std::string> ask(const ServerLink& link, const LinkQuestion& question) {
  TRY(LinkAnswer answer, link(question));
  if (answer.status / 100 == 2) return std::move(answer.body);
  const auto failure = control::api::from_json<control::api::Failure>(answer.body);
  return fail(code_of(answer.status),
              fmt::format("the server answers {}: {}", answer.status, failure ? failure->error : "it gives no reason"));
}

}  // namespace caddis::harvestserver
