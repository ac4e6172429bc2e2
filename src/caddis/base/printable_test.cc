#include "caddis/base/printable.h"

#include <gtest/gtest.h>

namespace caddis {
namespace {

TEST(Printable, LeavesTextAsItIs) {
  EXPECT_EQ(printable("http://a.test/ü?ß=日本"), "http://a.test/ü?ß=日本");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, ShowsWhatATerminalWouldDo) {
  EXPECT_EQ(printable("\x1b[31mred\r\n\x7f\t"), R"(\x1b[31mred\x0d\x0a\x7f\x09)");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), R"(a\x00b)");
  EXPECT_EQ(printable("\xff\xc3"), R"(\xff\xc3)");
  EXPECT_EQ(printable("\xc2\x9b"), R"(\u{9b})");
  EXPECT_EQ(printable("\xe2\x80\xae"), R"(\u{202e})");
  EXPECT_EQ(printable("\xef\xbb\xbf"), R"(\u{feff})");
}

TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(printable("abc", 3), "abc");
  EXPECT_EQ(printable("abcd", 3), "abc…");
  EXPECT_EQ(printable("aüüü", 4), "aü…");
  EXPECT_EQ(printable("\x01\x02\x03", 2), R"(\x01\x02…)");
}

}  // namespace
}  // namespace caddis
