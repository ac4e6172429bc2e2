#include "caddis/control/control_client.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "caddis/aio/network.h"
#include "caddis/http/head.h"

namespace caddis::control {
namespace {

std::string what_is_wrong(const std::string& said) {
  const auto json = nlohmann::json::parse(said, nullptr, false);
  if (json.is_object() && json.contains("error") && json["error"].is_string()) return json["error"].get<std::string>();
  return said;
}

}  // namespace

aio::Task<Result<std::string>> ask(aio::Loop& loop, std::string socket, std::string method, std::string path,
                                   std::string body, Duration patience) {
  const auto network = aio::make_network(loop);
  const SteadyTime deadline = loop.clock().steady() + patience;
  auto stream = co_await network->connect_unix(socket, deadline);
  if (!stream) co_return fail(ErrorCode::not_found, "no crawl is running there");
  (*stream)->set_deadline(deadline);
  // HTTP/1.0: the answer ends with the connection, and is not chunked.
  const std::string request =
      fmt::format("{} {} HTTP/1.0\r\nHost: caddis\r\nContent-Length: {}\r\n\r\n{}", method, path, body.size(), body);
  CO_TRY_VOID(co_await (*stream)->write(request));
  std::string answer;
  std::string buffer(64 * 1024, '\0');
  for (;;) {
    CO_TRY(const size_t n, co_await (*stream)->read(buffer.data(), buffer.size()));
    if (n == 0) break;
    answer.append(buffer, 0, n);
  }
  CO_TRY(const http::ResponseHead head, http::parse_response_head(answer, http::Mode::strict));
  std::string said = answer.substr(head.size());
  if (head.status() == 410) co_return fail(ErrorCode::conflict, what_is_wrong(said));
  if (head.status() != 200)
    co_return fail(ErrorCode::denied, fmt::format("the crawl answers {}: {}", head.status(), what_is_wrong(said)));
  co_return said;
}

}  // namespace caddis::control
