#include "caddis/cdx/capture_store.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/query_run.h"
#include "caddis/io/files.h"
#include "caddis/store/memory_only.h"
#include "support/testdata.h"

namespace caddis::cdx {
namespace {

std::string line_of(const std::string& key, const std::string& time, const std::string& url, int offset,
                    const std::string& file = "a.warc.gz") {
  return key + ' ' + time + R"( {"url": ")" + url + R"(", "mime": "text/html", "status": "200", "offset": ")" +
         std::to_string(offset) + R"(", "filename": ")" + file + "\"}";
}

class CaptureStoreTest : public ::testing::Test {
 protected:
  void SetUp() override { open(); }
  void open(const std::string& policy = "") {
    store_.reset();
    CaptureStoreOptions options;
    options.key_policy = policy;
    options.store.keep_changes = std::chrono::hours(1);
    auto opened = CaptureStore::open(temp_ / "store", options);
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
  }
  void put(const std::vector<std::string>& lines) {
    CaptureWriter writer(*store_);
    for (const std::string& line : lines) ASSERT_TRUE(writer.put(*parse_line(line)));
    const auto done = writer.commit();
    ASSERT_TRUE(done) << done.error().message;
  }
  std::vector<std::string> ask(const std::string& query) {
    CaptureIndex index(io::real_files(), clock_, "");
    index.add_source(store_);
    const auto parsed = parse_query(query);
    EXPECT_TRUE(parsed) << parsed.error().message;
    const auto captures = run_query(index, *parsed);
    EXPECT_TRUE(captures) << captures.error().message;
    std::vector<std::string> lines;
    for (const Capture& capture : *captures) lines.push_back(format_capture(capture, *parsed));
    return lines;
  }

