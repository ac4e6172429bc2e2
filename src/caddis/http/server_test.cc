#include "caddis/http/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <string>

#include "caddis/aio/test_certificate.h"
#include "caddis/base/check.h"

namespace caddis::http {
namespace {

using namespace std::chrono_literals;
using aio::Task;
using testing::AnyOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Sends `bytes` and gives all that comes until the server closes, or `until` has come.
Task<std::string> talk(aio::Stream& stream, std::string bytes, std::string until) {
  const auto sent = co_await stream.write(bytes);
  EXPECT_TRUE(sent.has_value());
  std::string received;
  std::string buffer(64 * 1024, '\0');
  while (until.empty() || !received.ends_with(until)) {
    const auto count = co_await stream.read(buffer.data(), buffer.size());
    if (!count || *count == 0) break;
    received.append(buffer, 0, *count);
  }
  co_return received;
}

// A handler that shows the request it got.
Task<ServerResponse> show(const ServerRequest& request) {
  std::string text = request.method + " " + request.target + " path=" + request.path + " query=" + request.query;
  if (!request.body.empty()) text += " body=" + request.body;
  if (!request.header("x-probe").empty()) text += " probe=" + std::string(request.header("X-PROBE"));
  co_return text_response(200, text);
}

class ServerTest : public testing::Test {
 protected:
  // Runs a server with that handler and one client that sends `bytes` and reads until `until`, or the end.
  std::string ask(Handler handler, std::string bytes, std::string until) {
    std::string answer;
    const auto body = [&]() -> Task<void> {
      const aio::Endpoint at("127.0.0.1", 0);
      auto server = Server::start(*loop_, *network_, at, std::move(handler), settings_);
      CADDIS_CHECK(server.has_value());
      const aio::Endpoint local = (*server)->local();
      {
        auto stream = co_await network_->connect(local, nullptr, loop_->clock().steady() + 20s);
        CADDIS_CHECK(stream.has_value());
        answer = co_await talk(**stream, std::move(bytes), std::move(until));
      }
      co_await (*server)->stop();
    };
    run_to_end(*loop_, body());
    return answer;
  }
  // The same with a client that says it will close.
  std::string get(Handler handler, const std::string& target, const std::string& headers = "") {
    return ask(std::move(handler), "GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + headers + "\r\n",
               "");
  }

