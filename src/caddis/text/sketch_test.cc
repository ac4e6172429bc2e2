#include "caddis/text/sketch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace caddis::text {
namespace {

std::string words(int from, int to) {
  std::string text;
  for (int i = from; i < to; ++i) {
    std::string word = "word";
    for (int rest = i; rest > 0; rest /= 26) word += static_cast<char>('a' + rest % 26);
    text += word + " ";
  }
  return text;
}

TEST(Sketch, CountsWordsOutsideOfTagsOnly) {
  EXPECT_EQ(sketch_of("<p class=alpha>Hello <b>World</b></p>"), sketch_of("world <i title='x y z'>2024</i> HELLO"));
  EXPECT_EQ(sketch_of("<a href=/x>1 2 3 ab</a>").size(), 0u);
  EXPECT_EQ(sketch_of("").size(), 0u);
  EXPECT_EQ(sketch_of(words(0, 5000)).size(), kSketchSize);
  EXPECT_EQ(sketch_of("na\xc3\xafve na\xef"
                      "ve")
                .size(),
            2u);
}

TEST(Novelty, IsWhatOthersDidNotSay) {
  const Sketch page = sketch_of(words(0, 100));
  EXPECT_EQ(novelty(page, {}), 1.0);
  EXPECT_EQ(novelty(page, {page}), 0.0);
  EXPECT_EQ(novelty({}, {}), 0.0);
  EXPECT_NEAR(novelty(page, {sketch_of(words(0, 75))}), 0.25, 0.01);
  EXPECT_NEAR(novelty(page, {sketch_of(words(0, 30)), sketch_of(words(30, 50))}), 0.5, 0.01);
  EXPECT_NEAR(novelty(sketch_of(words(0, 5000)), {sketch_of(words(2500, 7500))}), 0.5, 0.15);
}

}  // namespace
}  // namespace caddis::text