  testing::TempDir temp_;
  ManualClock clock_;
  std::shared_ptr<CaptureStore> store_;
};

const std::string kA1 = line_of("com,a)/", "20200101000000", "http://a.com/", 1);
const std::string kA2 = line_of("com,a)/", "20200101000000", "http://a.com/", 200);
const std::string kA3 = line_of("com,a)/", "20200101000000", "http://www.a.com/", 1, "b.warc.gz");
const std::string kA4 = line_of("com,a)/", "20210101000000", "http://a.com/", 5);
const std::string kB = line_of("com,a)/b", "20200101000000", "http://a.com/b", 7);

TEST_F(CaptureStoreTest, AnswersAsAFileOfLines) {
  put({kB, kA4, kA1, kA2, kA3});
  EXPECT_EQ(ask("url=http://a.com/"), (std::vector{kA1, kA2, kA3, kA4}));
  EXPECT_EQ(ask("url=http://a.com/&from=2021"), (std::vector{kA4}));
  EXPECT_EQ(ask("url=http://a.com/&to=2020"), (std::vector{kA1, kA2, kA3}));
  EXPECT_EQ(ask("url=http://a.com/&closest=2022&limit=2"), (std::vector{kA4, kA3}));
  EXPECT_EQ(ask("url=http://a.com/&sort=reverse&limit=2"), (std::vector{kA4, kA3}));
  EXPECT_EQ(ask("url=http://a.com/*"), (std::vector{kA1, kA2, kA3, kA4, kB}));
  EXPECT_EQ(ask("url=http://a.com/b&matchType=host&sort=reverse&limit=1"), (std::vector{kB}));
  EXPECT_EQ(ask("url=http://other.com/"), std::vector<std::string>());
  open();
  EXPECT_EQ(ask("url=http://a.com/*"), (std::vector{kA1, kA2, kA3, kA4, kB}));
}

TEST_F(CaptureStoreTest, SaysWhatOnlyTheDiskKnows) {
  put({kA1, kA4});
  const std::string everything = "url=http://a.com/*";
  {
    const store::MemoryOnly rows_are_in_memory;
    EXPECT_EQ(ask(everything), (std::vector{kA1, kA4}));
    EXPECT_FALSE(rows_are_in_memory.has_missed());
  }
  ASSERT_TRUE(store_->store().flush());
  ASSERT_TRUE(store_->store().compact());
  open();
  {
    const store::MemoryOnly nothing_is_in_memory;
    CaptureIndex index(io::real_files(), clock_, "");
    index.add_source(store_);
    EXPECT_FALSE(run_query(index, *parse_query(everything)));
    EXPECT_TRUE(nothing_is_in_memory.has_missed());
  }
  EXPECT_EQ(ask(everything), (std::vector{kA1, kA4}));
  const store::MemoryOnly blocks_are_in_memory;
  EXPECT_EQ(ask(everything), (std::vector{kA1, kA4}));
  EXPECT_FALSE(blocks_are_in_memory.has_missed());
}

TEST_F(CaptureStoreTest, CursorTellsOfALineWhatItsBytesTell) {
  const std::string revisit =
      R"(com,a)/b?q=1 20210203040506 {"url": "https://www.a.com/b?q=1", "mime": "warc/revisit", "digest": "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", )"
      R"("length": "12", "offset": "99", "filename": "b.warc.gz", "orig.offset": "1", "orig.filename": "a.warc.gz", "tags": ["x"]})";
  put({kA1, kA4, revisit});
  auto cursor = *store_->seek("");
  for (size_t lines = 0; !cursor->at_end() || lines < 3; ++lines) {
    ASSERT_LT(lines, 3u);
    const auto unread = *store_->seek(cursor->head());  // its line is not made yet
    const std::string line(cursor->line());
    EXPECT_EQ(cdxj_line(*store_->capture_at(*unread)), cdxj_line(*store_->parse(line)));
    for (size_t size = 0; size <= line.size(); ++size) {
      for (const char* const end : {"", "!", "~"}) {
        const std::string bound = line.substr(0, size) + end;
        const auto fresh = *store_->seek(cursor->head());
        EXPECT_EQ(fresh->is_before(bound), line < bound) << bound;
        EXPECT_EQ(fresh->starts_with(bound), line.starts_with(bound)) << bound;
      }
    }
    EXPECT_EQ(unread->line(), line);
    ASSERT_TRUE(cursor->next());
  }
}

TEST_F(CaptureStoreTest, KnowsTheSameLineAgainAndForgetsIt) {
  put({kA1, kA1, kA2});
  put({kA1});
  EXPECT_EQ(ask("url=http://a.com/").size(), 2U);
  CaptureWriter writer(*store_);
  ASSERT_TRUE(writer.erase(*parse_line(kA1)));
  ASSERT_TRUE(writer.erase(*parse_line(kB)));
  ASSERT_TRUE(writer.commit());
  EXPECT_EQ(ask("url=http://a.com/"), (std::vector{kA2}));
}

TEST_F(CaptureStoreTest, ShowsCapturesOfAnAliasUnderItsTarget) {
  put({kA1, kB});
  CaptureWriter writer(*store_);
  ASSERT_TRUE(writer.put_alias({"com,a)/b", "com,c)/"}));
  ASSERT_TRUE(writer.put_alias({"com,c)/", "com,a)/"}));
  ASSERT_TRUE(writer.put(*parse_line(line_of("com,c)/", "20220101000000", "http://c.com/", 9))));
  ASSERT_TRUE(writer.commit());
  const auto all = ask("url=http://a.com/");
  EXPECT_EQ(all.size(), 3U);
  EXPECT_EQ(ask("url=http://a.com/b"), all);
  EXPECT_EQ(ask("url=http://c.com/"), all);
  put({line_of("com,a)/b", "20230101000000", "http://a.com/b", 11)});
  EXPECT_EQ(ask("url=http://a.com/").size(), 4U);
  EXPECT_EQ(store_->aliases("", 10)->size(), 2U);
  // A circle ends.
  ASSERT_TRUE(writer.put_alias({"com,a)/", "com,c)/"}));
  ASSERT_TRUE(writer.commit());
  EXPECT_LE(ask("url=http://a.com/").size(), 4U);
}

TEST_F(CaptureStoreTest, HasOnePolicy) {
  put({kA1});
  store_.reset();
  CaptureStoreOptions options;
  options.key_policy = "outback";
  const auto other = CaptureStore::open(temp_ / "store", options);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::conflict);
  options.key_policy = "ia-surt";
  EXPECT_TRUE(CaptureStore::open(temp_ / "store", options));
}

