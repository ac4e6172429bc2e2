// The recorder's way to sites of HTTP/2, in the simulated world: what is asked over it, what is not, and what is recorded.
#include "caddis/recording/upstream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "caddis/aio/sim.h"
#include "caddis/http/http2_test_server.h"
#include "caddis/io/memory_files.h"

namespace caddis::recording {
namespace {

using http::Http2Answer;
using http::Http2Fields;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::SizeIs;
using testing::StartsWith;

const aio::Endpoint kServer("192.0.2.7", 443);

// Notes how much it is told of.
class Follower final : public ResponseFollower {
 public:
  aio::Task<void> follow(const http::Exchange& so_far) override {
    size = so_far.response.size();
    if (first == 0) first = size;
    co_return;
  }
  std::string gives_up() const override { return leaves && size > 0 ? "the browser has left" : ""; }
  uint64_t first = 0, size = 0;  // bytes that it was told of first, and last
  bool leaves = false;
};

// Answers each connection with these bytes, whatever it is asked.
aio::Task<void> speak_http1(std::unique_ptr<aio::Stream> stream, size_t& requests) {
  char buffer[4096];
  std::string come;
  for (;;) {
    const auto got = co_await stream->read(buffer, sizeof(buffer));
    if (!got || *got == 0) co_return;
    come.append(buffer, *got);
    if (!come.contains("\r\n\r\n")) continue;
    come.clear();
    ++requests;
    const auto written = co_await stream->write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nold");
    if (!written) co_return;
  }
}

class UpstreamTest : public testing::Test {
 protected:
  UpstreamTest() {
    network_.settings().takes_http2 = true;
    settings_.http_version = fetch::HttpVersion::http2;
    settings_.allow_addresses = {"192.0.2.0/24"};
  }

  void serve(http::Http2TestServer::Respond respond) {
    server_ = std::make_unique<http::Http2TestServer>(std::move(respond));
    network_.serve(kServer, [this](std::unique_ptr<aio::Stream> stream) { return server_->serve(std::move(stream)); });
  }
  void serve_http1() {
    network_.serve(
        kServer, [this](std::unique_ptr<aio::Stream> stream) { return speak_http1(std::move(stream), old_requests_); });
  }

  OutgoingRequest request_of(std::string method, const std::string& path, http::ServerHeaders headers,
                             std::optional<uint64_t> body_size = {}) {
    http::ServerRequest asked;
    asked.method = std::move(method);
    asked.headers = std::move(headers);
    return outgoing_request(asked, *url::Url::parse("https://h.test" + path), {.body_size = body_size});
  }

  // One fetch after the other, by one upstream.
  std::vector<UpstreamResult> fetch(std::vector<OutgoingRequest> requests, const io::Spool* body = nullptr) {
    std::vector<UpstreamResult> results;
    const auto resolver = dns::make_table_resolver(loop_.clock(), {{"h.test", {"192.0.2.7"}}});
    const Upstream::World world{loop_, network_, *resolver, spools_, addresses_};
    Upstream upstream(world, settings_);
    aio::run_to_end(loop_, drive(upstream, requests, body, results));
    return results;
  }
  aio::Task<void> drive(Upstream& upstream, const std::vector<OutgoingRequest>& requests, const io::Spool* body,
                        std::vector<UpstreamResult>& results) {
    for (const OutgoingRequest& request : requests) {
      UpstreamTarget target{.tls = true, .host = "h.test", .port = 443};
      UpstreamResult result = co_await upstream.fetch(std::move(target), request, body, follower_);
      results.push_back(std::move(result));
    }
    upstream.abort();
  }
  io::Spool body_of(std::string_view text) {
    io::Spool body(spools_, 1 << 20);
    EXPECT_TRUE(body.append(text));
    return body;
  }

  static std::string stored(const UpstreamResult& result) { return *result.exchange->response.to_string(1 << 28); }

