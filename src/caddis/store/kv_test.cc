// What every Kv must do, asked of RocksDB and of the one in RAM; what only one of them can show stands below.
#include "caddis/store/kv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "caddis/base/random.h"
#include "caddis/io/files.h"
#include "caddis/store/memory_kv.h"
#include "caddis/store/rocks_kv.h"
#include "support/testdata.h"

namespace caddis::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> rows(Kv& kv, Family family, std::string_view from = "") {
  std::vector<std::string> all;
  const auto cursor = kv.cursor(family);
  for (cursor->seek(from); cursor->valid(); cursor->next()) {
    all.push_back(std::string(cursor->key()) + "=" + std::string(cursor->value()));
  }
  EXPECT_TRUE(cursor->status());
  return all;
}

Batch put(Family family, std::string key, std::string value) {
  Batch batch;
  batch.put(family, std::move(key), std::move(value));
  return batch;
}

class AnyKv : public ::testing::TestWithParam<bool> {
 protected:
  std::unique_ptr<Kv> open(const std::vector<std::string>& families) {
    auto kv = try_open(families);
    EXPECT_TRUE(kv) << kv.error().message;
    return kv ? std::move(*kv) : nullptr;
  }
  Result<std::unique_ptr<Kv>> try_open(const std::vector<std::string>& families) {
    return GetParam() ? rocks_opener()(folder_ / "kv/state", families) : disk_.opener()("kv", families);
  }
  std::string folder(const std::string& name) { return folder_ / name; }
  // What a checkpoint holds.
  std::unique_ptr<Kv> open_checkpoint(const std::string& folder, const std::vector<std::string>& families) {
    auto kv = GetParam() ? rocks_opener()(folder, families) : load(folder, families);
    EXPECT_TRUE(kv) << kv.error().message;
    return kv ? std::move(*kv) : nullptr;
  }
  MemoryKvDisk disk_;

 private:
  Result<std::unique_ptr<Kv>> load(const std::string& folder, const std::vector<std::string>& families) {
    TRY(const std::string rows, io::real_files().read_all(folder + "/rows"));
    TRY_VOID(other_.load(rows));
    return other_.open(families);
  }

  testing::TempDir folder_;
  MemoryKvDisk other_;
};

// A checkpoint is a store of its own: as it was, whatever becomes of the first.
TEST_P(AnyKv, ChangesOfOneBatchHoldInTheirOrder) {
  auto kv = open({"a", "b"});
  SeededRandom random(7);
  std::map<std::string, std::string> wanted;
  for (int round = 0; round < 20; ++round) {
    Batch batch;
    for (int i = 0; i < 300; ++i) {
      // Alike in their first bytes, and with zeros at the end.
      std::string key = std::string(random.below(2) == 0 ? 8 : 3, 'k') + std::to_string(random.below(20));
      key.append(random.below(3), '\0');
      if (random.below(3) == 0) {
        batch.erase(0, key);
        wanted.erase(key);
      } else {
        wanted[key] = std::to_string(random.next());
        batch.put(0, key, wanted[key]);
      }
    }
    ASSERT_TRUE(kv->write(batch, Durability::lazy));
  }
  std::vector<std::string> expected;
  for (const auto& [key, value] : wanted) expected.push_back(key + "=" + value);
  EXPECT_EQ(rows(*kv, 0), expected);
}

TEST_P(AnyKv, LeavesCheckpointsWhileItGoesOn) {
  disk_.save_to(io::real_files());
  auto kv = open({"a", "b"});
  ASSERT_TRUE(kv->write(put(0, "k", std::string("1\0 2", 4)), Durability::synced));
  ASSERT_TRUE(kv->write(put(1, "", "empty key"), Durability::lazy));
  ASSERT_TRUE(kv->checkpoint(folder("one")));
  EXPECT_FALSE(kv->checkpoint(folder("one")));
  ASSERT_TRUE(kv->write(put(0, "k", "later"), Durability::synced));
  const auto copy = open_checkpoint(folder("one"), {"a", "b"});
  ASSERT_NE(copy, nullptr);
  EXPECT_THAT(rows(*copy, 0), ElementsAre(std::string("k=1\0 2", 6)));
  EXPECT_THAT(rows(*copy, 1), ElementsAre("=empty key"));
  ASSERT_TRUE(copy->write(put(0, "of the copy", ""), Durability::synced));
  EXPECT_THAT(rows(*kv, 0), ElementsAre("k=later"));
}

