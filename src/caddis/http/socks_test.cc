// SOCKS 5 against a proxy that plays scripts, in the simulated world.
#include "caddis/http/socks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/aio/sim.h"
#include "caddis/http/client.h"
#include "caddis/io/memory_files.h"

namespace caddis::http {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const aio::Endpoint kProxy("192.0.2.1", 1080);

struct Turn {
  size_t reads;  // bytes, before the answer
  std::string answer;
};

class SocksTest : public ::testing::Test {
 protected:
  // Plays to each connection, and notes what came; behind the turns it answers a request of HTTP.
  aio::Task<void> play(std::unique_ptr<aio::Stream> stream) {
    for (const Turn& turn : turns_) {
      std::string came(turn.reads, '\0');
      for (size_t at = 0; at < came.size();) {
        const auto got = co_await stream->read(came.data() + at, came.size() - at);
        if (!got || *got == 0) co_return;
        at += *got;
      }
      came_.push_back(came);
      const auto sent = co_await stream->write(turn.answer);
      if (!sent) co_return;
    }
    char buffer[4096];
    std::string request;
    while (!request.ends_with("\r\n\r\n")) {
      const auto got = co_await stream->read(buffer, sizeof(buffer));
      if (!got || *got == 0) co_return;
      request.append(buffer, *got);
    }
    came_.push_back(request);
    co_await stream->write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
  }

  FetchResult fetch(std::vector<Turn> turns) {
    turns_ = std::move(turns);
    came_.clear();
    network_.serve(kProxy, [this](std::unique_ptr<aio::Stream> stream) { return play(std::move(stream)); });
    Client client(loop_, network_, spools_);
    std::optional<FetchResult> result;
    const auto body = [&]() -> aio::Task<void> {
      FetchResult got = co_await client.fetch(origin_, request_, limits_, &proxy_);
      result.emplace(std::move(got));
      client.close_idle();
    };
    aio::run_to_end(loop_, body());
    return *std::move(result);
  }
  std::string failure(std::vector<Turn> turns) {
    const auto result = fetch(std::move(turns));
    if (result) return "";
    EXPECT_EQ(result.error().at, Failure::At::proxy);
    return result.error().error.message;
  }

  aio::SimLoop loop_{3};
  aio::SimNetwork network_{loop_, {}};
  io::MemoryFiles files_;
  io::SpoolFolder spools_{files_, "spool"};
  Proxy proxy_{.address = kProxy, .authorization = {}, .kind = Proxy::Kind::socks5};
  Origin origin_{.host = "caddis.test", .port = 8080};
  Request request_{.headers = {{"Host", "caddis.test"}}};
  Limits limits_;
  std::vector<Turn> turns_;
  std::vector<std::string> came_;
};

const std::string kTaken("\5\0", 2);
const std::string kConnected("\5\0\0\1\0\0\0\0\0\0", 10);
constexpr size_t kNameRequest = 5 + 11 + 2;

TEST_F(SocksTest, TellsTheNameAndPort) {
  const auto result = fetch({{3, kTaken}, {kNameRequest, kConnected}});
  ASSERT_TRUE(result) << result.error().error.message;
  EXPECT_EQ(result->head.status(), 200);
  EXPECT_THAT(came_, ElementsAre(std::string("\5\1\0", 3), std::string("\5\1\0\3\x0b", 5) + "caddis.test\x1f\x90",
                                 "GET / HTTP/1.1\r\nHost: caddis.test\r\n\r\n"));
}

TEST_F(SocksTest, TellsAddresses) {
  origin_.host = "[2001:db8::1]";
  ASSERT_TRUE(fetch({{3, kTaken}, {22, std::string("\5\0\0\3\4host\0\0", 11)}}));
  EXPECT_EQ(came_[1].substr(0, 8), std::string("\5\1\0\4\x20\x01\x0d\xb8", 8));
  origin_.host = "203.0.113.5";
  ASSERT_TRUE(fetch({{3, kTaken}, {10, std::string("\5\0\0\4", 4) + std::string(18, '\0')}}));
  EXPECT_EQ(came_[1].substr(0, 8), std::string("\5\1\0\1\xcb\0\x71\5", 8));
}

TEST_F(SocksTest, LogsIn) {
  proxy_.user = "me";
  proxy_.password = "word";
  const auto result = fetch({{4, "\5\2"}, {9, std::string("\1\0", 2)}, {kNameRequest, kConnected}});
  ASSERT_TRUE(result) << result.error().error.message;
  EXPECT_EQ(came_[0], std::string("\5\2\0\2", 4));
  EXPECT_EQ(came_[1], "\1\2me\4word");
  EXPECT_THAT(failure({{4, "\5\2"}, {9, "\1\1"}}), HasSubstr("does not accept user and password"));
  EXPECT_EQ(failure({{4, kTaken}, {kNameRequest, kConnected}}), "");
}

TEST_F(SocksTest, SaysWhyNot) {
  EXPECT_THAT(failure({{3, "\5\xff"}}), HasSubstr("wants a user"));
  EXPECT_THAT(failure({{3, std::string("\4\0", 2)}}), HasSubstr("does not speak SOCKS 5"));
  EXPECT_THAT(failure({{3, "HTTP/1.1 400 Bad\r\n\r\n"}}), HasSubstr("does not speak SOCKS 5"));
  EXPECT_THAT(failure({{3, kTaken}, {kNameRequest, std::string("\5\2\0\1\0\0\0\0\0\0", 10)}}),
              HasSubstr("no way to caddis.test:8080: its rules forbid it"));
  EXPECT_THAT(failure({{3, kTaken}, {kNameRequest, std::string("\5\x63\0\1\0\0\0\0\0\0", 10)}}),
              HasSubstr("for a reason of its own"));
  EXPECT_THAT(failure({{3, kTaken}, {kNameRequest, std::string("\5\0\0\7", 4)}}), HasSubstr("unknown kind of address"));
  EXPECT_THAT(failure({{4, ""}}), HasSubstr("time"));  // it says nothing
  origin_.host = std::string(300, 'x');
  EXPECT_THAT(failure({}), HasSubstr("more than 255 bytes"));
}

}  // namespace
}  // namespace caddis::http
