#include "caddis/access/origin.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace caddis::access {
namespace {

TEST(Origin, IsThatOfTheAddressAsked) {
  for (const char* host :
       {"127.0.0.1:8444", "localhost:8444", "192.0.2.7:8444", "192.0.2.7", "[::1]:8444", "[2001:db8::7]"})
    EXPECT_TRUE(is_own_origin(std::string("http://") + host, host)) << host;
}

TEST(Origin, OfOtherPagesIsRefused) {
  const char* const host = "127.0.0.1:8444";
  for (const char* origin : {"http://evil.example", "http://127.0.0.1", "http://127.0.0.1:80", "http://127.0.0.1:84440",
                             "https://127.0.0.1:8444", "http://localhost:8444", "null", "http://127.0.0.1:8444/", ""})
    EXPECT_FALSE(is_own_origin(origin, host)) << origin;
}

// Whoever owns a name can let it point to this machine: page and request then agree.
TEST(Origin, OfANameIsNotBelieved) {
  for (const char* host : {"evil.example:8444", "evil.example", "127.0.0.1.evil.example:8444", "localhost.evil.example",
                           "", ":8444", "[evil]:8444", "[::1", "[]"})
    EXPECT_FALSE(is_own_origin(std::string("http://") + host, host)) << host;
}

TEST(Origin, HasTheSchemeOfTheRequest) {
  const std::vector<std::string> names{"archive.example"};
  EXPECT_TRUE(is_own_origin("https://127.0.0.1:8443", "127.0.0.1:8443", names, true));
  EXPECT_FALSE(is_own_origin("http://127.0.0.1:8443", "127.0.0.1:8443", names, true));
  EXPECT_TRUE(is_own_origin("https://archive.example", "archive.example", names, true));
  EXPECT_TRUE(is_own_origin("https://archive.example", "archive.example", names, false)) << "behind a proxy with TLS";
  EXPECT_FALSE(is_own_origin("https://127.0.0.1", "127.0.0.1", names, false));
}

}  // namespace
}  // namespace caddis::access
