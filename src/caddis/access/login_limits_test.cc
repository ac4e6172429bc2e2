#include "caddis/access/login_limits.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace caddis::access {
namespace {

using namespace std::chrono_literals;

TEST(LoginLimits, DelaysGrow) {
  ManualClock clock;
  LoginLimits limits;
  const auto wait = [&] { return limits.wait("192.0.2.1", "alice", clock.steady()); };
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(wait(), Duration());
    limits.failed("192.0.2.1", "alice", clock.steady());
  }
  Duration before{};
  for (int i = 0; i < 5; ++i) {
    EXPECT_GT(wait(), before);
    before = wait();
    clock.advance(before);
    EXPECT_EQ(wait(), Duration());
    limits.failed("192.0.2.1", "alice", clock.steady());
  }
  for (int i = 0; i < 100; ++i) limits.failed("192.0.2.1", "alice", clock.steady());
  EXPECT_EQ(wait(), 5min);
  clock.advance(2h);
  limits.failed("192.0.2.1", "alice", clock.steady());
  EXPECT_EQ(wait(), Duration()) << "forgotten after an hour";
}

TEST(LoginLimits, OneNameFromManyAddressesWaitsLess) {
  ManualClock clock;
  LoginLimits limits;
  for (int i = 0; i < 50; ++i) limits.failed(fmt::format("192.0.2.{}", i), "alice", clock.steady());
  EXPECT_EQ(limits.wait("198.51.100.1", "alice", clock.steady()), 30s);
  EXPECT_EQ(limits.wait("198.51.100.1", "bob", clock.steady()), Duration());
  limits.succeeded("alice");
  EXPECT_EQ(limits.wait("198.51.100.1", "alice", clock.steady()), Duration());
}

TEST(LoginLimits, AnIpv6NetworkIsOneAddress) {
  ManualClock clock;
  LoginLimits limits;
  for (int i = 0; i < 20; ++i)
    limits.failed(fmt::format("2001:db8:0:7::{:x}", i), fmt::format("u{}", i), clock.steady());
  EXPECT_GT(limits.wait("2001:DB8:0:7:ffff::1", "x", clock.steady()), Duration());
  EXPECT_GT(limits.wait("2001:0db8::7:1:2:3:4", "x", clock.steady()), Duration());
  EXPECT_EQ(limits.wait("2001:db8:0:8::1", "x", clock.steady()), Duration());
  EXPECT_EQ(limits.wait("::1", "x", clock.steady()), Duration());
}

TEST(LoginLimits, AreBounded) {
  ManualClock clock;
  LoginLimits limits;
  for (int i = 0; i < 4500; ++i) {
    clock.advance(1ms);
    limits.failed(fmt::format("10.{}.{}.1", i / 200, i % 200), fmt::format("name{}", i), clock.steady());
  }
  EXPECT_LE(limits.size(), 2 * 4096u);
}

}  // namespace
}  // namespace caddis::access
