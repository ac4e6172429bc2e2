#include "caddis/scope/traps.h"

#include <gtest/gtest.h>

#include <string>

#include "caddis/scope/hops.h"

namespace caddis::scope {
namespace {

TEST(Traps, RepeatedSegments) {
  struct Case {
    std::string_view path;
    int64_t max;
    std::string_view repeated;
  };
  const Case cases[] = {
      {"/a/a/a/", 2, "a/"},
      {"/a/a/a", 2, ""},
      {"/a/a/", 2, ""},
      {"/x/a/a/a/y", 2, "a/"},
      {"/a/b/a/b/a/b/c", 2, "a/b/"},
      {"/a/b/a/b/a/c/", 2, ""},
      {"/b/a/b/a/b/a/", 2, "b/a/"},
      {"/a/ab/a/ab/", 2, ""},
      {"////", 2, "/"},
      {"/a/a/", 1, "a/"},
      {"/1/2/3/1/2/3/1/2/3/", 2, "1/2/3/"},
      {"/", 2, ""},
      {"", 2, ""},
      {"/a/a/a/", 1'000'000'000'000, ""},
  };
  for (const Case& c : cases) EXPECT_EQ(repeated_segments(c.path, c.max), c.repeated) << c.path;
}

TEST(Traps, LooksAtTheLastSegmentsOfVeryLongPaths) {
  std::string path = "/";
  for (int i = 0; i < 500; ++i) path += std::to_string(i) + "/";
  EXPECT_EQ(repeated_segments(path, 2), "");
  EXPECT_EQ(repeated_segments(path + "a/a/a/", 2), "a/");
  EXPECT_EQ(path_depth(path), 501);
}

TEST(Hops, CountsWhatIsWrittenShort) {
  EXPECT_EQ(count_hops(""), 0);
  EXPECT_EQ(count_hops("LLE"), 3);
  EXPECT_EQ(count_hops("25+LLE"), 28);
  EXPECT_EQ(count_transclusion("9+LEX").transitive, 2);
  EXPECT_EQ(count_transclusion("LRR").hops, 2);
  EXPECT_EQ(count_transclusion("LRR").transitive, 0);
}

TEST(Hops, AreLettersThatThereAre) {
  for (const char* path : {"", "L", "LLREXIPSM", "25+LLE", "25+"}) EXPECT_TRUE(is_hop_path(path)) << path;
  for (const char* path : {"Z", "9", "L E", "l", "LLZ", "+L", "x+L", "-"}) EXPECT_FALSE(is_hop_path(path)) << path;
}

}  // namespace
}  // namespace caddis::scope
