#include "caddis/access/answers.h"

#include <gtest/gtest.h>

namespace caddis::access {
namespace {

std::string header_of(const http::ServerResponse& response, std::string_view name) {
  std::string found;
  for (const auto& [header, value] : response.headers)
    if (header == name) found += value + ";";
  return found;
}

TEST(Answers, AreNotFramedNorKept) {
  http::ServerResponse own;
  own.headers.emplace_back("Content-Security-Policy", "default-src 'self'");
  EXPECT_EQ(header_of(guarded(std::move(own)), "Content-Security-Policy"), "default-src 'self';");
  const http::ServerResponse answer = guarded(http::ServerResponse(200));
  EXPECT_NE(header_of(answer, "Content-Security-Policy").find("frame-ancestors 'none'"), std::string::npos);
  EXPECT_EQ(header_of(answer, "X-Frame-Options"), "DENY;");
  EXPECT_EQ(header_of(answer, "X-Content-Type-Options"), "nosniff;");
  EXPECT_EQ(header_of(answer, "Cache-Control"), "no-store;");
}

TEST(Answers, AreGuardedOnce) {
  EXPECT_EQ(header_of(guarded(guarded(http::ServerResponse(200))), "X-Frame-Options"), "DENY;");
}

TEST(Answers, LeadToOwnPaths) {
  EXPECT_EQ(own_path("/a?b"), "/a?b");
  for (const char* other : {"", "a", "//a", "/\\a", "http://a/", "/a b", "/a\n"})
    EXPECT_EQ(own_path(other), "/") << other;
}

}  // namespace
}  // namespace caddis::access
