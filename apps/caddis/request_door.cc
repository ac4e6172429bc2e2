#include "request_door.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <utility>

#include "caddis/io/files.h"

namespace caddis::cli {
namespace {

http::ServerResponse too_many(Duration wait) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(wait).count();
  http::ServerResponse response = http::text_response(429, "too many requests: wait a little");
  response.headers.emplace_back("Retry-After", std::to_string(seconds));
  return response;
}

}  // namespace

void add_request_door_options(CLI::App& command, RequestDoorOptions& options) {
  command
      .add_option("--requests-per-minute", options.per_minute,
                  "A client (an address, or a /64 of IPv6) may send so many on average; 0 for any number")
      ->capture_default_str();
  command.add_option("--requests-at-once", options.at_once, "… and so many at once, as a page with its pictures does")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--access-log", options.log.file, "A line for each request, in the combined log format")
      ->option_text("FILE");
  command
      .add_option("--access-log-size", options.log.largest,
                  "At so many bytes the log is moved to FILE.1, and so on; 0: never")
      ->capture_default_str()
      ->transform(CLI::AsSizeValue(true));
  command.add_option("--access-logs-kept", options.log.kept, "So many logs that were moved are kept")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000));
}

Result<std::unique_ptr<RequestDoor>> RequestDoor::open(aio::Loop& loop, aio::Blocking& workers,
                                                       const RequestDoorOptions& options,
                                                       const std::vector<std::string>& proxies) {
  auto clients = access::ClientAddress::create(proxies);
  if (!clients) return pass(std::move(clients).error(), "--trusted-proxy");
  TRY(auto log, replay::RequestLog::open(io::real_files(), loop.clock(), options.log));
  return std::unique_ptr<RequestDoor>(new RequestDoor(loop, workers, options, *std::move(clients), std::move(log)));
}

aio::Task<http::ServerResponse> RequestDoor::let_through(const http::ServerRequest& request, const std::string& user,
                                                         const http::Handler& handler) {
  http::ServerResponse response;
  const std::string address = clients_.of(request);
  const Duration wait = limits_.take(address, loop_.clock().steady());
  if (wait > Duration())
    response = too_many(wait);
  else
    response = co_await handler(request);
  if (log_->is_written())
    response.when_sent = [this, &request, address, user](const http::SentResponse& sent) {
      return log_sent(request, address, user, sent);
    };
  co_return response;
}

aio::Task<void> RequestDoor::log_sent(const http::ServerRequest& request, const std::string& address,
                                      const std::string& user, const http::SentResponse& sent) {
  std::function<void()> work = [&] { log_->write(request, address, user, sent); };
  co_await workers_.run(loop_, std::move(work));
}

}  // namespace caddis::cli