TEST_P(AnyKv, KeepsRowsByFamilyOverReopening) {
  auto kv = open({"a", "b"});
  Batch batch;
  EXPECT_TRUE(batch.empty());
  batch.put(0, "k", "0");
  batch.put(1, "k", "1");
  batch.put(0, "gone", "x");
  batch.erase(0, "gone");
  batch.erase(0, "never there");
  ASSERT_TRUE(kv->write(batch, Durability::synced));
  EXPECT_EQ(kv->get(0, "k"), "0");
  EXPECT_EQ(kv->get(1, "k"), "1");
  EXPECT_EQ(kv->get(0, "gone"), std::nullopt);
  kv.reset();
  kv = open({"b", "c"});  // another order, a new one, and "a" not named
  EXPECT_EQ(kv->get(0, "k"), "1");
  EXPECT_EQ(kv->get(1, "k"), std::nullopt);
  ASSERT_TRUE(kv->write(put(1, "k", "2"), Durability::lazy));
  kv.reset();
  kv = open({"a", "c"});
  EXPECT_EQ(kv->get(0, "k"), "0");
  EXPECT_EQ(kv->get(1, "k"), "2");
}

TEST_P(AnyKv, SortsAsUnsignedBytes) {
  const auto kv = open({"a"});
  Batch batch;
  for (const std::string& key : {std::string("\xff"), std::string("\x7f"), std::string("a"), std::string("a\0b", 3),
                                 std::string(), std::string("ab")}) {
    batch.put(0, key, "");
  }
  ASSERT_TRUE(kv->write(batch, Durability::lazy));
  EXPECT_THAT(rows(*kv, 0), ElementsAre("=", "a=", std::string("a\0b=", 4), "ab=", "\x7f=", "\xff="));
  EXPECT_THAT(rows(*kv, 0, "aa"), ElementsAre("ab=", "\x7f=", "\xff="));
  EXPECT_THAT(rows(*kv, 0, "\xff\xff"), IsEmpty());
}

TEST_P(AnyKv, CursorsSeeOneMoment) {
  const auto kv = open({"a"});
  ASSERT_TRUE(kv->write(put(0, "1", "old"), Durability::lazy));
  const auto cursor = kv->cursor(0);
  ASSERT_TRUE(kv->write(put(0, "1", "new"), Durability::lazy));
  ASSERT_TRUE(kv->write(put(0, "2", "new"), Durability::lazy));
  cursor->seek("");
  ASSERT_TRUE(cursor->valid());
  EXPECT_EQ(cursor->value(), "old");
  cursor->next();
  EXPECT_FALSE(cursor->valid());
  EXPECT_TRUE(cursor->status());
  EXPECT_THAT(rows(*kv, 0), ElementsAre("1=new", "2=new"));
}

TEST_P(AnyKv, IsOpenOnlyOnce) {
  auto kv = open({"a"});
  const auto second = try_open({"a"});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::conflict);
  EXPECT_THAT(second.error().message, HasSubstr("another caddis is using it"));
  kv.reset();
  EXPECT_TRUE(try_open({"a"}));
}

INSTANTIATE_TEST_SUITE_P(Rocks, AnyKv, ::testing::Values(true));
INSTANTIATE_TEST_SUITE_P(Memory, AnyKv, ::testing::Values(false));

