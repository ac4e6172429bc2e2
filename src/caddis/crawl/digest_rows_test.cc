// Payloads that a crawl knows by itself: from when on, and where they are found however many there are.
#include "caddis/crawl/digest_rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "caddis/commit/commit_group.h"
#include "caddis/commit/group_writer.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/dedup/original_row.h"
#include "caddis/io/base32.h"
#include "caddis/io/memory_files.h"
#include "caddis/store/memory_kv.h"
#include "caddis/store/streams.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

using dedup::Likeness;
using dedup::Strategy;

constexpr uint64_t kMostInMemory = 700;

std::string digest_of(int payload) {
  std::string raw = fmt::format("{:>20}", fmt::format("{:x}", static_cast<uint64_t>(payload) * 0x9e3779b97f4a7c15ULL));
  return "sha1:" + io::base32(raw);
}

class DigestRowsTest : public testing::Test {
 protected:
  DigestRowsTest() { reopen(); }

  // What a new process has of the same store.
  void reopen() {
    rows_ = std::make_unique<DigestRows>(*kv_, kMostInMemory);
    const auto opened = rows_->open(*streams_);
    ASSERT_TRUE(opened) << opened.error().message;
  }

  // The rows of a capture of that payload.
  void gather(int payload, const std::string& url, Strategy strategy = Strategy::any) {
    visit::VisitResult result;
    visit::Capture& capture = result.captures.emplace_back(io::Spool(spools_, 1));
    const std::string digest = digest_of(payload);
    capture.original.emplace(*dedup::row_key(strategy, {digest, url, {}}),
                             dedup::row_value({url, WallTime(std::chrono::seconds(payload)), {}, {}, {}}));
    rows_->on_final(result);
  }
  // Puts what was gathered on the disk; says so if `told`.
  void commit(bool told = true) {
    commit::CommitGroup group({.number = ++group_});
    rows_->stage(group);
    ASSERT_EQ(commit::GroupWriter(*streams_, *kv_).write(group).fate, commit::GroupWriter::Fate::committed);
    if (told) rows_->committed(group_);
  }
  std::optional<dedup::Match> find(int payload, const std::string& url = "http://asked.test/",
                                   Strategy strategy = Strategy::url_preferred) {
    const auto found = rows_->find(strategy, {digest_of(payload), url, {}});
    EXPECT_TRUE(found) << found.error().message;
    return found.value_or(std::nullopt);
  }
  std::string found_url(int payload) {
    const auto match = find(payload);
    return match ? match->original.url : "nothing";
  }
  static std::string url_of(int payload) { return fmt::format("http://h{}.test/{}", payload % 7, payload); }
  // Every payload from `from` to `to` is found, and the next ones are not.
  void expect_all(int from, int to) {
    for (int payload = from; payload < to; ++payload) ASSERT_EQ(found_url(payload), url_of(payload));
    for (int payload = to; payload < to + 500; ++payload) ASSERT_EQ(found_url(payload), "nothing");
  }
  void store(int from, int to) {
    constexpr int kInGroup = 150;
    for (int payload = from; payload < to; ++payload) {
      gather(payload, url_of(payload));
      if (payload % kInGroup == 0) commit();
    }
    commit();
  }
  size_t runs() {
    size_t count = 0;
    const auto rows = kv_->cursor(kDigests);
    for (rows->seek(kDigestRunRow); rows->valid() && rows->key().starts_with(kDigestRunRow); rows->next()) ++count;
    return count;
  }

  io::MemoryFiles files_;
  io::SpoolFolder spools_{files_, "/c/spool"};
  std::unique_ptr<store::Kv> kv_ = store::memory_kv(family_names());
  std::unique_ptr<store::StreamSet> streams_ = *store::StreamSet::open(files_, *kv_, kStreams, "/c/orphans");
  std::unique_ptr<DigestRows> rows_;
  commit::GroupNumber group_ = 0;
};

TEST_F(DigestRowsTest, APayloadIsKnownFromTheEndOfItsVisitOn) {
  EXPECT_EQ(found_url(1), "nothing");
  gather(1, "http://a.test/");
  EXPECT_EQ(found_url(1), "http://a.test/") << "no group has it yet";
  commit(false);
  gather(1, "http://b.test/");
  EXPECT_EQ(found_url(1), "http://a.test/") << "the group is not durable yet";
  rows_->committed(group_);
  EXPECT_EQ(found_url(1), "http://a.test/");
  commit();
  EXPECT_EQ(found_url(1), "http://a.test/");
  EXPECT_EQ(find(1)->likeness, Likeness::digest);
  EXPECT_EQ(find(1, "https://www.a.test/")->likeness, Likeness::canonical);
  EXPECT_EQ(find(1, "http://a.test/")->likeness, Likeness::url);
}

