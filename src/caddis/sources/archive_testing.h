// For tests only: another archive, on loopback.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "caddis/aio/loop_thread.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/http/test_server.h"

namespace caddis::sources {

// `fields` are lines.
inline std::string answer(int status, const std::string& body, const std::string& fields = "") {
  return "HTTP/1.1 " + std::to_string(status) + " It\r\nConnection: close\r\n" + fields +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

// An archive on loopback: it gives one answer after another.
class Archive {
 public:
  explicit Archive(const std::vector<std::string>& answers) {
    std::vector<http::Script> scripts;
    for (const std::string& one : answers) scripts.push_back({http::request(), http::send(one)});
    thread_.start();
    on_loop([&](std::promise<void>& done) {
      network_ = aio::make_network(thread_.loop());
      server_ = std::make_unique<http::TestServer>(*network_, scripts);
      serving_.spawn(server_->serve(thread_.loop()));
      done.set_value();
    });
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  ~Archive() {
    on_loop([&](std::promise<void>& done) {
      server_->close();
      ending_.spawn(end(done));
    });
    thread_.stop();
  }
  std::string address() const { return "http://127.0.0.1:" + std::to_string(server_->endpoint().port); }
  // The requests that came.
  std::vector<std::string> requests() {
    std::vector<std::string> came;
    on_loop([&](std::promise<void>& done) {
      came = server_->requests();
      done.set_value();
    });
    return came;
  }

 private:
  void on_loop(const std::function<void(std::promise<void>&)>& work) {
    std::promise<void> done;
    thread_.loop().post([&] { work(done); });
    done.get_future().wait();
  }
  aio::Task<void> end(std::promise<void>& done) {
    co_await serving_.join();
    done.set_value();
  }

  aio::LoopThread thread_{system_clock()};
  std::unique_ptr<aio::Network> network_;
  std::unique_ptr<http::TestServer> server_;
  aio::Nursery serving_, ending_;  // of the thread
};

}  // namespace caddis::sources
