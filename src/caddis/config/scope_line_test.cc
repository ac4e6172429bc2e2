#include "caddis/config/scope_line.h"

#include <gtest/gtest.h>

namespace caddis::config {
namespace {

TEST(ScopeLine, WidensOrNarrows) {
  EXPECT_EQ(parse_scope_line("+http://(org,example,"), (ScopeLine{false, "http://(org,example,"}));
  EXPECT_EQ(parse_scope_line("-http://(org,example,"), (ScopeLine{true, "http://(org,example,"}));
  EXPECT_EQ(parse_scope_line(" -https://(org,Example,)/a/ # late"), (ScopeLine{true, "http://(org,example,)/a/"}));
  EXPECT_EQ(parse_scope_line("-example.org"), (ScopeLine{true, "http://(org,example,"}));
  EXPECT_EQ(parse_scope_line("-https://example.org/a/b"), (ScopeLine{true, "http://(org,example,)/a/"}));
}

TEST(ScopeLine, OthersAreNone) {
  for (const char* line : {"", "example.org", "# -example.org", "+", "-", "--example.org", "+-example.org", "- # none",
                           "- http://example.org/", " -\thttp://example.org/", "- http://(org,example,"})
    EXPECT_EQ(parse_scope_line(line), std::nullopt) << line;
}

}  // namespace
}  // namespace caddis::config
