#include "caddis/why/log_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/io/text_lines.h"

namespace caddis::why {
namespace {

using testing::ElementsAre;

class LogSearchTest : public testing::Test {
 protected:
  void put(const std::string& path, std::string_view text) {
    ASSERT_TRUE(files_.make_dirs("/l"));
    ASSERT_TRUE(files_.write_atomically(path, text));
  }
  std::vector<std::string> search(std::string text, size_t enough = 100) {
    LogSearch search(files_, "/l/x.log",
                     {.text = std::move(text),
                      .is_it = [](std::string_view line) { return !line.starts_with("not"); },
                      .enough = enough});
    for (;;) {
      const auto ended = search.step();
      EXPECT_TRUE(ended) << ended.error().message;
      ++steps_;
      if (!ended || *ended) return search.take();
    }
  }
  io::MemoryFiles files_;
  size_t steps_ = 0;
};

TEST_F(LogSearchTest, NoLog) { EXPECT_THAT(search("x"), ElementsAre()); }

TEST_F(LogSearchTest, WantedLinesOldestFirst) {
  put("/l/x.log", "1 here\nnot here\n2 elsewhere\n3 here here\n4 here, but it has no end");
  EXPECT_THAT(search(" here"), ElementsAre("1 here", "3 here here"));
  EXPECT_THAT(search(" here", 1), ElementsAre("3 here here"));
}

TEST_F(LogSearchTest, PiecesAndParts) {
  std::string filling;
  while (filling.size() < LogSearch::kPiece + 100'000) filling += "a line that nobody looks for\n";
  put("/l/x.log.gz", io::gzip_member("1 it\n" + filling + "2 it\n", io::GzipEffort::fast));
  put("/l/x.log.2", "3 it\n" + filling + "4 it\n" + filling + "5 it\n");
  put("/l/x.log.3", "");
  put("/l/x.log.10", "6 it\n");
  put("/l/x.login", "7 it\n");
  EXPECT_THAT(search(" it"), ElementsAre("1 it", "2 it", "3 it", "4 it", "5 it", "6 it"));
  EXPECT_GE(steps_, 6u);
  // The latest ones stand at the end: what lies before is not read.
  steps_ = 0;
  EXPECT_THAT(search(" it", 2), ElementsAre("5 it", "6 it"));
  EXPECT_LE(steps_, 3u);
}

TEST_F(LogSearchTest, LineAcrossPieces) {
  // The longest one that is taken.
  std::string line = "long it ";
  line.resize(io::TextLines::kMaxLine, 'x');
  const std::string filling(LogSearch::kPiece / 2, 'y');
  put("/l/x.log", "1 it\n" + line + "\n2 it\n" + filling + "\n3 it\n");
  EXPECT_THAT(search(" it"), ElementsAre("1 it", line, "2 it", "3 it"));
}

// Something that is no log, or one that was damaged: such a line is passed by, and those beside it are found.
TEST_F(LogSearchTest, LinesTooLongArePassedBy) {
  const std::string filling(LogSearch::kPiece / 3, 'y');
  for (const size_t size : {io::TextLines::kMaxLine + 1, 2 * LogSearch::kPiece, 5 * LogSearch::kPiece + 7}) {
    std::string line = "long it ";
    line.resize(size, 'x');
    line.replace(size / 2, 4, " it ");
    put("/l/x.log", "1 it\n" + line + "\n2 it\n" + filling + "\n" + line + "\n3 it\n" + filling);
    EXPECT_THAT(search(" it"), ElementsAre("1 it", "2 it", "3 it")) << size;
    put("/l/x.log", line + "\n" + line + "\n");
    EXPECT_THAT(search(" it"), ElementsAre()) << size;
  }
}

// A file that was listed, and packed before it was its turn.
TEST_F(LogSearchTest, FilesArePackedMeanwhile) {
  put("/l/x.log", "1 it\n");
  put("/l/x.log.2", "2 it\n");
  LogSearch search(files_, "/l/x.log", {.text = "it", .is_it = [](std::string_view) { return true; }});
  ASSERT_FALSE(*search.step());
  put("/l/x.log.gz", io::gzip_member("1 it\n", io::GzipEffort::fast));
  ASSERT_TRUE(files_.remove("/l/x.log"));
  auto ended = search.step();
  while (ended && !*ended) ended = search.step();
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_THAT(search.take(), ElementsAre("1 it", "2 it"));
}

TEST_F(LogSearchTest, DamageIsTold) {
  std::string packed = io::gzip_member("1 it\n2 it\n", io::GzipEffort::fast);
  packed.resize(packed.size() - 6);
  put("/l/x.log.gz", packed);
  LogSearch search(files_, "/l/x.log", {.text = "it", .is_it = [](std::string_view) { return true; }});
  auto ended = search.step();
  while (ended && !*ended) ended = search.step();
  EXPECT_FALSE(ended);
}

}  // namespace
}  // namespace caddis::why
