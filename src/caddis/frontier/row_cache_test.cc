#include "caddis/frontier/row_cache.h"

#include <gtest/gtest.h>

#include "caddis/store/memory_kv.h"

namespace caddis::frontier {
namespace {

class RowCacheTest : public ::testing::Test {
 protected:
  uint64_t stage() {
    const uint64_t number = cache_.stage(batch_);
    changes_ = batch_.size();
    EXPECT_TRUE(kv_->write(std::exchange(batch_, {}), store::Durability::synced));
    return number;
  }
  std::string rows(std::string_view prefix, std::string_view from = "") {
    std::string all;
    EXPECT_TRUE(cache_.each_from(0, prefix, from.empty() ? prefix : from, [&](auto key, auto value) -> Result<bool> {
      all.append(key).append("=").append(value).append(" ");
      return true;
    }));
    return all;
  }
  std::string stored(const std::string& key) { return (*kv_->get(0, key)).value_or("-"); }

  store::MemoryKvDisk disk_;
  std::unique_ptr<store::Kv> kv_ = *disk_.open({"rows"});
  RowCache cache_{*kv_};
  store::Batch batch_;
  size_t changes_ = 0;  // in the last stage
};

TEST_F(RowCacheTest, AnswersWhatIsNotCommitted) {
  cache_.change(0, "a1", "x");
  EXPECT_EQ(*cache_.get(0, "a1"), "x");
  EXPECT_EQ(stored("a1"), "-");
  const uint64_t first = stage();
  EXPECT_EQ(stored("a1"), "x");
  cache_.change(0, "a1", std::nullopt);
  cache_.committed(first);
  EXPECT_EQ(*cache_.get(0, "a1"), std::nullopt) << "a later change holds";
  cache_.committed(stage());
  EXPECT_EQ(*cache_.get(0, "a1"), std::nullopt);
  EXPECT_EQ(stored("a1"), "-");
}

TEST_F(RowCacheTest, WritesNothingThatCameAndWent) {
  cache_.change(0, "a1", "x", true);
  cache_.change(0, "a1", std::nullopt);
  stage();
  EXPECT_EQ(changes_, 0u);
  cache_.change(0, "a2", "x", true);
  stage();
  cache_.change(0, "a2", std::nullopt);
  stage();
  EXPECT_EQ(changes_, 1u) << "the store may have it by now";
}

TEST_F(RowCacheTest, WalksOverBoth) {
  for (const char* key : {"a1", "a3", "b1"}) cache_.change(0, key, "old");
  cache_.committed(stage());
  cache_.change(0, "a1", std::nullopt);
  cache_.change(0, "a2", "new");
  cache_.change(0, "a3", "new");
  EXPECT_EQ(rows("a"), "a2=new a3=new ");
  EXPECT_EQ(rows("a", "a3"), "a3=new ");
  EXPECT_EQ(rows(""), "a2=new a3=new b1=old ");
}

TEST_F(RowCacheTest, StopsWhenItIsTold) {
  for (const char* key : {"a1", "a2", "a3"}) cache_.change(0, key, "x");
  int seen = 0;
  ASSERT_TRUE(cache_.each_from(0, "a", "a", [&](auto, auto) -> Result<bool> { return ++seen < 2; }));
  EXPECT_EQ(seen, 2);
}

}  // namespace
}  // namespace caddis::frontier
