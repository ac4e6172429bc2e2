#include "caddis/http/host_check.h"

#include <gtest/gtest.h>

#include <vector>

namespace caddis::http {
namespace {

TEST(HostCheck, AddressesAndLocalhostAreOwn) {
  for (const char* host : {"127.0.0.1", "127.0.0.1:8080", "192.0.2.7:1", "[::1]", "[::1]:8080", "[2001:DB8::7]:80",
                           "localhost", "LocalHost:8080", "localhost.", "replay.localhost:8080", ""})
    EXPECT_TRUE(is_own_host(host)) << host;
}

// Whoever owns a name can let it point to this machine.
TEST(HostCheck, ANameIsNotBelieved) {
  for (const char* host : {"evil.example", "evil.example:8080", "127.0.0.1.evil.example", "127.0.0.1.evil.example:80",
                           "localhost.evil.example", "notlocalhost", "evil.example.localhost.evil", ".", ":80"})
    EXPECT_FALSE(is_own_host(host)) << host;
}

TEST(HostCheck, WhatIsNoHostIsNotOwn) {
  for (const char* host :
       {"[evil]", "[::1", "[]", "[::1]x", "[::1]:8x", "localhost:8080:80", "localhost:x", "a@localhost",
        "evil.example/.localhost", "evil.example?.localhost", "evil .localhost", "\x01.localhost"})
    EXPECT_FALSE(is_own_host(host)) << host;
  EXPECT_FALSE(is_own_host(std::string_view("a\0.localhost", 12)));
}

TEST(HostCheck, GivenNamesAreOwn) {
  const std::vector<std::string> names{"archive.example", "Wayback.Example:8080"};
  for (const char* host : {"archive.example", "ARCHIVE.example.:8080", "wayback.example", "wayback.example:1"})
    EXPECT_TRUE(is_own_host(host, names)) << host;
  for (const char* host : {"x.archive.example", "archive.example.org", "example"})
    EXPECT_FALSE(is_own_host(host, names)) << host;
}

TEST(HostCheck, HostsWithoutTheirPort) {
  EXPECT_EQ(host_of("Example.org.:8080"), "example.org");
  EXPECT_EQ(host_of("[::1]:8080"), "::1");
  EXPECT_EQ(host_of("example.org:http"), "");
}

TEST(HostCheck, TheMessageIsOneLine) { EXPECT_EQ(other_host_message("evil\nexample").find('\n'), std::string::npos); }

}  // namespace
}  // namespace caddis::http
