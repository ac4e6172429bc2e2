// An endless web on loopback, on a thread of its own: for crawls whose lanes are threads. Each host has an address of
// its own (127.0.0.1, 127.0.0.2, …) and a port that the system chooses; each page links to two of its host and to one
// of the next host.
//
//   SiteOnLoopback site(4);
//   crawl from site.url(0, "p0") with site.addresses() as name table
#pragma once

#include <charconv>
#include <map>
#include <memory>
#include <semaphore>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/loop_thread.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/check.h"
#include "caddis/base/clock.h"
#include "caddis/http/server.h"

namespace caddis::testing {

class SiteOnLoopback {
 public:
  explicit SiteOnLoopback(size_t hosts) : network_(aio::make_network(thread_.loop())) {
    for (size_t host = 0; host < hosts; ++host) {
      auto server = http::Server::start(
          thread_.loop(), *network_, aio::Endpoint(address(host), 0),
          [this, host](const http::ServerRequest& request) { return answer(*this, host, request.path); },
          http::ServerSettings());
      CADDIS_CHECK(server.has_value());
      origins_.push_back("http://" + name(host) + ":" + std::to_string((*server)->local().port) + "/");
      servers_.push_back(*std::move(server));
    }
    thread_.start();
  }
  SiteOnLoopback(const SiteOnLoopback&) = delete;
  SiteOnLoopback& operator=(const SiteOnLoopback&) = delete;
  ~SiteOnLoopback() {
    aio::Nursery nursery;
    std::binary_semaphore stopped(0);
    thread_.loop().post([&] { nursery.spawn(stop(*this, stopped)); });
    stopped.acquire();
    thread_.stop();
  }

  size_t hosts() const { return origins_.size(); }
  static std::string name(size_t host) { return "s" + std::to_string(host) + ".test"; }
  std::string url(size_t host, std::string_view path) const { return origins_[host] + std::string(path); }
  // For dns::make_table_resolver.
  std::map<std::string, std::vector<std::string>> addresses() const {
    std::map<std::string, std::vector<std::string>> table;
    for (size_t host = 0; host < hosts(); ++host) table[name(host)] = {address(host)};
    return table;
  }

 private:
  static std::string address(size_t host) { return "127.0.0." + std::to_string(host + 1); }

  static aio::Task<http::ServerResponse> answer(const SiteOnLoopback& site, size_t host, std::string path) {
    http::ServerResponse response(path == "/robots.txt" ? 404 : 200);
    response.headers = {{"Content-Type", "text/html"}};
    response.body = "<html><title>" + path + "</title>";
    unsigned number = 0;
    if (path.starts_with("/p")) std::from_chars(path.data() + 2, path.data() + path.size(), number);
    for (const unsigned child : {2 * number + 1, 2 * number + 2})
      response.body += "<a href=\"/p" + std::to_string(child) + "\">on</a>\n";
    response.body += "<a href=\"" + site.url((host + 1) % site.hosts(), "p" + std::to_string(number)) + "\">over</a>\n";
    co_return response;
  }

  static aio::Task<void> stop(SiteOnLoopback& site, std::binary_semaphore& stopped) {
    for (const auto& server : site.servers_) co_await server->stop();
    site.servers_.clear();
    stopped.release();
  }

  aio::LoopThread thread_{system_clock()};
  std::unique_ptr<aio::Network> network_;
  std::vector<std::string> origins_;
  std::vector<std::unique_ptr<http::Server>> servers_;
};

}  // namespace caddis::testing
