#include "caddis/base/visible.h"

#include <gtest/gtest.h>

namespace caddis {
namespace {

TEST(Visible, TextStaysAsItIs) {
  for (const char* text : {"", "plain text, 100 %", "C:\\new", "Größe 大きさ", "\xf0\x9f\xa6\x8b"})
    EXPECT_EQ(visible(text), text);
}

TEST(Visible, ALineIsALine) {
  EXPECT_EQ(visible("one\ntwo\r\n\tthree"), "one\\ntwo\\r\\n\\tthree");
  EXPECT_EQ(visible(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(visible("\xe2\x80\xa8"), "\\u2028");
}

TEST(Visible, NothingSteersATerminal) {
  EXPECT_EQ(visible("\x1b[2J\x7f\x08"), "\\x1b[2J\\x7f\\x08");
  EXPECT_EQ(visible("\xc2\x9b"
                    "2J"),
            "\\u009b2J");
  EXPECT_EQ(visible("\x9b"
                    "2J"),
            "\\x9b2J")
      << "not UTF-8: a terminal may read it as Latin-1";
  EXPECT_EQ(visible("txt.\xe2\x80\xaegpj"), "txt.\\u202egpj");
}

TEST(Visible, CutsBetweenCharacters) {
  EXPECT_EQ(visible("abc", 3), "abc");
  EXPECT_EQ(visible("abcd", 3), "abc…");
  EXPECT_EQ(visible("aüüü", 4), "aü…");
  EXPECT_EQ(visible("\x01\x02\x03", 2), R"(\x01\x02…)");
  EXPECT_EQ(visible("\xff\xff", 1), R"(\xff…)");
}

}  // namespace
}  // namespace caddis