TEST_F(CaptureStoreTest, TellsItsChangesToOneThatFollows) {
  put({kA1, kB});
  const uint64_t middle = store_->store().sequence() + 1;
  put({kA2});
  auto follower = CaptureStore::open(temp_ / "follower");
  ASSERT_TRUE(follower);
  uint64_t next = 0;
  for (int i = 0; i < 10; ++i) {
    const auto changes = store_->store().changes(next, 1);
    ASSERT_TRUE(changes) << changes.error().message;
    if (changes->empty()) break;
    for (const auto& change : *changes) {
      ASSERT_TRUE((*follower)->apply(change.bytes, change.sequence + change.rows));
      next = *(*follower)->followed();
    }
  }
  EXPECT_EQ(next, store_->store().sequence() + 1);
  EXPECT_EQ(store_->store().changes(middle, 1 << 20)->size(), 1U);
  store_ = *follower;
  EXPECT_EQ(ask("url=http://a.com/*"), (std::vector{kA1, kA2, kB}));
  EXPECT_FALSE(store_->apply("nonsense", 1));
  EXPECT_FALSE(store_->apply(std::string(12, '\1') + "nonsense", 1));
}

// Which is how a copy begins anew that has been away for too long.
TEST_F(CaptureStoreTest, ACopyGoesOnWhereItWasMade) {
  put({kA1, kB});
  ASSERT_TRUE(store_->store().checkpoint(temp_ / "copy"));
  put({kA2});
  const auto copy = CaptureStore::open(temp_ / "copy");
  ASSERT_TRUE(copy);
  const auto changes = store_->store().changes(*(*copy)->followed(), 1 << 20);
  ASSERT_TRUE(changes) << changes.error().message;
  ASSERT_EQ(changes->size(), 1U);
  ASSERT_TRUE((*copy)->apply(changes->front().bytes, changes->front().sequence + changes->front().rows));
  EXPECT_EQ(*(*copy)->followed(), store_->store().sequence() + 1);
  EXPECT_EQ(store_->store().changes(store_->store().sequence() + 2, 1 << 20).error().code, ErrorCode::conflict)
      << "the copy knows more than its original";
  store_ = *copy;
  EXPECT_EQ(ask("url=http://a.com/*"), (std::vector{kA1, kA2, kB}));
}

TEST_F(CaptureStoreTest, IsCopiedAsItIs) {
  put({kA1});
  ASSERT_TRUE(store_->store().checkpoint(temp_ / "copy"));
  put({kA2});
  auto copy = CaptureStore::open(temp_ / "copy");
  ASSERT_TRUE(copy) << copy.error().message;
  store_ = *copy;
  EXPECT_EQ(ask("url=http://a.com/*"), (std::vector{kA1}));
}

TEST_F(CaptureStoreTest, CanBeCompactedWhileItIsAsked) {
  for (int i = 0; i < 5; ++i) put({line_of("com,a)/", "2020010100000" + std::to_string(i), "http://a.com/", i)});
  ASSERT_TRUE(store_->store().flush());
  ASSERT_TRUE(store_->store().compact());
  EXPECT_EQ(ask("url=http://a.com/").size(), 5U);
  EXPECT_GT(store_->store().bytes_on_disk(), 0U);
}

}  // namespace
}  // namespace caddis::cdx