TEST(MemoryKv, LazyWritesAreLostFromTheEnd) {
  std::set<std::string> found;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    MemoryKvDisk disk;
    auto kv = *disk.open({"a"});
    ASSERT_TRUE(kv->write(put(0, "k", "1"), Durability::lazy));
    ASSERT_TRUE(kv->write(put(0, "k", "2"), Durability::synced));
    ASSERT_TRUE(kv->write(put(0, "k", "3"), Durability::lazy));
    Batch batch = put(0, "k", "4");
    batch.put(0, "l", "4");
    ASSERT_TRUE(kv->write(batch, Durability::lazy));
    Batch last;
    last.erase(0, "k");
    ASSERT_TRUE(kv->write(last, Durability::lazy));
    SeededRandom random(seed);
    disk.crash(random);
    EXPECT_EQ(kv->get(0, "k").error().code, ErrorCode::closed);
    EXPECT_FALSE(kv->write(batch, Durability::synced));
    EXPECT_FALSE(kv->cursor(0)->status());
    auto next = *disk.open({"a"});
    kv.reset();  // of the dead process: must not let a third one in
    EXPECT_FALSE(disk.open({"a"}));
    std::string all;
    for (const std::string& row : rows(*next, 0)) all += row + " ";
    found.insert(all);
  }
  EXPECT_EQ(found, (std::set<std::string>{"k=2 ", "k=3 ", "k=4 l=4 ", "l=4 "}));
}

TEST(MemoryKv, AGateRefusesWrites) {
  MemoryKvDisk disk;
  const auto kv = *disk.open({"a"});
  disk.set_gate([](const Batch&, Durability) -> Result<void> { return fail(ErrorCode::io, "no"); });
  EXPECT_FALSE(kv->write(put(0, "k", "1"), Durability::synced));
  EXPECT_EQ(kv->get(0, "k"), std::nullopt);
}

TEST(RocksKv, SyncedWritesSurviveTheProcess) {
  testing::TempDir folder;
  io::Files& files = io::real_files();
  const auto kv = *open_rocks(folder / "kv", {"a"});
  ASSERT_TRUE(kv->write(put(0, "k", "v"), Durability::synced));
  // What another process would find if this one were killed now.
  ASSERT_TRUE(files.make_dirs(folder / "found"));
  for (const auto& entry : *files.list(folder / "kv")) {
    ASSERT_TRUE(files.write_atomically(folder / "found/" + entry.name, *files.read_all(folder / "kv/" + entry.name)));
  }
  const auto found = open_rocks(folder / "found", {"a"});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ((*found)->get(0, "k"), "v");
}

TEST(RocksKv, DamageIsToldWithTheWayOut) {
  testing::TempDir folder;
  ASSERT_TRUE(open_rocks(folder / "kv", {"a"}));
  auto current = io::real_files().open_append(folder / "kv/CURRENT");
  ASSERT_TRUE((*current)->truncate(3));
  const auto kv = open_rocks(folder / "kv", {"a"});
  ASSERT_FALSE(kv);
  EXPECT_EQ(kv.error().code, ErrorCode::corrupt);
  EXPECT_THAT(kv.error().message, HasSubstr("go back to the last checkpoint"));
  EXPECT_THAT(kv.error().message, HasSubstr(folder / "kv"));
}

TEST(RocksKv, ManyRowsSurviveCompaction) {
  testing::TempDir folder;
  const RocksOptions small{.cache_bytes = 1 << 20, .write_buffer_bytes = 1 << 20};
  auto kv = *open_rocks(folder / "kv", {"a", "b"}, small);
  const std::string value(1000, 'x');
  for (int i = 0; i < 20'000; ++i) {
    Batch batch = put(i % 2, std::to_string(i), value);
    if (i >= 100) batch.erase(i % 2, std::to_string(i - 100));
    ASSERT_TRUE(kv->write(batch, Durability::lazy));
  }
  EXPECT_EQ(rows(*kv, 0).size(), 50u);
  kv.reset();
  kv = *open_rocks(folder / "kv", {"a", "b"}, small);
  EXPECT_EQ(rows(*kv, 0).size(), 50u);
  EXPECT_EQ(kv->get(1, "19999"), value);
}

TEST(RocksKv, AFileInTheWayIsAnError) {
  testing::TempDir folder;
  ASSERT_TRUE(io::real_files().write_atomically(folder / "kv", "a file"));
  EXPECT_FALSE(open_rocks(folder / "kv", {"a"}));
}

}  // namespace
}  // namespace caddis::store