TEST_F(DigestRowsTest, AnotherProcessKnowsWhatIsOnTheDisk) {
  gather(1, "http://a.test/");
  commit(false);
  gather(2, "http://b.test/");
  reopen();
  EXPECT_EQ(found_url(1), "http://a.test/");
  EXPECT_EQ(found_url(2), "nothing");
  gather(3, "http://c.test/");
  commit();
  reopen();
  EXPECT_EQ(found_url(1), "http://a.test/");
  EXPECT_EQ(found_url(3), "http://c.test/");
}

TEST_F(DigestRowsTest, FiltersOfRunsCountInTheSameMemory) {
  constexpr int kPayloads = 10'000, kRunsOfFullSize = kPayloads / static_cast<int>(kMostInMemory);
  store(0, kPayloads);
  EXPECT_GT(runs(), 0U + kRunsOfFullSize) << "they become smaller";
  EXPECT_LT(runs(), 4U * kRunsOfFullSize) << "a quarter of the places at the least";
  expect_all(kPayloads - 100, kPayloads);
}

TEST_F(DigestRowsTest, TheEarliestOfTwoCapturesCounts) {
  gather(1, "http://a.test/");
  gather(1, "http://b.test/");
  commit();
  EXPECT_EQ(found_url(1), "http://a.test/");
}

TEST_F(DigestRowsTest, StrategiesByUrlFindTheirOwnRows) {
  gather(1, "http://a.test/", Strategy::url);
  gather(1, "http://b.test/", Strategy::canonical);
  commit();
  EXPECT_EQ(find(1, "http://a.test/", Strategy::url)->original.url, "http://a.test/");
  EXPECT_FALSE(find(1, "http://www.a.test/", Strategy::url));
  EXPECT_EQ(find(1, "http://www.b.test/", Strategy::canonical)->likeness, Likeness::canonical);
  EXPECT_FALSE(find(1, "http://c.test/", Strategy::canonical));
}

TEST_F(DigestRowsTest, PlacesBeyondTheMemoryAreFoundInRuns) {
  constexpr int kMany = 5000;
  store(0, kMany);
  EXPECT_GT(runs(), 4u);
  expect_all(0, kMany);
  reopen();
  expect_all(0, kMany);
  store(kMany, 2 * kMany);
  expect_all(0, 2 * kMany);
}

TEST_F(DigestRowsTest, PlacesThatMoveAreFoundAllTheWhile) {
  store(0, kMostInMemory + 1);
  gather(1'000'000, "http://a.test/");
  commit(false);  // a run is on the disk, and nobody was told
  EXPECT_EQ(runs(), 1u);
  expect_all(0, kMostInMemory + 1);
  gather(1'000'001, "http://b.test/");
  commit();
  expect_all(0, kMostInMemory + 1);
  EXPECT_EQ(found_url(1'000'000), "http://a.test/");
  reopen();
  expect_all(0, kMostInMemory + 1);
  EXPECT_EQ(found_url(1'000'000), "http://a.test/");
  EXPECT_EQ(found_url(1'000'001), "http://b.test/");
}

// A death while digests are forgotten leaves half a run: it must not keep the crawl from being resumed.
TEST_F(DigestRowsTest, ADamagedRunIsForgottenWithAllRows) {
  store(0, 2 * static_cast<int>(kMostInMemory));
  ASSERT_GT(runs(), 0u);
  store::Batch batch;
  const auto rows = kv_->cursor(kDigests);
  rows->seek(kDigestBlockRow);
  batch.put(kDigests, rows->key(), rows->value().substr(1));
  ASSERT_TRUE(kv_->write(batch, store::Durability::synced));
  reopen();
  EXPECT_EQ(runs(), 0u);
  EXPECT_EQ(found_url(0), "nothing") << "a saving is lost, no original";
  EXPECT_TRUE(*kv_->get(kMeta, kDigestsForgottenRow)) << "no digest index is left of it";
  gather(7, "http://a.test/");
  commit();
  EXPECT_EQ(found_url(7), "http://a.test/");
}

TEST_F(DigestRowsTest, AllRowsAreGivenInTheOrderOfTheirCaptures) {
  constexpr int kMany = 2000;
  store(0, kMany);
  int next = 0;
  const auto given = DigestRows::each(*kv_, [&](std::string_view key, std::string_view value) -> Result<void> {
    const std::string digest = digest_of(next);
    EXPECT_EQ(key, *dedup::row_key(Strategy::any, {digest, {}, {}}));
    EXPECT_EQ(dedup::read_row(value)->url, url_of(next));
    ++next;
    return {};
  });
  EXPECT_TRUE(given);
  EXPECT_EQ(next, kMany);
}

}  // namespace
}  // namespace caddis::crawl
