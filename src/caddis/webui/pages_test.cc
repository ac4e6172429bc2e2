#include "caddis/webui/pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/webui/assets.h"

namespace caddis::webui {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

http::ServerRequest request(std::string path, http::ServerHeaders headers = {}, std::string method = "GET") {
  http::ServerRequest made;
  made.method = std::move(method);
  made.target = made.path = std::move(path);
  made.headers = std::move(headers);
  return made;
}

std::string header(const http::ServerResponse& response, std::string_view name) {
  for (const auto& [key, value] : response.headers)
    if (key == name) return value;
  return "";
}

TEST(Pages, DocumentSaysWhichServerItTalksTo) {
  EXPECT_THAT(page(Server::engine).body, HasSubstr("data-mode=\"engine\""));
  EXPECT_THAT(page(Server::crawl).body, HasSubstr("data-mode=\"crawl\""));
}

TEST(Pages, NothingIsLoadedFromElsewhere) {
  const http::ServerResponse response = page(Server::engine);
  EXPECT_THAT(header(response, "Content-Security-Policy"), HasSubstr("default-src 'none'"));
  EXPECT_THAT(header(response, "Content-Security-Policy"), Not(HasSubstr("unsafe")));
  EXPECT_THAT(response.body, Not(HasSubstr("://")));
}

TEST(Pages, PackedForThoseWhoTakeIt) {
  const auto plain = asset(request("/assets/app.js"));
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->body, find_asset("app.js"));
  EXPECT_EQ(header(*plain, "Content-Encoding"), "");
  for (const std::string taken : {"gzip", "br, GZIP;q=0.5", "gzip;q=1"}) {
    const auto packed = asset(request("/assets/app.js", {{"Accept-Encoding", taken}}));
    ASSERT_TRUE(packed);
    EXPECT_EQ(header(*packed, "Content-Encoding"), "gzip") << taken;
    EXPECT_EQ(packed->body, find_asset("app.js.gz"));
    EXPECT_NE(header(*packed, "ETag"), header(*plain, "ETag"));
  }
  for (const std::string taken : {"", "br", "gzip;q=0", "gzip;q=0.000", "xgzip"})
    EXPECT_EQ(header(*asset(request("/assets/app.js", {{"Accept-Encoding", taken}})), "Content-Encoding"), "") << taken;
}

TEST(Pages, NotSentAgain) {
  const std::string etag = header(*asset(request("/assets/app.css")), "ETag");
  const auto again = asset(request("/assets/app.css", {{"If-None-Match", "\"other\", W/" + etag}}));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->status, 304);
  EXPECT_EQ(again->body, "");
  EXPECT_EQ(asset(request("/assets/app.css", {{"If-None-Match", "\"other\""}}))->status, 200);
}

TEST(Pages, OtherPathsAndMethods) {
  EXPECT_FALSE(asset(request("/assets/")));
  EXPECT_FALSE(asset(request("/assets/index.html")));
  EXPECT_FALSE(asset(request("/assets/../app.js")));
  EXPECT_FALSE(asset(request("/assets/app.js", {}, "POST")));
  EXPECT_EQ(answer(request("/")).status, 200);
  EXPECT_EQ(answer(request("/", {}, "POST")).status, 405);
  EXPECT_EQ(answer(request("/jobs")).status, 404);
  EXPECT_EQ(answer(request("/assets/app.css", {}, "HEAD")).status, 200);
  EXPECT_TRUE(is_for_everybody(request("/")));
  EXPECT_TRUE(is_for_everybody(request("/assets/app.js")));
  EXPECT_FALSE(is_for_everybody(request("/login")));
}

}  // namespace
}  // namespace caddis::webui