  aio::SimLoop loop_{7};
  aio::SimNetwork network_{loop_, {}};
  io::MemoryFiles files_;
  io::SpoolFolder spools_{files_, "spool"};
  fetch::AddressPolicy addresses_;
  fetch::FetchSettings settings_;
  Follower follower_;
  std::unique_ptr<http::Http2TestServer> server_;
  size_t old_requests_ = 0;
};

TEST_F(UpstreamTest, RecordsTheRenditionOfHttp2) {
  const std::string large(300'000, 'x');
  serve([&](const Http2Fields&, const std::string&) {
    return Http2Answer{
        .fields = {{":status", "200"}, {"content-type", "text/plain"}}, .body = large, .trailers = {{"t", "1"}}};
  });
  const auto request = request_of("GET", "/a?b", {{"Cookie", "sid=1"}, {"Accept", "*/*"}, {"TE", "trailers"}});
  const auto results = fetch({request, request});
  ASSERT_THAT(results, SizeIs(2));
  for (const UpstreamResult& result : results) {
    ASSERT_TRUE(result.exchange) << result.failure.error;
    EXPECT_EQ(http::protocol_of(*result.exchange), "h2");
    EXPECT_EQ(stored(result), "HTTP/1.1 200 \r\ncontent-type: text/plain\r\n\r\n" + large);
    EXPECT_EQ(result.exchange->request_bytes, "GET /a?b HTTP/1.1\r\nHost: h.test\r\nAccept: */*\r\n\r\n");
    EXPECT_EQ(result.exchange->truncated, http::Truncated::none);
    EXPECT_THAT(result.exchange->problem, HasSubstr("trailer t: 1"));
  }
  // As it came, and not when it was whole; over one connection.
  EXPECT_LT(follower_.first, large.size());
  EXPECT_EQ(server_->connections(), 1);
  EXPECT_TRUE(results[1].exchange->reused);
  const Http2Fields& sent = server_->requests()[0];
  EXPECT_THAT(sent, Contains(Pair(":authority", "h.test")));
  EXPECT_THAT(sent, Contains(Pair("cookie", "sid=1")));
  EXPECT_THAT(sent, Not(Contains(Pair("te", testing::_))));
}

TEST_F(UpstreamTest, PostsABodyOverHttp2) {
  std::string came;
  serve([&](const Http2Fields&, const std::string& body) {
    came = body;
    return Http2Answer{.body = "thanks"};
  });
  const std::string text(200'000, 'q');
  const io::Spool body = body_of(text);
  const auto results = fetch({request_of("POST", "/form", {{"Content-Type", "text/plain"}}, body.size())}, &body);
  ASSERT_TRUE(results[0].exchange) << results[0].failure.error;
  EXPECT_EQ(came, text);
  EXPECT_EQ(http::protocol_of(*results[0].exchange), "h2");
  // The head alone: the body is recorded from its spool.
  EXPECT_EQ(results[0].exchange->request_bytes,
            "POST /form HTTP/1.1\r\nHost: h.test\r\nContent-Type: text/plain\r\nContent-Length: 200000\r\n\r\n");
}

TEST_F(UpstreamTest, LetsAServerTakeItsTimeForABody) {
  serve([](const Http2Fields&, const std::string& body) { return Http2Answer{.body = std::to_string(body.size())}; });
  server_->read_slowly(loop_, settings_.silence_timeout / 4);
  const io::Spool body = body_of(std::string(200'000, 'q'));
  const SteadyTime begun = loop_.clock().steady();
  const auto results = fetch({request_of("POST", "/form", {}, body.size())}, &body);
  ASSERT_TRUE(results[0].exchange) << results[0].failure.error;
  EXPECT_TRUE(stored(results[0]).ends_with("\r\n\r\n200000"));
  EXPECT_GT(loop_.clock().steady() - begun, settings_.silence_timeout);
}

TEST_F(UpstreamTest, AsksForOtherThingsByHttp1) {
  serve_http1();
  const io::Spool body = body_of(std::string(kMostOverHttp2 + 1, 'q'));
  auto results = fetch({request_of("POST", "/up", {}, body.size())}, &body);
  ASSERT_TRUE(results[0].exchange) << results[0].failure.error;
  EXPECT_EQ(http::protocol_of(*results[0].exchange), "http/1.1");
  results = fetch({request_of("GET", "/ws", {{"Connection", "Upgrade"}, {"Upgrade", "websocket"}})});
  ASSERT_TRUE(results[0].exchange) << results[0].failure.error;
  settings_.http_version = fetch::HttpVersion::http11;
  results = fetch({request_of("GET", "/", {})});
  ASSERT_TRUE(results[0].exchange) << results[0].failure.error;
  EXPECT_EQ(stored(results[0]), "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nold");
}

TEST_F(UpstreamTest, GoesBackToHttp1IfHttp2IsBroken) {
  // It agrees on HTTP/2, and speaks HTTP/1.1.
  size_t connections = 0;
  network_.serve(kServer, [&](std::unique_ptr<aio::Stream> stream) {
    ++connections;
    network_.settings().takes_http2 = false;
    return speak_http1(std::move(stream), old_requests_);
  });
  const auto results = fetch({request_of("GET", "/", {}), request_of("GET", "/2", {})});
  for (const UpstreamResult& result : results) {
    ASSERT_TRUE(result.exchange) << result.failure.error;
    EXPECT_THAT(stored(result), testing::EndsWith("old"));
    EXPECT_EQ(http::protocol_of(*result.exchange), "http/1.1");
  }
  EXPECT_EQ(connections, 2);
}

TEST_F(UpstreamTest, WhatChangesSomethingIsNotSentAgainButTheServerIsRemembered) {
  // It agrees on HTTP/2 whenever that is offered, and speaks HTTP/1.1.
  network_.serve(kServer,
                 [&](std::unique_ptr<aio::Stream> stream) { return speak_http1(std::move(stream), old_requests_); });
  const io::Spool body = body_of("once");
  const auto results =
      fetch({request_of("POST", "/", {}, body.size()), request_of("POST", "/2", {}, body.size())}, &body);
  EXPECT_FALSE(results[0].exchange);
  ASSERT_TRUE(results[1].exchange) << results[1].failure.error;
  EXPECT_EQ(http::protocol_of(*results[1].exchange), "http/1.1");
}

TEST_F(UpstreamTest, AsksAgainIfTheServerHasDoneNothing) {
  size_t asked = 0;
  serve([&](const Http2Fields&, const std::string& body) {
    Http2Answer answer{.body = "got " + body};
    answer.leaves = ++asked == 1;
    return answer;
  });
  const io::Spool body = body_of("once");
  const auto results = fetch({request_of("POST", "/", {}, body.size())}, &body);
  ASSERT_TRUE(results[0].exchange) << results[0].failure.error;
  EXPECT_THAT(stored(results[0]), testing::EndsWith("got once"));
  EXPECT_EQ(server_->connections(), 2);
}

TEST_F(UpstreamTest, TellsWhatIsNotWhole) {
  serve([&](const Http2Fields&, const std::string&) {
    return Http2Answer{.body = std::string(50'000, 'x'), .reset_after = 20'000};
  });
  auto results = fetch({request_of("GET", "/", {})});
  ASSERT_TRUE(results[0].exchange) << results[0].failure.error;
  EXPECT_EQ(results[0].exchange->truncated, http::Truncated::disconnect);
  follower_.leaves = true;
  results = fetch({request_of("GET", "/", {})});
  ASSERT_TRUE(results[0].exchange) << results[0].failure.error;
  EXPECT_EQ(results[0].exchange->truncated, http::Truncated::unwanted);
  EXPECT_EQ(results[0].cut, "the browser has left");
}

}  // namespace
}  // namespace caddis::recording
