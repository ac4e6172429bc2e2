#include "caddis/io/spool.h"

#include <gtest/gtest.h>

#include <vector>

#include "caddis/base/random.h"
#include "caddis/io/memory_files.h"
#include "support/testdata.h"

namespace caddis::io {
namespace {

std::string gathered(const Spool& spool, uint64_t from = 0) {
  std::string all;
  EXPECT_TRUE(spool.for_each(
      [&](std::string_view chunk) -> Result<void> {
        all += chunk;
        return {};
      },
      from));
  return all;
}

TEST(Spool, SmallOnesNeverTouchTheDisk) {
  MemoryFiles files;
  SpoolFolder folder(files, "spool");
  Spool spool(folder, 10);
  ASSERT_TRUE(spool.append("12345"));
  ASSERT_TRUE(spool.append("67890"));
  EXPECT_TRUE(spool.in_memory());
  EXPECT_EQ(spool.memory_view(), "1234567890");
  EXPECT_FALSE(files.exists("spool"));
}

TEST(Spool, BytesAreTheSameWhereverTheyLie) {
  MemoryFiles files;
  SpoolFolder folder(files, "spool");
  SeededRandom random(1);
  for (const size_t limit : {0u, 1u, 1000u, 100'000u}) {
    Spool spool(folder, limit);
    std::string expected;
    while (expected.size() < 400'000) {
      std::string bytes(random.below(random.below(10) == 0 ? 100'000 : 2000), '\0');
      for (char& c : bytes) c = static_cast<char>(random.next());
      expected += bytes;
      // Sometimes read to where they are kept.
      if (random.below(3) == 0) spool.reserve(expected.size());
      const std::span<char> room = spool.room();
      const size_t placed = random.below(2) == 0 ? std::min(room.size(), bytes.size()) : 0;
      bytes.copy(room.data(), placed);
      spool.filled(placed);
      ASSERT_TRUE(spool.append(std::string_view(bytes).substr(placed)));
      ASSERT_EQ(spool.size(), expected.size());
    }
    EXPECT_FALSE(spool.in_memory());
    EXPECT_EQ(spool.memory_view(), std::string_view(expected).substr(0, limit));
    EXPECT_TRUE(gathered(spool) == expected);
    EXPECT_TRUE(gathered(spool, 77'777) == expected.substr(77'777));
    EXPECT_EQ(gathered(spool, expected.size()), "");
    for (int i = 0; i < 100; ++i) {
      std::string buffer(random.below(200'000), '\0');
      const uint64_t offset = random.below(expected.size() + 100);
      const std::string there = offset < expected.size() ? expected.substr(offset, buffer.size()) : "";
      ASSERT_EQ(spool.read_at(offset, buffer.data(), buffer.size()), there.size());
      ASSERT_TRUE(buffer.substr(0, there.size()) == there);
    }
    EXPECT_TRUE(*spool.to_string(1 << 20) == expected);
    EXPECT_EQ(spool.to_string(10).error().code, ErrorCode::limit);
  }
  EXPECT_TRUE(files.list("spool")->empty());
}

TEST(Spool, ReadsEndAtTheEnd) {
  MemoryFiles files;
  SpoolFolder folder(files, "spool");
  Spool spool(folder, 4);
  ASSERT_TRUE(spool.append("123456789"));
  char buffer[20];
  EXPECT_EQ(spool.read_at(2, buffer, 20), 7u);
  EXPECT_EQ(std::string_view(buffer, 7), "3456789");
  EXPECT_EQ(spool.read_at(9, buffer, 20), 0u);
}

TEST(Spool, ClearedItStartsAnew) {
  testing::TempDir folder_path;
  SpoolFolder folder(real_files(), folder_path / "spool");
  Spool spool(folder, 1000);
  ASSERT_TRUE(spool.append(std::string(500'000, 'x')));
  EXPECT_TRUE(real_files().list(folder_path / "spool")->empty());  // open, but without a name
  spool.clear();
  EXPECT_EQ(spool.size(), 0u);
  ASSERT_TRUE(spool.append("y"));
  EXPECT_EQ(spool.memory_view(), "y");
  EXPECT_TRUE(spool.in_memory());
}

TEST(Spool, AFullDiskKeepsWhatCame) {
  MemoryFiles files;
  SpoolFolder folder(files, "spool");
  files.set_free_space(100);
  files.inject_failure(MemoryFiles::Operation::append);
  Spool spool(folder, 10);
  const std::string bytes(200'000, 'x');
  EXPECT_FALSE(spool.append(bytes));
  EXPECT_EQ(spool.size(), bytes.size());
  EXPECT_TRUE(gathered(spool) == bytes);
  EXPECT_FALSE(spool.append("more"));
  EXPECT_EQ(spool.size(), bytes.size());
  spool.clear();
  EXPECT_TRUE(spool.append("more"));
}

constexpr uint64_t kMegabyte = 1 << 20;

// Appends megabytes until it fails; how many were taken, and why no more.
std::pair<uint64_t, ErrorCode> fill(Spool& spool, uint64_t most) {
  const std::string megabyte(kMegabyte, 'x');
  for (uint64_t taken = 0; taken < most; ++taken)
    if (const auto done = spool.append(megabyte); !done) return {taken, done.error().code};
  return {most, ErrorCode::closed};
}

TEST(Spool, LeavesRoomForTheOtherHalf) {
  MemoryFiles files;
  SpoolFolder folder(files, "spool");
  files.set_free_space(50 * kMegabyte);
  Spool spool(folder, 0);
  const auto [taken, why] = fill(spool, 100);
  EXPECT_EQ(taken, 26u) << "as much is free as it holds";
  EXPECT_EQ(why, ErrorCode::limit) << "its own size is too much for the disk";
  spool.clear();
  EXPECT_EQ(fill(spool, 20).first, 20u);
}

TEST(Spool, KeepsHalfOfWhatIsToStayFree) {
  MemoryFiles files;
  SpoolFolder folder(files, "spool");
  folder.keep_free(40 * kMegabyte);
  files.set_free_space(80 * kMegabyte);
  Spool spool(folder, 0);
  const auto [taken, why] = fill(spool, 100);
  EXPECT_EQ(taken, 31u);
  EXPECT_EQ(why, ErrorCode::limit);
}

TEST(Spool, IsNotBlamedForADiskThatOthersHaveFilled) {
  MemoryFiles files;
  SpoolFolder folder(files, "spool");
  folder.keep_free(100 * kMegabyte);
  files.set_free_space(60 * kMegabyte);
  Spool spool(folder, 0);
  EXPECT_EQ(fill(spool, 100).second, ErrorCode::no_space) << "the disk is low without it, too";

  folder.keep_free(0);
  files.set_free_space(60 * kMegabyte);
  Spool large(folder, 0), small(folder, 0);
  spool.clear();
  EXPECT_EQ(fill(large, 25).first, 25u);
  EXPECT_EQ(fill(small, 100).second, ErrorCode::no_space) << "there is room when the larger one has ended";
}

TEST(Spool, SmallOnesFindOutThatADiskIsFullByWriting) {
  MemoryFiles files;
  SpoolFolder folder(files, "spool");
  files.set_free_space(3 * kMegabyte);
  Spool spool(folder, 0);
  const auto [taken, why] = fill(spool, 100);
  EXPECT_EQ(taken, 3u);
  EXPECT_EQ(why, ErrorCode::no_space);
}

// Many spools that each may hold 100 KB, of a folder that has less: bytes are the same, and memory stays bounded.
TEST(Spool, AllOfAFolderShareItsMemory) {
  MemoryFiles files;
  SeededRandom random(1);
  for (const uint64_t memory : {uint64_t{0}, uint64_t{10'000}, uint64_t{500'000}, UINT64_MAX}) {
    SpoolFolder folder(files, "spool", memory);
    std::vector<Spool> spools;
    std::vector<std::string> expected(40);
    for (size_t i = 0; i < expected.size(); ++i) spools.emplace_back(folder, 100'000);
    for (int step = 0; step < 2000; ++step) {
      const size_t i = random.below(spools.size());
      const std::string bytes(random.below(10) == 0 ? random.below(70'000) : random.below(3000),
                              static_cast<char>('a' + step % 26));
      if (random.below(3) == 0) spools[i].reserve(expected[i].size() + bytes.size());
      if (random.below(20) == 0) {
        spools[i].clear();
        expected[i].clear();
      }
      if (random.below(20) == 0) {
        Spool other(folder, 100'000);
        ASSERT_TRUE(other.append(expected[i]));
        spools[i] = std::move(other);
      }
      const std::span<char> room = spools[i].room();
      const size_t placed = random.below(2) == 0 ? std::min(room.size(), bytes.size()) : 0;
      bytes.copy(room.data(), placed);
      spools[i].filled(placed);
      ASSERT_TRUE(spools[i].append(std::string_view(bytes).substr(placed)));
      expected[i] += bytes;
      ASSERT_LE(folder.memory_used(), memory);
      ASSERT_EQ(spools[i].size(), expected[i].size());
      ASSERT_LE(spools[i].memory_view().size(), 100'000u);
    }
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(gathered(spools[i]) == expected[i]);
    if (memory > 0) {
      EXPECT_GT(folder.memory_used(), 0u);
    }
    spools.clear();
    EXPECT_EQ(folder.memory_used(), 0u);
  }
}

// What is small needs no file, whatever others hold.
TEST(Spool, AHeadIsAlwaysInMemory) {
  MemoryFiles files;
  SpoolFolder folder(files, "spool", 0);
  Spool spool(folder, 100'000);
  ASSERT_TRUE(spool.append(std::string(Spool::kAlways, 'x')));
  EXPECT_TRUE(spool.in_memory());
  EXPECT_FALSE(files.exists("spool"));
  ASSERT_TRUE(spool.append("y"));
  EXPECT_FALSE(spool.in_memory());
  EXPECT_EQ(gathered(spool), std::string(Spool::kAlways, 'x') + "y");
}

}  // namespace
}  // namespace caddis::io
