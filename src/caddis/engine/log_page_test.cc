#include "caddis/engine/log_page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/engine/byte_range.h"
#include "caddis/engine/path_pattern.h"
#include "caddis/io/memory_files.h"

namespace caddis::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LogPages : public ::testing::Test {
 protected:
  void put(std::string_view text) {
    ASSERT_TRUE(files_.make_dirs("/l"));
    ASSERT_TRUE(files_.write_atomically("/l/x.log", text));
  }
  std::vector<std::string> all(LogQuery query) {
    std::vector<std::string> lines;
    for (;;) {
      const auto page = read_log_page(files_, "/l/x.log", query);
      if (!page) return {page.error().message};
      lines.insert(lines.end(), page->lines.begin(), page->lines.end());
      if (!page->next) return lines;
      query.from = page->next;
    }
  }

  io::MemoryFiles files_;
};

TEST_F(LogPages, HasEveryLineOnceInBothDirections) {
  put("a\nb\n\nc\nopen");
  for (const size_t limit : {1, 2, 3, 100}) {
    EXPECT_THAT(all({.regex = "", .limit = limit, .from = {}}), ElementsAre("a", "b", "", "c", "open")) << limit;
    EXPECT_THAT(all({.regex = "", .reverse = true, .limit = limit, .from = {}}), ElementsAre("open", "c", "", "b", "a"))
        << limit;
  }
}

TEST_F(LogPages, HasTheLinesThatAPatternFinds) {
  put("one\ntwo\nthree\n");
  EXPECT_THAT(all({.regex = "^t", .from = {}}), ElementsAre("two", "three"));
  EXPECT_THAT(all({.regex = "^t", .reverse = true, .limit = 1, .from = {}}), ElementsAre("three", "two"));
  EXPECT_EQ(read_log_page(files_, "/l/x.log", {.regex = "(", .from = {}}).error().code, ErrorCode::parse);
  EXPECT_THAT(read_log_page(files_, "/l/x.log", {.regex = "", .from = 1000})->lines, IsEmpty());
}

TEST_F(LogPages, WorkIsBounded) {
  std::string text;
  while (text.size() < (20 << 20)) text += fmt::format("line {}\n", text.size());
  put(text + "last\n");
  const auto page = read_log_page(files_, "/l/x.log", {.regex = "last", .from = {}});
  EXPECT_THAT(page->lines, IsEmpty());
  ASSERT_TRUE(page->next.has_value());
  EXPECT_LT(*page->next, text.size());
  EXPECT_THAT(all({.regex = "last", .from = {}}), ElementsAre("last"));
  EXPECT_THAT(all({.regex = "line 0$", .reverse = true, .from = {}}), ElementsAre("line 0"));
}

TEST(ByteRange, IsThePartThatIsAskedFor) {
  const auto text = [](std::string_view range) {
    const auto part = part_of(range, 10);
    return part ? fmt::format("{}+{}{}", part->begin, part->size, part->is_whole ? " whole" : "") : "none";
  };
  EXPECT_EQ(text(""), "0+10 whole");
  EXPECT_EQ(text("bytes=0-"), "0+10");
  EXPECT_EQ(text("bytes=2-3"), "2+2");
  EXPECT_EQ(text("bytes=-3"), "7+3");
  EXPECT_EQ(text("bytes=-30"), "0+10");
  EXPECT_EQ(text("bytes=9-100"), "9+1");
  EXPECT_EQ(text("bytes=10-"), "none");
  EXPECT_EQ(text("bytes=-0"), "none");
  for (const char* odd : {"bytes=1-2,4-5", "lines=1-2", "bytes=3-2", "bytes=a-b", "bytes=-", "bytes=--1"})
    EXPECT_EQ(text(odd), "0+10 whole") << odd;
}

TEST(PathPattern, NamesSegments) {
  const auto found = match_path("/api/jobs/{job}/files/{path...}", "/api/jobs/a%20b/files/x/y%2Fz");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->at("job"), "a b");
  EXPECT_EQ(found->at("path"), "x/y/z");
  EXPECT_EQ(match_path("/api/jobs/{job}/files/{path...}", "/api/jobs/a/files")->at("path"), "");
  EXPECT_FALSE(match_path("/api/jobs/{job}", "/api/jobs/"));
  EXPECT_FALSE(match_path("/api/jobs/{job}", "/api/jobs/a/b"));
  EXPECT_FALSE(match_path("/api/jobs", "/api/job"));
  EXPECT_TRUE(match_path("/api/jobs", "/api/jobs"));
}

}  // namespace
}  // namespace caddis::engine
