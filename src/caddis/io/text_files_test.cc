// Text files by lines: read, and written whole or not at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/io/new_text_file.h"
#include "caddis/io/text_lines.h"

namespace caddis::io {
namespace {

using testing::ElementsAre;

std::vector<std::string> lines_of(Files& files, const std::string& path, bool keeps_returns) {
  auto lines = TextLines::open(files, path);
  EXPECT_TRUE(lines);
  if (!lines) return {};
  if (keeps_returns) (*lines)->keep_returns();
  std::vector<std::string> all;
  for (auto line = (*lines)->next(); line && *line; line = (*lines)->next()) all.emplace_back(**line);
  return all;
}

TEST(TextLines, ReturnsAreOfTheLineEndUnlessTheyAreKept) {
  MemoryFiles files;
  ASSERT_TRUE(files.make_dirs("/d"));
  const std::string_view text = "one\r\ntwo\n\r\nthr\ree\r\r\n";
  ASSERT_TRUE(files.write_atomically("/d/plain", text));
  ASSERT_TRUE(files.write_atomically("/d/packed", gzip_member(text, GzipEffort::fast)));
  for (const char* path : {"/d/plain", "/d/packed"}) {
    EXPECT_THAT(lines_of(files, path, false), ElementsAre("one", "two", "", "thr\ree\r"));
    EXPECT_THAT(lines_of(files, path, true), ElementsAre("one\r", "two", "\r", "thr\ree\r\r"));
  }
}

TEST(NewTextFile, HasItsNameWhenItIsWhole) {
  MemoryFiles files;
  ASSERT_TRUE(files.make_dirs("/d"));
  ASSERT_TRUE(files.write_atomically("/d/a.tmp", "left by a process that died"));
  auto file = NewTextFile::create(files, "/d/a");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->add("one"));
  ASSERT_TRUE(file->add("two", false));
  EXPECT_FALSE(files.exists("/d/a"));
  ASSERT_TRUE(file->finish());
  EXPECT_FALSE(files.exists("/d/a.tmp"));
  SeededRandom random(1);
  files.crash(random);
  EXPECT_EQ(*files.read_all("/d/a"), "one\ntwo");
  EXPECT_EQ(NewTextFile::create(files, "/d/a").error().code, ErrorCode::conflict);
}

TEST(NewTextFile, LeavesNothingIfItIsNotFinished) {
  MemoryFiles files;
  ASSERT_TRUE(files.make_dirs("/d"));
  {
    auto file = NewTextFile::create(files, "/d/a");
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->add("one"));
  }
  EXPECT_FALSE(files.exists("/d/a.tmp"));
  auto late = NewTextFile::create(files, "/d/a");
  ASSERT_TRUE(late);
  ASSERT_TRUE(files.write_atomically("/d/a", "of somebody else"));
  EXPECT_EQ(late->finish().error().code, ErrorCode::conflict);
  EXPECT_EQ(*files.read_all("/d/a"), "of somebody else");
}

}  // namespace
}  // namespace caddis::io
