#include "caddis/replay/diff.h"

#include <gtest/gtest.h>

#include <random>

#include "caddis/base/strings.h"
#include "caddis/replay/text_lines.h"

namespace caddis::replay {
namespace {

// "=a", "-a", "+a" for each line.
std::string edits(std::string_view a, std::string_view b) {
  const auto old_lines = split(a, ' '), new_lines = split(b, ' ');
  std::string out;
  for (const Edit& edit : diff(old_lines, new_lines)) {
    const bool is_new = edit.kind == Edit::Kind::added;
    out += edit.kind == Edit::Kind::same ? "=" : is_new ? "+" : "-";
    out += is_new ? new_lines[edit.new_at] : old_lines[edit.old_at];
  }
  return out;
}

TEST(Diff, SmallRows) {
  EXPECT_EQ(edits("a b c", "a b c"), "=a=b=c");
  EXPECT_EQ(edits("a b c", "a c"), "=a-b=c");
  EXPECT_EQ(edits("a c", "a b c"), "=a+b=c");
  EXPECT_EQ(edits("a x c", "a y c"), "=a-x+y=c");
  EXPECT_EQ(edits("x x x y", "y x x x"), "-x-x-x=y+x+x+x") << "what both have once is an anchor";
}

// Whatever the rows: what is not removed is the old row, what is not added the new one, and equal items are equal.
TEST(Diff, EditsLeadFromOneToTheOther) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    std::vector<std::string> texts[2];
    for (auto& row : texts)
      for (unsigned i = random() % 60; i > 0; --i)
        row.emplace_back(1 + random() % 3, static_cast<char>('a' + random() % 7));
    const std::vector<std::string_view> a(texts[0].begin(), texts[0].end()), b(texts[1].begin(), texts[1].end());
    size_t old_at = 0, new_at = 0;
    for (const Edit& edit : diff(a, b)) {
      if (edit.kind != Edit::Kind::added) ASSERT_EQ(edit.old_at, old_at++);
      if (edit.kind != Edit::Kind::removed) ASSERT_EQ(edit.new_at, new_at++);
      if (edit.kind == Edit::Kind::same) ASSERT_EQ(a[edit.old_at], b[edit.new_at]);
    }
    ASSERT_EQ(old_at, a.size());
    ASSERT_EQ(new_at, b.size());
  }
}

TEST(Diff, ManyLinesThatAllDifferAreReplaced) {
  std::vector<std::string> texts[2];
  for (int i = 0; i < 20'000; ++i)
    texts[0].push_back("a" + std::to_string(i % 100)), texts[1].push_back("b" + std::to_string(i % 100));
  const std::vector<std::string_view> a(texts[0].begin(), texts[0].end()), b(texts[1].begin(), texts[1].end());
  EXPECT_EQ(diff(a, b).size(), 40'000U);
}

TEST(Diff, WordsAreMarked) {
  const MarkedLines marked = mark_words("the <old> house", "the <new> house!");
  EXPECT_EQ(marked.old_html, "the &lt;<del>old</del>&gt; house");
  EXPECT_EQ(marked.new_html, "the &lt;<ins>new</ins>&gt; house<ins>!</ins>");
}

TEST(TextLines, WhatReadersSee) {
  EXPECT_EQ(text_of_html("<title>T</title><style>p{}</style><p>one\n two <b>th</b>ree<p>four &amp; <br>five"
                         "<script>x</script><img alt='pic'><ul><li>six</ul>"),
            (std::vector<std::string>{"T", "one two three", "four &", "five", "[pic]", "six"}));
  EXPECT_EQ(lines_of_source("a\r\nb\n\nc"), (std::vector<std::string>{"a", "b", "", "c"}));
  EXPECT_GT(lines_of_source(std::string(10'000, 'x')).size(), 5U) << "a line that nobody reads is broken";
}

}  // namespace
}  // namespace caddis::replay
