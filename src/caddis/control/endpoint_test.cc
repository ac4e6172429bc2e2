#include "caddis/control/endpoint.h"

#include <gtest/gtest.h>

namespace caddis::control {
namespace {

TEST(Endpoint, IsReadAsPeopleWriteIt) {
  struct Case {
    const char *text, *address;
    uint16_t port;
  };
  static constexpr Case kCases[] = {{"127.0.0.1:80", "127.0.0.1", 80},
                                    {"[::1]:8080", "::1", 8080},
                                    {":0", "127.0.0.1", 0},
                                    {"localhost:1", "127.0.0.1", 1},
                                    {"0.0.0.0:65535", "0.0.0.0", 65535}};
  for (const Case& one : kCases) {
    const auto endpoint = parse_endpoint(one.text);
    ASSERT_TRUE(endpoint) << one.text;
    EXPECT_EQ(endpoint->address, one.address);
    EXPECT_EQ(endpoint->port, one.port);
  }
  for (const char* wrong : {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:-1"})
    EXPECT_EQ(parse_endpoint(wrong).error().code, ErrorCode::config) << wrong;
}

TEST(Endpoint, OfAllAddressesIsOpenedUnderOne) {
  EXPECT_EQ(openable_urls({"127.0.0.1", 80}), std::vector<std::string>{"http://127.0.0.1:80/"});
  EXPECT_EQ(openable_urls({"::1", 80}), std::vector<std::string>{"http://[::1]:80/"});
  EXPECT_EQ(openable_urls({"0.0.0.0", 80}).front(), "http://127.0.0.1:80/");
  EXPECT_EQ(openable_urls({"::", 80}).front(), "http://[::1]:80/");
  for (const std::string& url : openable_urls({"0.0.0.0", 80})) EXPECT_FALSE(url.contains("0.0.0.0")) << url;
}

}  // namespace
}  // namespace caddis::control
