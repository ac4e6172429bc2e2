#include "caddis/control/health.h"

#include <gtest/gtest.h>

namespace caddis::control {
namespace {

TEST(HealthTest, WhoAnswersLives) {
  EXPECT_EQ(healthy().status, 200);
  EXPECT_EQ(healthy().body, R"({"status":"ok"})");
}

TEST(HealthTest, IsOnlyRead) {
  http::ServerRequest request;
  for (const char* const method : {"GET", "HEAD"}) {
    request.method = method;
    EXPECT_FALSE(refuse_other_methods(request)) << method;
  }
  for (const char* const method : {"POST", "PUT", "DELETE", "OPTIONS"}) {
    request.method = method;
    const auto refused = refuse_other_methods(request);
    ASSERT_TRUE(refused) << method;
    EXPECT_EQ(refused->status, 405);
    EXPECT_EQ(refused->headers.back(), std::pair(std::string("Allow"), std::string("GET, HEAD")));
  }
}

TEST(HealthTest, IsReadyIfAllIsInOrder) {
  const auto ready = readiness({{"disk", ""}, {"jobs", ""}});
  EXPECT_EQ(ready.status, 200);
  EXPECT_EQ(ready.body, R"({"status":"ok","checks":{"disk":"ok","jobs":"ok"}})");
  const auto full = readiness({{"disk", "the \"disk\" is full"}, {"jobs", ""}});
  EXPECT_EQ(full.status, 503);
  EXPECT_EQ(full.body, R"({"status":"not ready","checks":{"disk":"the \"disk\" is full","jobs":"ok"}})");
}

}  // namespace
}  // namespace caddis::control