  std::unique_ptr<aio::Loop> loop_ = aio::make_loop(system_clock());
  std::unique_ptr<aio::Network> network_ = aio::make_network(*loop_);
  ServerSettings settings_;
};

TEST_F(ServerTest, TargetsReachTheHandlerRaw) {
  const std::string answer =
      get(show, "/coll/20260102030405id_/http://example.org/a//b/../c?x=1?y&z=%2F|\"", "X-Probe: 7\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\nDate: "));
  EXPECT_THAT(answer, HasSubstr("\r\nConnection: close\r\n"));
  EXPECT_THAT(answer,
              EndsWith("\r\n\r\nGET /coll/20260102030405id_/http://example.org/a//b/../c?x=1?y&z=%2F|\" "
                       "path=/coll/20260102030405id_/http://example.org/a//b/../c query=x=1?y&z=%2F|\" probe=7\n"));
}

TEST_F(ServerTest, AbsoluteTargetsLoseTheirOrigin) {
  EXPECT_THAT(get(show, "http://x:80/a?b"), HasSubstr("path=/a query=b"));
  EXPECT_THAT(get(show, "http://x"), HasSubstr("path=/ query="));
  EXPECT_THAT(get(show, "*"), HasSubstr("path=* query="));
}

TEST_F(ServerTest, RequestsFollowOneAnotherOnAConnection) {
  const std::string answer =
      ask(show,
          "\r\nGET /1 HTTP/1.1\r\nHost: x\r\n\r\n"
          "POST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
          "POST /3 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
          "GET /4 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
          "GET /5 HTTP/1.0\r\n\r\n",
          "");
  EXPECT_THAT(answer, HasSubstr("GET /1 path"));
  EXPECT_THAT(answer, HasSubstr("POST /2 path=/2 query= body=hello\n"));
  EXPECT_THAT(answer, HasSubstr("POST /3 path=/3 query= body=abcde\n"));
  EXPECT_THAT(answer, HasSubstr("Connection: keep-alive\r\n\r\nGET /4 "));
  EXPECT_THAT(answer, HasSubstr("Connection: close\r\n\r\nGET /5 "));
}

struct Refusal {
  const char* request;
  const char* status;
};

class RefusalTest : public ServerTest, public testing::WithParamInterface<Refusal> {};

TEST_P(RefusalTest, GetsItsStatusAndTheEnd) {
  settings_.max_body = 100;
  settings_.request_timeout = 2s;
  const Handler never = [](const ServerRequest&) -> Task<ServerResponse> {
    ADD_FAILURE() << "the handler was called";
    co_return ServerResponse(500);
  };
  EXPECT_THAT(ask(never, GetParam().request, ".\n"), StartsWith(std::string("HTTP/1.1 ") + GetParam().status + " "));
}

const std::string long_head = "GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(70'000, 'x') + "\r\n\r\n";
const std::string endless_head = "GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(200'000, 'x');
const std::string many_fields = [] {
  std::string head = "GET / HTTP/1.1\r\nHost: x\r\n";
  for (int i = 0; i < 501; ++i) head += "X: y\r\n";
  return head + "\r\n";
}();

INSTANTIATE_TEST_SUITE_P(
    Malformed, RefusalTest,
    testing::Values(Refusal{"GET\r\n\r\n", "400"}, Refusal{"GET / HTTP/2.0\r\nHost: x\r\n\r\n", "400"},
                    Refusal{"GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", "400"}, Refusal{"GET / HTTP/1.1\r\n\r\n", "400"},
                    Refusal{"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", "400"},
                    Refusal{"GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", "400"},
                    Refusal{"G@T / HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
                    Refusal{"\x16\x03\x01\x02\x01\x01\x01\xfc\x03\x03\r\n\r\n", "400"},
                    Refusal{"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", "400"},
                    Refusal{"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"},
                    Refusal{"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
                            "400"},
                    Refusal{"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400"},
                    Refusal{"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "501"},
                    Refusal{"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 101\r\n\r\nx", "413"},
                    Refusal{"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 101\r\nExpect: 100-continue\r\n\r\n", "413"},
                    Refusal{"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n"
                            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                            "xxxxxxxxxxxxxxxxxxxxxx",
                            "413"},
                    Refusal{long_head.c_str(), "431"}, Refusal{endless_head.c_str(), "431"},
                    Refusal{many_fields.c_str(), "431"}));

TEST_F(ServerTest, HeadGetsTheFieldsOfGetWithoutBody) {
  const std::string answer =
      ask(show, "HEAD /x HTTP/1.1\r\nHost: x\r\n\r\nGET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "");
  EXPECT_THAT(answer, HasSubstr("Content-Length: 23\r\n\r\nHTTP/1.1 200"));
}

TEST_F(ServerTest, NotModifiedHasNoBody) {
  const Handler handler = [](const ServerRequest&) -> Task<ServerResponse> {
    ServerResponse response(304);
    response.body = "not to be sent";
    response.headers.emplace_back("ETag", "\"a\"");
    response.headers.emplace_back("Content-Length", "3");
    co_return response;
  };
  const std::string answer = get(handler, "/");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 304 Not Modified\r\n"));
  EXPECT_THAT(answer, EndsWith("ETag: \"a\"\r\nConnection: close\r\n\r\n"));
}

TEST_F(ServerTest, CapturedHeadersCannotSplitTheResponse) {
  const Handler handler = [](const ServerRequest&) -> Task<ServerResponse> {
    ServerResponse response;
    response.headers.emplace_back("X-Evil", "a\r\nSet-Cookie: b");
    response.headers.emplace_back("Bad Name\r\nX", "c");
    response.reason = "Fine\r\nX-Too: d";
    co_return response;
  };
  const std::string answer = get(handler, "/");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 Fine  X-Too: d\r\n"));
  EXPECT_THAT(answer, HasSubstr("X-Evil: a  Set-Cookie: b\r\n"));
  EXPECT_THAT(answer, Not(HasSubstr("Bad Name")));
}

Handler streaming(std::optional<uint64_t> size, bool fails) {
  return [size, fails](const ServerRequest&) -> Task<ServerResponse> {
    ServerResponse response;
    response.stream_size = size;
    response.stream = [fails](BodySink& sink) -> Task<Result<void>> {
      for (int i = 0; i < 3; ++i) {
        const std::string piece(i == 1 ? 2'000'000 : 3, static_cast<char>('a' + i));
        CO_TRY_VOID(co_await sink.write(piece));
      }
      if (fails) co_return fail(ErrorCode::corrupt, "the record is cut");
      co_return Result<void>();
    };
    co_return response;
  };
}

const std::string two_millions(2'000'000, 'b');

TEST_F(ServerTest, StreamsAreChunked) {
  const std::string answer = get(streaming(std::nullopt, false), "/");
  EXPECT_THAT(answer, HasSubstr("Transfer-Encoding: chunked\r\n"));
  const std::string body = answer.substr(answer.find("\r\n\r\n") + 4);
  EXPECT_TRUE(body == "3\r\naaa\r\n1e8480\r\n" + two_millions + "\r\n3\r\nccc\r\n0\r\n\r\n");
}

TEST_F(ServerTest, StreamsOfKnownSizeAreNot) {
  const std::string answer = get(streaming(2'000'006, false), "/");
  EXPECT_THAT(answer.substr(0, 200), HasSubstr("Content-Length: 2000006\r\n"));
  EXPECT_TRUE(answer.substr(answer.find("\r\n\r\n") + 4) == "aaa" + two_millions + "ccc");
}

TEST_F(ServerTest, StreamsToOldClientsEndWithTheConnection) {
  const std::string answer =
      ask(streaming(std::nullopt, false), "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "");
  EXPECT_THAT(answer.substr(0, 200), HasSubstr("Connection: close\r\n"));
  EXPECT_TRUE(answer.substr(answer.find("\r\n\r\n") + 4) == "aaa" + two_millions + "ccc");
}

TEST_F(ServerTest, StreamsThatFailAreCut) {
  EXPECT_TRUE(get(streaming(std::nullopt, true), "/").ends_with("ccc\r\n"));
  EXPECT_LT(get(streaming(10, false), "/").size(), 300u);               // more than declared
  EXPECT_TRUE(get(streaming(9'000'000, false), "/").ends_with("ccc"));  // less
  EXPECT_TRUE(ask(streaming(std::nullopt, false), "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "")
                  .ends_with("\r\n\r\n"));
}

// Gives "0".."n-1", and every other time nothing yet; counts the calls, and says when it has ended.
class Counting : public BodySource {
 public:
  Counting(size_t end, size_t piece, std::atomic<int>& calls, std::atomic<bool>& ended)
      : end_(end), piece_(piece), calls_(calls), ended_(ended) {}
  ~Counting() override { ended_ = true; }
  Result<bool> next(std::string& piece) override {
    if (calls_++ % 2 == 1) return true;
    if (at_ == end_) return fail(ErrorCode::corrupt, "the record is cut");
    piece.append(piece_, static_cast<char>('0' + at_ % 10));
    return ++at_ < end_ || calls_ > 1'000'000;
  }

 private:
  size_t end_, piece_, at_ = 0;

 protected:
  std::atomic<int>& calls_;

 private:
  std::atomic<bool>& ended_;
};

class SourceTest : public ServerTest {
 protected:
  SourceTest() { settings_.workers = workers_.get(); }
  Handler counting(size_t end, size_t piece, std::optional<uint64_t> size) {
    return [this, end, piece, size](const ServerRequest&) -> Task<ServerResponse> {
      ServerResponse response;
      response.source = std::make_unique<Counting>(end, piece, calls_, ended_);
      response.stream_size = size;
      co_return response;
    };
  }
  std::unique_ptr<aio::Blocking> workers_ = aio::make_blocking(2);
  std::atomic<int> calls_ = 0;
  std::atomic<bool> ended_ = false;
};

TEST_F(SourceTest, IsAskedPieceByPiece) {
  EXPECT_THAT(get(counting(4, 2, std::nullopt), "/"),
              EndsWith("chunked\r\nConnection: close\r\n\r\n2\r\n00\r\n2\r\n11\r\n2\r\n22\r\n2\r\n33\r\n0\r\n\r\n"));
  EXPECT_EQ(calls_, 7);
  EXPECT_TRUE(ended_);
  EXPECT_THAT(get(counting(4, 2, 8), "/"), EndsWith("Content-Length: 8\r\nConnection: close\r\n\r\n00112233"));
  settings_.workers = nullptr;
  EXPECT_THAT(get(counting(4, 2, 8), "/"), EndsWith("\r\n\r\n00112233"));
}

TEST_F(SourceTest, OfOnePieceIsSentWithItsSize) {
  EXPECT_THAT(get(counting(1, 2, std::nullopt), "/"), EndsWith("Content-Length: 2\r\nConnection: close\r\n\r\n00"));
  EXPECT_TRUE(ended_);
}

TEST_F(SourceTest, IsNotAskedForHead) {
  EXPECT_THAT(ask(counting(4, 2, 8), "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", ""),
              EndsWith("Content-Length: 8\r\nConnection: close\r\n\r\n"));
  EXPECT_EQ(calls_, 0);
  EXPECT_TRUE(ended_);
}

// A body of one piece, then of an error.
class Breaking : public BodySource {
 public:
  Breaking(ErrorCode code, std::string piece) : code_(code), piece_(std::move(piece)) {}
  Result<bool> next(std::string& piece) override {
    if (piece_.empty()) return fail(code_, "the record is cut");
    piece = std::exchange(piece_, "");
    return true;
  }

 private:
  const ErrorCode code_;
  std::string piece_;
};

Handler breaking(ErrorCode code, const std::string& piece, std::optional<uint64_t> size) {
  return [code, piece, size](const ServerRequest&) -> Task<ServerResponse> {
    ServerResponse response;
    response.source = std::make_unique<Breaking>(code, piece);
    response.stream_size = size;
    co_return response;
  };
}

TEST_F(SourceTest, ThatFailsIsCut) {
  EXPECT_THAT(get(breaking(ErrorCode::corrupt, "00", 8), "/"),
              EndsWith("Content-Length: 8\r\nConnection: close\r\n\r\n00"));
  EXPECT_THAT(get(breaking(ErrorCode::corrupt, "00", std::nullopt), "/"),
              EndsWith("chunked\r\nConnection: close\r\n\r\n2\r\n00\r\n"));
}

TEST_F(SourceTest, ThatFailsBeforeItsFirstByteIsRefused) {
  EXPECT_THAT(get(breaking(ErrorCode::corrupt, "", 8), "/"), StartsWith("HTTP/1.1 500 "));
  EXPECT_THAT(get(breaking(ErrorCode::timeout, "", std::nullopt), "/"), StartsWith("HTTP/1.1 504 "));
  const std::string told = get(breaking(ErrorCode::limit, "", std::nullopt), "/");
  EXPECT_THAT(told, StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(told, EndsWith("\r\n\r\nthe record is cut\n"));
}

// A client that takes the head and no more: of an endless body only what fits into the sockets is made.
TEST_F(SourceTest, IsNotAskedForMoreThanTheClientTakes) {
  settings_.write_timeout = 50ms;
  const auto body = [&]() -> Task<void> {
    const aio::Endpoint at("127.0.0.1", 0);
    auto server = Server::start(*loop_, *network_, at, counting(SIZE_MAX, 64 << 10, std::nullopt), settings_);
    CADDIS_CHECK(server.has_value());
    const aio::Endpoint local = (*server)->local();
    auto stream = co_await network_->connect(local, nullptr, loop_->clock().steady() + 20s);
    CADDIS_CHECK(stream.has_value());
    const auto sent = co_await (*stream)->write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_TRUE(sent.has_value());
    while (!ended_) co_await aio::sleep_for(*loop_, 1ms);
    co_await (*server)->stop();
  };
  run_to_end(*loop_, body());
  EXPECT_LT(calls_, 2 * 512);  // 32 MB
}

// The handler's responses, and how the sending of the last one ended.
Handler telling(Handler handler, SentResponse& told) {
  return [handler = std::move(handler), &told](const ServerRequest& request) -> Task<ServerResponse> {
    ServerResponse response = co_await handler(request);
    response.when_sent = [&told](const SentResponse& sent) -> Task<void> {
      told = sent;
      co_return;
    };
    co_return response;
  };
}

TEST_F(SourceTest, WhatWasSentIsTold) {
  using enum SentResponse::End;
  SentResponse told;
  EXPECT_THAT(get(telling(show, told), "/"), EndsWith("\r\n\r\nGET / path=/ query=\n"));
  EXPECT_EQ(told, SentResponse(200, 20, whole));
  ask(telling(show, told), "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "");
  EXPECT_EQ(told, SentResponse(200, 0, whole));
  get(telling(counting(4, 2, std::nullopt), told), "/");
  EXPECT_EQ(told, SentResponse(200, 8, whole));
  get(telling(counting(4, 100'000, 400'000), told), "/");
  EXPECT_EQ(told, SentResponse(200, 400'000, whole));
  get(telling(breaking(ErrorCode::corrupt, "00", std::nullopt), told), "/");
  EXPECT_EQ(told, SentResponse(200, 2, cut));
  get(telling(breaking(ErrorCode::corrupt, "00", 8), told), "/");
  EXPECT_EQ(told, SentResponse(200, 2, cut));
  get(telling(breaking(ErrorCode::timeout, "", std::nullopt), told), "/");
  EXPECT_EQ(told, SentResponse(504, 18, whole));
  get(telling(streaming(std::nullopt, true), told), "/");
  EXPECT_EQ(told.end, cut);
}

TEST_F(SourceTest, AClientThatLeavesIsTold) {
  SentResponse told;
  const Handler endless = telling(counting(SIZE_MAX, 1 << 20, std::nullopt), told);
  const auto body = [&]() -> Task<void> {
    const aio::Endpoint at("127.0.0.1", 0);
    auto server = Server::start(*loop_, *network_, at, endless, settings_);
    CADDIS_CHECK(server.has_value());
    const aio::Endpoint local = (*server)->local();
    {
      auto stream = co_await network_->connect(local, nullptr, loop_->clock().steady() + 20s);
      CADDIS_CHECK(stream.has_value());
      const auto sent = co_await (*stream)->write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      EXPECT_TRUE(sent.has_value());
      std::string buffer(1000, '\0');
      const auto count = co_await (*stream)->read(buffer.data(), buffer.size());
      EXPECT_TRUE(count.has_value());
    }
    while (told.status == 0) co_await aio::sleep_for(*loop_, 1ms);
    co_await (*server)->stop();
  };
  run_to_end(*loop_, body());
  EXPECT_EQ(told.status, 200);
  EXPECT_EQ(told.end, SentResponse::End::left);
}

// Nothing but silence comes of it, and the client does not wait for its end.
TEST_F(SourceTest, EndsWithTheClient) {
  class Silent : public Counting {
   public:
    using Counting::Counting;
    Result<bool> next(std::string&) override {
      ++calls_;
      return true;
    }
  };
  const Handler silent = [this](const ServerRequest&) -> Task<ServerResponse> {
    ServerResponse response;
    response.source = std::make_unique<Silent>(1, 1, calls_, ended_);
    co_return response;
  };
  SentResponse told;
  const auto body = [&]() -> Task<void> {
    const aio::Endpoint at("127.0.0.1", 0);
    auto server = Server::start(*loop_, *network_, at, telling(silent, told), settings_);
    CADDIS_CHECK(server.has_value());
    const aio::Endpoint local = (*server)->local();
    {
      auto stream = co_await network_->connect(local, nullptr, loop_->clock().steady() + 20s);
      CADDIS_CHECK(stream.has_value());
      const auto sent = co_await (*stream)->write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      EXPECT_TRUE(sent.has_value());
      while (calls_ == 0) co_await aio::sleep_for(*loop_, 1ms);
      EXPECT_FALSE(ended_);
    }
    while (!ended_) co_await aio::sleep_for(*loop_, 1ms);
    co_await (*server)->stop();
  };
  run_to_end(*loop_, body());
  EXPECT_EQ(told, SentResponse(0, 0, SentResponse::End::left));
}

TEST_F(ServerTest, ContinueIsSentToWhoWaitsForIt) {
  std::string first, second;
  const auto body = [&]() -> Task<void> {
    const aio::Endpoint at("127.0.0.1", 0);
    auto server = Server::start(*loop_, *network_, at, show, settings_);
    CADDIS_CHECK(server.has_value());
    const aio::Endpoint local = (*server)->local();
    auto stream = co_await network_->connect(local, nullptr, loop_->clock().steady() + 20s);
    CADDIS_CHECK(stream.has_value());
    first = co_await talk(**stream, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n",
                          "\r\n\r\n");
    second = co_await talk(**stream, "ok", "\n");
    co_await (*server)->stop();
  };
  run_to_end(*loop_, body());
  EXPECT_EQ(first, "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_THAT(second, HasSubstr("HTTP/1.1 200"));
}

TEST_F(ServerTest, ARequestThatNeverEndsIsDropped) {
  settings_.head_timeout = settings_.request_timeout = settings_.idle_timeout = 20s;
  settings_.head_timeout = 5ms;
  EXPECT_EQ(ask(show, "GET / HTTP/1.1\r\nHost", ""), "");
  EXPECT_EQ(ask(show, "", ""), "");
  settings_.head_timeout = 20s;
  settings_.request_timeout = 5ms;
  EXPECT_EQ(ask(show, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe", ""), "");
  settings_.idle_timeout = 5ms;
  EXPECT_THAT(ask(show, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", ""), EndsWith("GET / path=/ query=\n"));
}

TEST_F(ServerTest, ServesUnixSocketsAndTls) {
  const std::string path = testing::TempDir() + "caddis_http_" + std::to_string(getpid()) + ".sock";
  const aio::TestCertificate identity = aio::make_test_certificate();
  const auto body = [&]() -> Task<void> {
    const SteadyTime soon = loop_->clock().steady() + 20s;
    auto local = Server::start_unix(*loop_, *network_, path, show, settings_);
    CADDIS_CHECK(local.has_value());
    const aio::Endpoint at("127.0.0.1", 0);
    auto listener = network_->listen_tls(at, identity.certificate_pem, identity.key_pem);
    CADDIS_CHECK(listener.has_value());
    const auto secure = Server::start_on(*loop_, *std::move(listener), show, settings_);
    {
      const std::string request = "GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
      auto stream = co_await network_->connect_unix(path, soon);
      CADDIS_CHECK(stream.has_value());
      EXPECT_THAT(co_await talk(**stream, request, ""), EndsWith("GET /x path=/x query=\n"));
      const aio::TlsOptions options;
      const aio::Endpoint to = secure->local();
      auto encrypted = co_await network_->connect(to, &options, soon);
      CADDIS_CHECK(encrypted.has_value());
      EXPECT_THAT(co_await talk(**encrypted, request, ""), EndsWith("GET /x path=/x query=\n"));
    }
    co_await (*local)->stop();
    co_await secure->stop();
  };
  run_to_end(*loop_, body());
}

// A client that keeps its connection, and goes on until the server closes it.
Task<void> ask_on_and_on(aio::Network& network, const aio::Endpoint& to, SteadyTime deadline, int& answers) {
  auto stream = co_await network.connect(to, nullptr, deadline);
  if (!stream) co_return;
  std::string buffer(4096, '\0');
  for (;;) {
    const auto sent = co_await (*stream)->write("GET /x HTTP/1.1\r\nHost: x\r\n\r\n");
    if (!sent) co_return;
    const auto count = co_await (*stream)->read(buffer.data(), buffer.size());
    if (!count || *count == 0) co_return;
    ++answers;
  }
}

TEST_F(ServerTest, StartsAndStopsAHundredTimesInTheMiddleOfTraffic) {
  int answers = 0;
  const auto body = [&]() -> Task<void> {
    for (int round = 0; round < 100; ++round) {
      const aio::Endpoint at("127.0.0.1", 0);
      auto server = Server::start(*loop_, *network_, at, show, settings_);
      CADDIS_CHECK(server.has_value());
      const aio::Endpoint local = (*server)->local();
      aio::Nursery clients;
      for (int i = 0; i < 4; ++i) {
        clients.spawn(ask_on_and_on(*network_, local, loop_->clock().steady() + 20s, answers));
      }
      if (round % 4 != 0) co_await aio::sleep_for(*loop_, std::chrono::microseconds(300 * (round % 4)));
      co_await (*server)->stop();
      EXPECT_EQ((*server)->connections(), 0u);
      co_await clients.join();
    }
  };
  run_to_end(*loop_, body());
  EXPECT_GT(answers, 100);
}

TEST_F(ServerTest, StopCutsAHandlerThatStreamsForEver) {
  settings_.stop_timeout = 10ms;
  const Handler endless = [](const ServerRequest&) -> Task<ServerResponse> {
    ServerResponse response;
    response.stream = [](BodySink& sink) -> Task<Result<void>> {
      const std::string piece(100'000, 'x');
      for (;;) CO_TRY_VOID(co_await sink.write(piece));
    };
    co_return response;
  };
  const auto body = [&]() -> Task<void> {
    const aio::Endpoint at("127.0.0.1", 0);
    auto server = Server::start(*loop_, *network_, at, endless, settings_);
    const aio::Endpoint local = (*server)->local();
    auto stream = co_await network_->connect(local, nullptr, loop_->clock().steady() + 20s);
    CADDIS_CHECK(stream.has_value());
    const auto sent = co_await (*stream)->write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_TRUE(sent.has_value());
    char byte;
    const auto count = co_await (*stream)->read(&byte, 1);
    EXPECT_TRUE(count.has_value());
    co_await (*server)->stop();
  };
  run_to_end(*loop_, body());
}

// Connects so often, sends half a request each time, and keeps the connections.
Task<std::vector<std::unique_ptr<aio::Stream>>> send_half_requests(aio::Network& network, const aio::Endpoint& to,
                                                                   SteadyTime deadline, int count) {
  std::vector<std::unique_ptr<aio::Stream>> kept;
  for (int i = 0; i < count; ++i) {
    auto stream = co_await network.connect(to, nullptr, deadline);
    CADDIS_CHECK(stream.has_value());
    const auto sent = co_await (*stream)->write("GET / HTTP/1.1\r\nHost:");
    EXPECT_TRUE(sent.has_value());
    kept.push_back(*std::move(stream));
  }
  co_return kept;
}

class CrowdTest : public ServerTest {
 protected:
  CrowdTest() {
    settings_.head_timeout = settings_.request_timeout = settings_.idle_timeout = 1h;
    settings_.fresh_time = 5ms;
  }
  // What somebody gets who comes after so many half requests.
  std::string answer_after_half_requests(int count) {
    std::string answer;
    const auto body = [&]() -> Task<void> {
      const aio::Endpoint at("127.0.0.1", 0);
      auto server = Server::start(*loop_, *network_, at, show, settings_);
      CADDIS_CHECK(server.has_value());
      const aio::Endpoint local = (*server)->local();
      {
        const SteadyTime soon = loop_->clock().steady() + 30s;
        const auto others = co_await send_half_requests(*network_, local, soon, count);
        auto stream = co_await network_->connect(local, nullptr, soon);
        CADDIS_CHECK(stream.has_value());
        (*stream)->set_deadline(soon);
        answer = co_await talk(**stream, "GET /me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "");
      }
      co_await (*server)->stop();
    };
    run_to_end(*loop_, body());
    return answer;
  }
};

TEST_F(CrowdTest, HalfRequestsMakeRoomForOthers) {
  settings_.max_connections = 20;
  EXPECT_THAT(answer_after_half_requests(60), StartsWith("HTTP/1.1 200"));
}

TEST_F(CrowdTest, HalfRequestsOfOneAddressMakeRoomForItsNext) {
  settings_.max_per_address = 10;
  settings_.fresh_time = 0ms;
  EXPECT_THAT(answer_after_half_requests(40), StartsWith("HTTP/1.1 200"));
}

TEST_F(CrowdTest, BeyondTheLimitOfAnAddressClientsAreTurnedAway) {
  settings_.max_per_address = 3;
  settings_.fresh_time = 1h;
  EXPECT_THAT(answer_after_half_requests(3), StartsWith("HTTP/1.1 503 Service Unavailable\r\n"));
  EXPECT_THAT(answer_after_half_requests(2), StartsWith("HTTP/1.1 200"));
  settings_.max_per_address = 0;
  EXPECT_THAT(answer_after_half_requests(30), StartsWith("HTTP/1.1 200"));
}

TEST_F(ServerTest, ConnectionsBeyondTheLimitWaitTheirTurn) {
  settings_.max_connections = 1;
  int answers = 0;
  const auto body = [&]() -> Task<void> {
    const aio::Endpoint at("127.0.0.1", 0);
    auto server = Server::start(*loop_, *network_, at, show, settings_);
    const aio::Endpoint local = (*server)->local();
    const auto client = [&]() -> Task<void> {
      auto stream = co_await network_->connect(local, nullptr, loop_->clock().steady() + 20s);
      CADDIS_CHECK(stream.has_value());
      const std::string answer = co_await talk(**stream, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "");
      EXPECT_LE((*server)->connections(), 1u);
      if (!answer.empty()) ++answers;
    };
    aio::Nursery clients;
    for (int i = 0; i < 5; ++i) clients.spawn(client());
    co_await clients.join();
    co_await (*server)->stop();
  };
  run_to_end(*loop_, body());
  EXPECT_EQ(answers, 5);
}

// A handler that reads the body itself, and tells how long it is.
Task<ServerResponse> measure(const ServerRequest& request) {
  CADDIS_CHECK(request.reader != nullptr && request.body.empty());
  size_t size = 0;
  for (;;) {
    const auto piece = co_await request.reader->read();
    if (!piece) co_return text_response(400, piece.error().message);
    if (piece->empty()) break;
    size += piece->size();
  }
  co_return text_response(200, request.target + " has " + std::to_string(size));
}

TEST_F(ServerTest, HandlersReadBodiesOfAnySize) {
  settings_.max_body = 10;
  settings_.reads_body = [](const ServerRequest& request) { return request.path.starts_with("/read"); };
  const std::string body(300'000, 'x');
  const std::string sized = "POST /read1 HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n" + body;
  const std::string chunked = "POST /read2 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n493e0\r\n" + body +
                              "\r\n5\r\n12345\r\n0\r\n\r\n";
  const std::string empty = "POST /read3 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  const std::string answers = ask(measure, sized + chunked + empty, "");
  EXPECT_THAT(answers, HasSubstr("/read1 has 300000\n"));
  EXPECT_THAT(answers, HasSubstr("/read2 has 300005\n"));
  EXPECT_THAT(answers, HasSubstr("/read3 has 0\n"));
  EXPECT_THAT(ask(show, "POST /other HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n", ""),
              StartsWith("HTTP/1.1 413"));
  EXPECT_THAT(ask(measure, "POST /read HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n", ""),
              StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(
      ask(measure,
          "POST /read HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx",
          ""),
      // The first part may be left out if the body is there already (RFC 9110 section 10.1.1).
      AnyOf(StartsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200"), StartsWith("HTTP/1.1 200")));
}

TEST_F(ServerTest, WhatAHandlerLeavesUnreadEndsTheConnection) {
  settings_.reads_body = [](const ServerRequest&) { return true; };
  const std::string two =
      "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n12345GET /b HTTP/1.1\r\nHost: x\r\n\r\n";
  const std::string answer = ask(show, two, "");
  EXPECT_THAT(answer, HasSubstr("Connection: close"));
  EXPECT_THAT(answer, Not(HasSubstr("/b")));
}

}  // namespace
}  // namespace caddis::http
