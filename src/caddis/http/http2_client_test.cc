// The client against servers of HTTP/2 that behave well and badly, in the simulated world.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/aio/sim.h"
#include "caddis/http/client.h"
#include "caddis/http/http2_test_server.h"
#include "caddis/io/digest.h"
#include "caddis/io/memory_files.h"

namespace caddis::http {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::Not;
using ::testing::Pair;

const aio::Endpoint kServer("192.0.2.7", 443);

class Http2ClientTest : public ::testing::Test {
 protected:
  Http2ClientTest() { network_.settings().takes_http2 = true; }

  // One fetch after the other, of one client.
  std::vector<FetchResult> fetch(size_t fetches, Limits limits = {}) {
    std::vector<FetchResult> results;
    Client client(loop_, network_, spools_);
    aio::run_to_end(loop_, drive(client, fetches, limits, results));
    stats_ = client.stats();
    return results;
  }
  aio::Task<void> drive(Client& client, size_t fetches, Limits limits, std::vector<FetchResult>& results) {
    for (size_t i = 0; i < fetches; ++i) {
      FetchResult result = co_await client.fetch(origin_, request_, limits);
      results.push_back(std::move(result));
    }
    client.close_idle();
  }

  FetchResult answered(Http2Answer answer, Limits limits = {}) {
    serve([&](const Http2Fields&, const std::string&) { return answer; });
    auto results = fetch(1, limits);
    return std::move(results.front());
  }
  void serve(Http2TestServer::Respond respond) {
    server_ = std::make_unique<Http2TestServer>(std::move(respond));
    network_.serve(kServer, [this](std::unique_ptr<aio::Stream> stream) { return server_->serve(std::move(stream)); });
  }
  // Sends `bytes` over and over, whatever it is asked.
  static aio::Task<void> flood(std::unique_ptr<aio::Stream> stream, std::string first, std::string bytes) {
    const auto begun = co_await stream->write(first);
    for (bool goes_on = begun.has_value(); goes_on && !bytes.empty();) {
      const auto sent = co_await stream->write(bytes);
      goes_on = sent.has_value();
    }
    char buffer[4096];
    for (;;) {
      const auto got = co_await stream->read(buffer, sizeof(buffer));
      if (!got || *got == 0) co_return;
    }
  }
  FetchResult flooded(const std::string& first, const std::string& bytes) {
    network_.serve(kServer,
                   [=](std::unique_ptr<aio::Stream> stream) { return flood(std::move(stream), first, bytes); });
    request_.method = "POST";  // so that HTTP/1.1 is not tried
    const SteadyTime begun = loop_.clock().steady();
    auto results = fetch(1);
    EXPECT_LT(loop_.clock().steady() - begun, 1min);
    return std::move(results.front());
  }

  static std::string stored(const FetchResult& result) { return *result->response.to_string(1 << 28); }

