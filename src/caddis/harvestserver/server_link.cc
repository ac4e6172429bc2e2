#include "caddis/harvestserver/server_link.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/control/api_json.h"
#include "caddis/harvestserver/web_connection.h"
#include "caddis/http/head.h"

namespace caddis::harvestserver {
namespace {

constexpr size_t kMostAnswer = 64 << 20;

class Exchange {
 public:
  Exchange(aio::Loop& loop, const LinkOptions& options, const WebPlace& place)
      : loop_(loop), options_(options), place_(place), network_(aio::make_network(loop)) {}

  aio::Task<void> run(const LinkQuestion& question, Result<std::string>& answer) {
    answer = co_await exchange(question);
  }

 private:
  // HTTP/1.0: the answer ends with the connection, and is not chunked.
  aio::Task<Result<std::string>> exchange(const LinkQuestion& question) {
    const SteadyTime deadline = loop_.clock().steady() + options_.patience;
    CO_TRY(const auto stream, co_await connect_to(loop_, *network_, place_, deadline));
    stream->set_deadline(deadline);
    std::string request = fmt::format("{} {} HTTP/1.0\r\nHost: {}\r\nContent-Length: {}\r\n", question.method,
                                      question.target, place_.authority(), question.body.size());
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
  const WebPlace& place_;
  const std::unique_ptr<aio::Network> network_;
};

Result<LinkAnswer> ask_once(const LinkOptions& options, const WebPlace& place, const LinkQuestion& question) {
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
  TRY(WebPlace place, place_of(options.server));
  if (!place.path.empty())
    return fail(ErrorCode::config,
                fmt::format("'{}' is no address of a server such as https://harvest.example:8444", options.server));
  place.fingerprint = options.fingerprint;
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
