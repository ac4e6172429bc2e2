// For tests: a collection made by hand, and the wayback machine over it as a function from request to response.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/time_format.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/wayback.h"

namespace caddis::replay {

// Writes records as a crawler would.
class ArchiveMaker {
 public:
  void response(std::string_view url, std::string_view timestamp, std::string_view http) {
    record("response", url, timestamp, "Content-Type: application/http;msgtype=response\r\n", http);
  }
  void revisit(std::string_view url, std::string_view timestamp, std::string_view digest, std::string_view refers_to,
               std::string_view refers_to_time, std::string_view http) {
    std::string fields =
        "Content-Type: application/http;msgtype=response\r\n"
        "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n";
    fields += "WARC-Payload-Digest: " + std::string(digest) + "\r\n";
    if (!refers_to.empty())
      fields += "WARC-Refers-To-Target-URI: " + std::string(refers_to) +
                "\r\nWARC-Refers-To-Date: " + date(refers_to_time) + "\r\n";
    record("revisit", url, timestamp, fields, http);
  }
  void record(std::string_view type, std::string_view url, std::string_view timestamp, std::string_view fields,
              std::string_view block) {
    std::string text = "WARC/1.1\r\nWARC-Type: " + std::string(type) +
                       "\r\nWARC-Record-ID: <urn:uuid:" + std::to_string(++id_) +
                       ">\r\nWARC-Target-URI: " + std::string(url) + "\r\nWARC-Date: " + date(timestamp) + "\r\n" +
                       std::string(fields) + "Content-Length: " + std::to_string(block.size()) + "\r\n\r\n" +
                       std::string(block) + "\r\n\r\n";
    bytes_ += io::gzip_member(text, io::GzipEffort::small);
  }
  const std::string& bytes() const { return bytes_; }
  // The id of the record written last: "urn:uuid:7".
  std::string last_id() const { return "urn:uuid:" + std::to_string(id_); }

 private:
  static std::string date(std::string_view timestamp) { return rfc3339(*parse_timestamp(timestamp)); }
  std::string bytes_;
  int id_ = 0;
};

inline std::string http_ok(std::string_view type, std::string_view body, std::string_view more = "") {
  return "HTTP/1.1 200 OK\r\nContent-Type: " + std::string(type) +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + std::string(more) + "\r\n" + std::string(body);
}

class WaybackTest : public ::testing::Test {
 protected:
  void put(const std::string& path, std::string_view bytes) {
    ASSERT_TRUE(files.make_dirs(io::parent_path(path)));
    auto file = files.open_append(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE((*file)->append(bytes));
  }
  // Opens what `maker` holds as collection "c".
  void open(WaybackOptions options = {}) {
    put("c/archive/a.warc.gz", maker.bytes());
    open_at("c", std::move(options));
  }
  // Opens what lies there.
  void open_at(const std::string& path, WaybackOptions options = {}, const std::string& launch = {}) {
    auto collections = open_collections(files, clock, path, launch);
    ASSERT_TRUE(collections) << collections.error().message;
    std::vector<std::string> all;
    for (const auto& collection : *collections) all.push_back(collection->name());
    auto origins = Origins::create(names, all, "secret");
    ASSERT_TRUE(origins) << origins.error().message;
    wayback = std::make_unique<Wayback>(files, *std::move(collections), *std::move(origins),
                                        decltype(control::AskingWorld::ask)(), std::move(options));
  }
  http::ServerResponse get(std::string target, http::ServerHeaders headers = {}) {
    return ask("GET", std::move(target), std::move(headers), "");
  }
  http::ServerResponse ask(std::string method, std::string target, http::ServerHeaders headers, std::string body) {
    http::ServerRequest request;
    request.method = std::move(method);
    request.body = std::move(body);
    request.path = target.substr(0, target.find('?'));
    if (request.path.size() < target.size()) request.query = target.substr(request.path.size() + 1);
    request.target = std::move(target);
    request.headers = std::move(headers);
    if (find_header(request.headers, "host").empty()) request.headers.emplace_back("Host", "localhost:8080");
    http::ServerResponse response = wayback->handle(request);
    auto whole = http::whole_body(response);
    EXPECT_TRUE(whole) << whole.error().message;
    if (whole) response.body = *std::move(whole);
    return response;
  }
  // As a browser asks over https and of loopback.
  http::ServerResponse get_for(std::string_view destination, std::string target, std::string host = "localhost:8080") {
    return get(std::move(target), {{"Host", std::move(host)}, {"Sec-Fetch-Dest", std::string(destination)}});
  }
  static std::string header(const http::ServerResponse& response, std::string_view name) {
    return std::string(find_header(response.headers, name));
  }

  io::MemoryFiles files;
  ManualClock clock;
  ArchiveMaker maker;
  ServeNames names;
  std::unique_ptr<Wayback> wayback;
};

}  // namespace caddis::replay