  aio::SimLoop loop_{7};
  aio::SimNetwork network_{loop_, {}};
  io::MemoryFiles files_;
  io::SpoolFolder spools_{files_, "spool"};
  Origin origin_{.tls = true, .host = "caddis.test", .port = 443, .address = kServer, .offers_http2 = true};
  Request request_{.target = "/page?x", .headers = {{"Host", "caddis.test"}, {"User-Agent", "caddis"}}};
  std::unique_ptr<Http2TestServer> server_;
  ClientStats stats_;
};

TEST_F(Http2ClientTest, RecordsTheRenditionOfBothSides) {
  request_.add("Connection", "close");
  request_.add_secret("Cookie", "a=b");
  const auto result = answered({.fields = {{":status", "200"}, {"content-type", "text/plain"}}, .body = "hello"});
  ASSERT_TRUE(result) << result.error().error.message;
  EXPECT_EQ(stored(result), "HTTP/1.1 200 \r\ncontent-type: text/plain\r\n\r\nhello");
  EXPECT_EQ(result->request_bytes, "GET /page?x HTTP/1.1\r\nHost: caddis.test\r\nUser-Agent: caddis\r\n\r\n");
  EXPECT_EQ(result->payload_digest, io::sha1("hello"));
  EXPECT_EQ(result->block_digest, io::sha1(stored(result)));
  EXPECT_EQ(result->truncated, Truncated::none);
  EXPECT_EQ(result->problem, "");
  EXPECT_EQ(protocol_of(*result), "h2");
  const Http2Fields& asked = server_->requests().at(0);
  EXPECT_THAT(asked, Contains(Pair(":authority", "caddis.test")));
  EXPECT_THAT(asked, Contains(Pair(":path", "/page?x")));
  EXPECT_THAT(asked, Contains(Pair("cookie", "a=b")));
  EXPECT_THAT(asked, Contains(Pair("user-agent", "caddis")));
  EXPECT_THAT(asked, Not(Contains(Pair("connection", "close"))));
}

TEST_F(Http2ClientTest, OneConnectionCarriesOneAfterTheOther) {
  std::string body(300'000, 'x');
  for (size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>(i * 7919 >> 3);
  serve([&](const Http2Fields&, const std::string&) {
    return Http2Answer{.fields = {{":status", "200"}, {"content-length", "300000"}}, .body = body, .pings = true};
  });
  const auto results = fetch(4);
  for (const auto& result : results) {
    ASSERT_TRUE(result) << result.error().error.message;
    EXPECT_EQ(stored(result).substr(result->head_size), body);
    EXPECT_EQ(result->truncated, Truncated::none);
  }
  EXPECT_EQ(server_->connections(), 1U);
  EXPECT_EQ(stats_.reused, 3U);
  EXPECT_TRUE(results[3]->reused);
}

TEST_F(Http2ClientTest, AServerWithoutItGetsHttp1) {
  network_.settings().takes_http2 = false;
  network_.serve(kServer, [](std::unique_ptr<aio::Stream> stream) {
    return flood(std::move(stream), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "");
  });
  const auto results = fetch(1);
  ASSERT_TRUE(results[0]) << results[0].error().error.message;
  EXPECT_EQ(protocol_of(*results[0]), "http/1.1");
  EXPECT_EQ(stored(results[0]), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
}

TEST_F(Http2ClientTest, InterimHeadsAndTrailersAreKeptApart) {
  const auto result = answered({.interim = {{{":status", "103"}, {"link", "</a.css>"}}},
                                .fields = {{":status", "200"}, {"x", "y"}},
                                .body = "hello",
                                .trailers = {{"checksum", "17"}}});
  ASSERT_TRUE(result) << result.error().error.message;
  EXPECT_EQ(stored(result), "HTTP/1.1 200 \r\nx: y\r\n\r\nhello");
  EXPECT_EQ(result->interim, "HTTP/1.1 103 \r\nlink: </a.css>\r\n\r\n");
  EXPECT_EQ(result->problem, "trailer checksum: 17");
}

TEST_F(Http2ClientTest, NoBodyAfterHeadOrStatus) {
  request_.method = "HEAD";
  auto result = answered({.fields = {{":status", "200"}, {"content-length", "5"}}});
  ASSERT_TRUE(result) << result.error().error.message;
  EXPECT_EQ(result->truncated, Truncated::none);
  EXPECT_EQ(result->body_size(), 0U);
  request_.method = "GET";
  result = answered({.fields = {{":status", "304"}, {"etag", "\"1\""}}});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->head.status(), 304);
  EXPECT_TRUE(result->framing.keep_alive);
}

TEST_F(Http2ClientTest, ABodyIsSent) {
  std::string came;
  request_.method = "POST";
  request_.body = std::string(200'000, 'b');
  serve([&](const Http2Fields&, const std::string& body) {
    came = body;
    return Http2Answer{.body = "ok"};
  });
  const auto results = fetch(1);
  ASSERT_TRUE(results[0]) << results[0].error().error.message;
  EXPECT_EQ(came, request_.body);
}

TEST_F(Http2ClientTest, AResetCutsTheBody) {
  const auto result = answered({.body = "hello world", .reset_after = 5});
  ASSERT_TRUE(result) << result.error().error.message;
  EXPECT_EQ(result->truncated, Truncated::disconnect);
  EXPECT_EQ(stored(result), "HTTP/1.1 200 \r\n\r\nhello");
  EXPECT_FALSE(result->framing.keep_alive);
}

TEST_F(Http2ClientTest, LimitsCutAsInHttp1) {
  const std::string body(100'000, 'x');
  auto result = answered({.body = body}, Limits{.max_body = 1000});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->truncated, Truncated::length);
  EXPECT_EQ(result->body_size(), 1000U);
  result =
      answered({.fields = {{":status", "200"}, {"x", std::string(9000, 'y')}}, .body = body}, Limits{.max_head = 5000});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->truncated, Truncated::head);
  EXPECT_EQ(result->response.size(), 5000U);
  Limits unwanted;
  unwanted.wants_body = [](const ResponseHead&, int64_t) { return false; };
  result = answered({.body = body}, unwanted);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->truncated, Truncated::unwanted);
  EXPECT_EQ(stored(result), "HTTP/1.1 200 \r\n\r\n");
  const SteadyTime begun = loop_.clock().steady();
  result = answered({.body = body}, Limits{.bandwidth = 10'000});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->truncated, Truncated::none);
  EXPECT_GT(loop_.clock().steady() - begun, 9s);
}

TEST_F(Http2ClientTest, ARequestThatTheServerNeverSawIsRepeated) {
  size_t asked = 0;
  serve([&](const Http2Fields&, const std::string&) {
    Http2Answer answer{.body = "hello"};
    answer.leaves = ++asked == 1;
    return answer;
  });
  request_.method = "POST";
  const auto results = fetch(1);
  ASSERT_TRUE(results[0]) << results[0].error().error.message;
  EXPECT_EQ(server_->connections(), 2U);
  serve([&](const Http2Fields&, const std::string&) {
    Http2Answer answer{.body = "hello"};
    if (++asked == 3) answer = {.reset_after = 0, .reset_code = NGHTTP2_REFUSED_STREAM};
    return answer;
  });
}

TEST_F(Http2ClientTest, WhoWantsHttp1GetsIt) {
  for (const bool says_goaway : {true, false}) {
    SCOPED_TRACE(says_goaway);
    network_.settings().takes_http2 = true;
    size_t connections = 0;
    serve([&](const Http2Fields&, const std::string&) {
      Http2Answer answer{.fields = {}, .reset_after = 0, .reset_code = NGHTTP2_HTTP_1_1_REQUIRED};
      answer.leaves = says_goaway;
      answer.leave_code = NGHTTP2_HTTP_1_1_REQUIRED;
      return answer;
    });
    network_.serve(kServer, [&, this](std::unique_ptr<aio::Stream> stream) {
      ++connections;
      if (stream->tls()->application == "h2") return server_->serve(std::move(stream));
      return flood(std::move(stream), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello", "");
    });
    const auto results = fetch(2);
    ASSERT_TRUE(results[0]) << results[0].error().error.message;
    EXPECT_EQ(protocol_of(*results[0]), "http/1.1");
    ASSERT_TRUE(results[1]);
    EXPECT_EQ(connections, 3U);  // it is remembered
  }
}

TEST_F(Http2ClientTest, FloodsEnd) {
  const std::string settings = http2_frame(4, 0, 0, "");
  const std::string hello = "HTTP/1.1 400 Bad\r\n\r\n";
  EXPECT_FALSE(flooded(settings, http2_frame(6, 0, 0, "12345678")));                     // pings
  EXPECT_FALSE(flooded(settings, settings));                                             // settings
  EXPECT_FALSE(flooded(settings + http2_frame(1, 0, 1, ""), http2_frame(9, 0, 1, "")));  // continuations
  EXPECT_FALSE(flooded(settings, http2_frame(0xbe, 0, 0, std::string(1000, 'x'))));      // frames of no known kind
  EXPECT_FALSE(flooded(settings, http2_frame(8, 0, 0, std::string("\0\0\0\1", 4))));     // windows
  EXPECT_FALSE(flooded(settings + http2_frame(0, 0, 1, std::string(20'000, 'x')), ""));  // a frame too large
  EXPECT_FALSE(flooded(settings + http2_frame(5, 4, 1, "\0\0\0\2"), ""));                // a push
  EXPECT_FALSE(flooded(hello, hello));                                                   // another protocol
}

// Fields that are packed to a byte each, but are large.
TEST_F(Http2ClientTest, APackedHeadIsBounded) {
  const std::string value(4000, 'v');
  std::string block("\x88\x40\x01x\x7f\xa1\x1e",
                    7);  // :status 200; x, indexed, with a value of 127 + 0x1e * 128 + 33 bytes
  block += value;
  block += std::string(10'000, static_cast<char>(0xbe));  // the same again
  const auto result = flooded(http2_frame(4, 0, 0, "") + http2_frame(1, 4, 1, block), "");
  ASSERT_TRUE(result) << result.error().error.message;
  EXPECT_EQ(result->truncated, Truncated::head);
  EXPECT_LE(result->response.size(), 64U * 1024);
}

TEST_F(Http2ClientTest, SilenceAndAStalledBodyTimeOut) {
  const auto silent = flooded(http2_frame(4, 0, 0, ""), "");
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().error.code, ErrorCode::timeout);
  const auto stalled =
      flooded(http2_frame(4, 0, 0, "") + http2_frame(1, 4, 1, "\x88") + http2_frame(0, 0, 1, "hel"), "");
  ASSERT_TRUE(stalled);
  EXPECT_EQ(stalled->truncated, Truncated::time);
  EXPECT_EQ(stored(stalled), "HTTP/1.1 200 \r\n\r\nhel");
}

// A server that answers in broken HTTP/2 is asked in HTTP/1.1.
TEST_F(Http2ClientTest, BrokenFramesLeadToHttp1) {
  network_.serve(kServer, [](std::unique_ptr<aio::Stream> stream) {
    const bool is_new = stream->tls()->application == "h2";
    return flood(std::move(stream),
                 is_new ? http2_frame(4, 0, 0, "") + http2_frame(1, 4, 1, "\xff\xff\xff\xff\xff\xff")
                        : "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                 "");
  });
  const auto results = fetch(1);
  ASSERT_TRUE(results[0]) << results[0].error().error.message;
  EXPECT_EQ(protocol_of(*results[0]), "http/1.1");
}

TEST_F(Http2ClientTest, WhatTheNetworkDoesCutsOrFails) {
  const std::string body(50'000, 'x');
  serve([&](const Http2Fields&, const std::string&) { return Http2Answer{.body = body}; });
  network_.settings().reset = 300;
  network_.settings().stalled = 300;
  size_t whole = 0;
  for (const auto& result : fetch(60)) {
    if (!result) continue;
    const bool is_whole = result->truncated == Truncated::none;
    whole += is_whole ? 1 : 0;
    EXPECT_EQ(is_whole, result->body_size() == body.size());
    EXPECT_EQ(stored(result).substr(result->head_size), body.substr(0, result->body_size()));
  }
  EXPECT_GT(whole, 10U);
}

}  // namespace
}  // namespace caddis::http
