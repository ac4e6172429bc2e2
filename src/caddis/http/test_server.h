// For tests only: a server that plays scripts over real sockets, one script per connection, byte for byte.
//
//   TestServer server(network, {{request(), send("HTTP/1.1 200 OK\r\n\r\nhello")}});
//   nursery.spawn(server.serve(loop));  ...  server.close();  co_await nursery.join();
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/check.h"

namespace caddis::http {

struct Step {
  enum class Do {
    read_request,  // up to an empty line
    send,          // in pieces of `piece` bytes
    wait,          // for `pause`
    wait_for_end,  // until the client has closed
    endless,       // sends `bytes` until the client is gone
  };
  Do what;
  std::string bytes = {};
  size_t piece = std::string::npos;
  Duration pause = {};
};
using Script = std::vector<Step>;

inline Step request() { return {Step::Do::read_request}; }
inline Step send(std::string bytes, size_t piece = std::string::npos, Duration pause = {}) {
  return {Step::Do::send, std::move(bytes), piece, pause};
}
inline Step endless(std::string bytes) { return {Step::Do::endless, std::move(bytes)}; }
inline Step wait(Duration pause) { return {Step::Do::wait, {}, 0, pause}; }
inline Step wait_for_end() { return {Step::Do::wait_for_end}; }

struct TestCredentials {
  std::string certificate_pem, key_pem;
};

class TestServer {
 public:
  // Connections play the scripts in order; further ones the last.
  TestServer(aio::Network& network, std::vector<Script> scripts, const TestCredentials* tls = nullptr,
             const std::string& address = "127.0.0.1")
      : scripts_(std::move(scripts)) {
    const aio::Endpoint at{address, 0};
    auto listener = tls ? network.listen_tls(at, tls->certificate_pem, tls->key_pem) : network.listen(at);
    CADDIS_CHECK(listener.has_value());
    listener_ = *std::move(listener);
  }

  aio::Endpoint endpoint() const { return listener_->local(); }
  size_t connections() const { return connections_; }
  // What came, request by request.
  const std::vector<std::string>& requests() const { return requests_; }

  aio::Task<void> serve(aio::Loop& loop) {
    aio::Nursery nursery;
    for (;;) {
      auto stream = co_await listener_->accept();
      if (!stream) break;
      const size_t index = std::min(connections_++, scripts_.size() - 1);
      nursery.spawn(play(loop, *std::move(stream), scripts_[index]));
    }
    co_await nursery.join();
  }
  void close() {
    closed_ = true;
    listener_->close();
    for (aio::Stream* const stream : open_) stream->close();
  }

 private:
  aio::Task<void> play(aio::Loop& loop, std::unique_ptr<aio::Stream> stream, const Script& script) {
    open_.push_back(stream.get());
    std::string received;
    for (const Step& step : script) {
      if (closed_) break;
      const bool goes_on = co_await perform(loop, *stream, received, step);
      if (!goes_on) break;
    }
    std::erase(open_, stream.get());
  }

  aio::Task<bool> perform(aio::Loop& loop, aio::Stream& stream, std::string& received, const Step& step) {
    switch (step.what) {
      case Step::Do::read_request:
        co_return co_await read_request(stream, received);
      case Step::Do::send:
        co_return co_await send_pieces(loop, stream, step);
      case Step::Do::wait:
        co_await aio::sleep_for(loop, step.pause);
        co_return true;
      case Step::Do::wait_for_end:
        co_return co_await read_to_end(stream);
      case Step::Do::endless:
        break;
    }
    for (;;) {
      const auto sent = co_await stream.write(step.bytes);
      if (!sent) co_return false;
    }
  }

  aio::Task<bool> read_request(aio::Stream& stream, std::string& received) {
    char buffer[4096];
    while (received.find("\r\n\r\n") == std::string::npos) {
      const auto got = co_await stream.read(buffer, sizeof(buffer));
      if (!got || *got == 0) co_return false;
      received.append(buffer, *got);
    }
    const size_t end = received.find("\r\n\r\n") + 4;
    requests_.push_back(received.substr(0, end));
    received.erase(0, end);
    co_return true;
  }

  aio::Task<bool> send_pieces(aio::Loop& loop, aio::Stream& stream, const Step& step) {
    for (std::string_view rest = step.bytes; !rest.empty() && !closed_;) {
      const std::string_view piece = rest.substr(0, step.piece);
      const auto sent = co_await stream.write(piece);
      if (!sent) co_return false;
      rest.remove_prefix(piece.size());
      if (step.pause > Duration::zero()) co_await aio::sleep_for(loop, step.pause);
    }
    co_return true;
  }

  aio::Task<bool> read_to_end(aio::Stream& stream) {
    char buffer[4096];
    for (;;) {
      const auto got = co_await stream.read(buffer, sizeof(buffer));
      if (!got || *got == 0) co_return false;
    }
  }

  std::vector<Script> scripts_;
  std::unique_ptr<aio::Listener> listener_;
  std::vector<aio::Stream*> open_;
  std::vector<std::string> requests_;
  size_t connections_ = 0;
  bool closed_ = false;
};

}  // namespace caddis::http
