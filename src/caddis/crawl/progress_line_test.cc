#include "caddis/crawl/progress_line.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace caddis::crawl {
namespace {

// "∞" has three bytes, and takes one column.
TEST(ProgressLine, ColumnsAreOfCharacters) {
  ProgressColumns of;
  of.congestion = 2;
  const std::string usual = progress_line(of);
  of.congestion = std::numeric_limits<double>::infinity();
  const std::string infinite = progress_line(of);
  EXPECT_EQ(infinite.size(), usual.size() + 2);
  EXPECT_EQ(infinite.substr(infinite.find("\u221e") + 3), usual.substr(usual.size() - 24));
}

}  // namespace
}  // namespace caddis::crawl
