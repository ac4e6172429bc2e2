#include "caddis/control/health.h"

#include <gtest/gtest.h>

namespace caddis::control {
namespace {

TEST(HealthTest, WhoAnswersLives) {
  EXPECT_EQ(healthy().status, 200);
  EXPECT_EQ(healthy().body, R"({"status":"ok"})");
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
