#include "caddis/cdx/broken_lines.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "caddis/base/clock.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/query_run.h"
#include "caddis/cdx/sorted_file.h"
#include "caddis/cdx/zipnum.h"
#include "caddis/io/memory_files.h"

namespace caddis::cdx {
namespace {

const Error kWhy{ErrorCode::parse, "it is no JSON"};

std::string line(std::string_view timestamp, std::string_view rest = R"({"url": "http://example.org/"})") {
  return "org,example)/ " + std::string(timestamp) + ' ' + std::string(rest) + '\n';
}

std::string three_lines() {
  return line("20200101000000") + line("20200102000000", "{\"url\": ") + line("20200103000000");
}

TEST(BrokenLines, AreToldOnce) {
  BrokenLines broken;
  int told = 0;
  const auto place = [&] {
    ++told;
    return std::string("byte 7");
  };
  broken.note("a.cdxj", "x", kWhy, place);
  broken.note("a.cdxj", "x", kWhy, place);
  EXPECT_EQ(told, 1);
  broken.note("a.cdxj", "y", kWhy, place);
  broken.note("b.cdxj", "x", kWhy, place);
  EXPECT_EQ(told, 3);
  EXPECT_EQ(broken.count(), 3U);
  // A header is no capture, and in order.
  broken.note("a.cdxj", " CDX N b a", Error{ErrorCode::not_found, "a header"}, place);
  EXPECT_EQ(broken.count(), 3U);
}

class BrokenIndexTest : public ::testing::Test {
 protected:
  void put(const std::string& path, std::string_view bytes) {
    ASSERT_TRUE(files_.make_dirs(io::parent_path(path)));
    if (files_.exists(path)) {
      ASSERT_TRUE(files_.remove(path));
    }
    auto file = files_.open_append(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE((*file)->append(bytes));
  }
  // The captures that a query of the URL gives, and how many lines it passes over.
  static std::pair<size_t, uint64_t> ask(CaptureIndex& index, Query query) {
    query.url = "http://example.org/";
    auto run = QueryRun::start(index, query, 100);
    EXPECT_TRUE(run);
    const auto broken = run->broken_lines();
    size_t count = 0;
    for (Capture capture;;) {
      uint64_t budget = UINT64_MAX;
      const auto found = run->next(capture, budget);
      EXPECT_TRUE(found);
      if (!found || *found != QueryRun::Found::capture) return {count, *broken};
      ++count;
    }
  }
  using Counts = std::pair<size_t, uint64_t>;

  io::MemoryFiles files_;
  ManualClock clock_;
  std::shared_ptr<BrokenLines> broken_ = std::make_shared<BrokenLines>();
};

TEST_F(BrokenIndexTest, ArePassedOverAndCountedInEachQuery) {
  put("c/indexes/a.cdxj", three_lines());
  CaptureIndex index(files_, clock_, "c");
  index.tell_broken_lines_to(broken_);
  EXPECT_EQ(ask(index, Query()), Counts(2, 1));
  Query latest_first;
  latest_first.reverse = true;
  EXPECT_EQ(ask(index, latest_first), Counts(2, 1));
  Query nearest;
  nearest.closest = "20200102000000";
  EXPECT_EQ(ask(index, nearest), Counts(2, 1));
  Query later;
  later.from = "20200103";
  EXPECT_EQ(ask(index, later), Counts(1, 0));
  EXPECT_EQ(broken_->count(), 1U);
  const auto captures = index.captures_of("http://example.org/");
  ASSERT_TRUE(captures);
  const auto passed = captures->each_from("", [](Capture&) { return true; });
  ASSERT_TRUE(passed);
  EXPECT_EQ(*passed, 1U);
}

TEST_F(BrokenIndexTest, HideNoNeighbours) {
  put("c/indexes/a.cdxj", line("20190101000000", "{") + line("20200101000000") + line("20200102000000", "{\"url\": ") +
                              line("20200103000000") + line("20210101000000", "no"));
  CaptureIndex index(files_, clock_, "c");
  const auto captures = index.captures_of("http://example.org/");
  ASSERT_TRUE(captures);
  const auto neighbours = captures->neighbours("20200101000000");
  ASSERT_TRUE(neighbours);
  const auto time = [](const std::optional<Capture>& capture) { return capture ? capture->timestamp : "none"; };
  EXPECT_EQ(time(neighbours->first), "20200101000000");
  EXPECT_EQ(time(neighbours->previous), "none");
  EXPECT_EQ(time(neighbours->next), "20200103000000");
  EXPECT_EQ(time(neighbours->last), "20200103000000");
  for (const auto& [asked, nearest] :
       {std::pair("20180101000000", "20200101000000"), std::pair("20200102000000", "20200101000000"),
        std::pair("20220101000000", "20200103000000")}) {
    const auto found = captures->closest(asked, 1);
    ASSERT_TRUE(found && found->size() == 1) << asked;
    EXPECT_EQ(found->front().timestamp, nearest) << asked;
  }
}

TEST_F(BrokenIndexTest, AreNotToldAgainIfTheFileGrows) {
  put("c/indexes/a.cdxj", three_lines());
  CaptureIndex index(files_, clock_, "c");
  index.tell_broken_lines_to(broken_);
  EXPECT_EQ(ask(index, Query()), Counts(2, 1));
  put("c/indexes/a.cdxj", three_lines() + line("20200104000000") + line("20200105000000", "{"));
  clock_.advance(std::chrono::seconds(2));
  EXPECT_EQ(ask(index, Query()), Counts(3, 2));
  EXPECT_EQ(broken_->count(), 2U);
}

TEST_F(BrokenIndexTest, OfZipNumClustersAreFoundToo) {
  put("c/sorted", three_lines());
  ASSERT_TRUE(files_.make_dirs("c/indexes"));
  ASSERT_TRUE(write_zipnum(files_, "c/sorted", "c/indexes/a.idx", {.block_lines = 1}));
  CaptureIndex index(files_, clock_, "c");
  index.tell_broken_lines_to(broken_);
  EXPECT_EQ(ask(index, Query()), Counts(2, 1));
  EXPECT_EQ(broken_->count(), 1U);
}

}  // namespace
}  // namespace caddis::cdx
