#include "caddis/http/request.h"

#include <gtest/gtest.h>

namespace caddis::http {
namespace {

TEST(RequestTest, WritesWhatIsSent) {
  Request request{.method = "POST", .target = "/a?b"};
  request.add("Host", "example.com");
  request.add("Content-Length", "2");
  request.body = "hi";
  EXPECT_EQ(request.bytes(), "POST /a?b HTTP/1.1\r\nHost: example.com\r\nContent-Length: 2\r\n\r\nhi");
  request = {.version = {1, 0}};
  EXPECT_EQ(request.bytes(), "GET / HTTP/1.0\r\n\r\n");
}

TEST(RequestTest, RecordsNoSecrets) {
  Request request;
  request.add("Host", "example.com");
  EXPECT_FALSE(request.has_secrets());
  request.add_secret("Authorization", "Basic Og==");
  EXPECT_TRUE(request.has_secrets());
  EXPECT_EQ(request.secret_names(), "Authorization");
  EXPECT_EQ(request.bytes(), "GET / HTTP/1.1\r\nHost: example.com\r\nAuthorization: Basic Og==\r\n\r\n");
  EXPECT_EQ(request.recorded_bytes(), "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n");
}

TEST(RequestTest, ShowsABodyWithoutItsSecrets) {
  Request request{.method = "POST", .target = "/in"};
  request.add("Content-Length", "9");
  request.body = "pwd=hello";
  request.shown = Request::Shown{"/in", "pwd=*", "form field pwd"};
  EXPECT_EQ(request.secret_names(), "form field pwd");
  EXPECT_TRUE(request.bytes().ends_with("Content-Length: 9\r\n\r\npwd=hello"));
  EXPECT_EQ(request.recorded_bytes(), "POST /in HTTP/1.1\r\nContent-Length: 5\r\n\r\npwd=*");
  request = {.target = "/in?pwd=hello"};
  request.shown = Request::Shown{"/in?pwd=*", "", "form field pwd"};
  EXPECT_EQ(request.recorded_bytes(), "GET /in?pwd=* HTTP/1.1\r\n\r\n");
}

TEST(RequestTest, CannotBeSplit) {
  Request request{.target = "/x HTTP/1.1\r\nHost: evil\r\n\r\n"};
  request.add("Referer\r\nX", std::string_view("a\r\nb\0c", 6));
  EXPECT_EQ(request.bytes(), "GET /x HTTP/1.1Host: evil HTTP/1.1\r\nRefererX: abc\r\n\r\n");
}

}  // namespace
}  // namespace caddis::http
