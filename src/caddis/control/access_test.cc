#include "caddis/control/access.h"

#include <gtest/gtest.h>

#include "caddis/control/status_page.h"

namespace caddis::control {
namespace {

constexpr const char* kToken = "0123456789abcdef";

http::ServerRequest request(std::string path, http::ServerHeaders headers) {
  http::ServerRequest made;
  made.method = "GET";
  made.target = path;
  const size_t query = path.find('?');
  if (query != std::string::npos) made.query = path.substr(query + 1);
  made.path = path.substr(0, query);
  made.headers = std::move(headers);
  return made;
}

int status_of(const http::ServerRequest& asked) {
  const Access access(kToken, {"crawler.example"});
  const auto refused = access.refuse(asked);
  return refused ? refused->status : 200;
}

const std::pair<std::string, std::string> kHost{"Host", "127.0.0.1:8444"},
    kRight{"Authorization", "Bearer 0123456789abcdef"};

TEST(Access, NeedsTheToken) {
  EXPECT_EQ(status_of(request("/status", {kHost, kRight})), 200);
  EXPECT_EQ(status_of(request("/status", {kHost, {"authorization", "bearer 0123456789abcdef"}})), 200);
  EXPECT_EQ(status_of(request("/status", {kHost})), 401);
  for (const char* wrong : {"Bearer 0123456789abcdee", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0", "Bearer ",
                            "0123456789abcdef", "Basic 0123456789abcdef"})
    EXPECT_EQ(status_of(request("/status", {kHost, {"Authorization", wrong}})), 401) << wrong;
}

// A link with the token opens the page; for what it reads and steers the page sends the token itself.
TEST(Access, ThePageTakesTheTokenFromItsAddress) {
  EXPECT_EQ(status_of(request("/?token=0123456789abcdef", {kHost})), 200);
  EXPECT_EQ(status_of(request("/?token=no", {kHost})), 401);
  EXPECT_EQ(status_of(request("/", {kHost})), 401);
  EXPECT_EQ(status_of(request("/status?token=0123456789abcdef", {kHost})), 401);
  const auto asks = Access(kToken, {}).refuse(request("/", {kHost}));
  ASSERT_TRUE(asks);
  EXPECT_EQ(asks->body, status_page().body) << "the page asks for the token";
}

TEST(Access, IsAskedUnderItsOwnNames) {
  for (const char* own : {"127.0.0.1:8444", "localhost:8444", "[::1]:8444", "crawler.example:8444"})
    EXPECT_EQ(status_of(request("/status", {{"Host", own}, kRight})), 200) << own;
  for (const char* other : {"evil.example", "evil.example:8444", "127.0.0.1.evil.example:8444"})
    EXPECT_EQ(status_of(request("/status", {{"Host", other}, kRight})), 421) << other;
}

TEST(Access, IsAskedByNoOtherPage) {
  EXPECT_EQ(status_of(request("/status", {kHost, kRight, {"Origin", "http://127.0.0.1:8444"}})), 200);
  for (const char* origin : {"http://evil.example", "null", "http://127.0.0.1:8080", "https://127.0.0.1:8444"})
    EXPECT_EQ(status_of(request("/status", {kHost, kRight, {"Origin", origin}})), 403) << origin;
}

}  // namespace
}  // namespace caddis::control
