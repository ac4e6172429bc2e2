#include "caddis/io/memory_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace caddis::io {
namespace {

using Operation = MemoryFiles::Operation;

std::string content(MemoryFiles& files, const std::string& path) {
  auto bytes = files.read_all(path);
  return bytes ? *bytes : "-";
}

// What is found at `path` after the power cuts of many seeds, each on a fresh disk prepared by `prepare`.
template <class Prepare>
std::set<std::string> outcomes(const std::string& path, Prepare prepare) {
  std::set<std::string> found;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    MemoryFiles files;
    prepare(files);
    SeededRandom random(seed);
    files.crash(random);
    found.insert(content(files, path));
  }
  return found;
}

TEST(MemoryFiles, KeepsWhatWasSyncedAndTearsTheRest) {
  const auto found = outcomes("d/a", [](MemoryFiles& files) {
    ASSERT_TRUE(files.make_dirs("d"));
    auto file = files.open_append("d/a");
    ASSERT_TRUE((*file)->append("safe"));
    ASSERT_TRUE((*file)->sync());
    ASSERT_TRUE(files.sync_dir("d"));
    ASSERT_TRUE((*file)->append("xy"));
    ASSERT_TRUE((*file)->append("z"));
  });
  EXPECT_EQ(found, (std::set<std::string>{"safe", "safex", "safexy", "safexyz"}));
}

TEST(MemoryFiles, NamesNeedTheirFolderSynced) {
  const auto found = outcomes("a", [](MemoryFiles& files) {
    auto file = files.open_append("a");
    ASSERT_TRUE((*file)->append("x"));
    ASSERT_TRUE((*file)->sync());
  });
  EXPECT_EQ(found, (std::set<std::string>{"-", "x"}));
}

TEST(MemoryFiles, ATruncationMayBeForgotten) {
  const auto found = outcomes("a", [](MemoryFiles& files) {
    ASSERT_TRUE(files.write_atomically("a", "abcd"));
    auto file = files.open_append("a");
    ASSERT_TRUE((*file)->truncate(2));
    ASSERT_TRUE((*file)->append("Z"));
  });
  EXPECT_EQ(found, (std::set<std::string>{"abcd", "ab", "abZ"}));
}

TEST(MemoryFiles, NameChangesOfAFolderSurviveInOrder) {
  std::set<std::string> found;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    MemoryFiles files;
    for (const char* name : {"1", "2", "3"}) ASSERT_TRUE(files.open_append(name));
    SeededRandom random(seed);
    files.crash(random);
    std::string names;
    for (const auto& entry : *files.list(".")) names += entry.name;
    found.insert(names);
  }
  EXPECT_EQ(found, (std::set<std::string>{"", "1", "12", "123"}));
}

TEST(MemoryFiles, ARenameBetweenFoldersIsAtomic) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    MemoryFiles files;
    ASSERT_TRUE(files.make_dirs("a") && files.make_dirs("b"));
    ASSERT_TRUE(files.write_atomically("a/x", "1"));
    ASSERT_TRUE(files.open_append("b/other"));
    ASSERT_TRUE(files.rename("a/x", "b/x"));
    ASSERT_TRUE(files.open_append("a/later"));
    SeededRandom random(seed);
    if (seed % 2 == 1) ASSERT_TRUE(files.sync_dir(seed % 4 == 1 ? "a" : "b"));
    files.crash(random);
    EXPECT_NE(files.exists("a/x"), files.exists("b/x"));
    if (seed % 2 == 1) {
      EXPECT_TRUE(files.exists("b/x"));
      EXPECT_TRUE(files.exists("b/other"));
    }
  }
}

TEST(MemoryFiles, WritingAtomicallyGivesOldOrNew) {
  for (uint64_t cut = 1; cut < 12; ++cut) {
    MemoryFiles files;
    ASSERT_TRUE(files.write_atomically("a", "old"));
    uint64_t operations = 0;
    files.set_gate([&](Operation, const std::string&) -> Result<void> {
      return ++operations < cut ? Result<void>() : fail(ErrorCode::io, "no power");
    });
    const bool done = files.write_atomically("a", "new").has_value();
    files.set_gate(nullptr);
    SeededRandom random(cut);
    files.crash(random);
    EXPECT_THAT(content(files, "a"), ::testing::AnyOf("new", done ? "new" : "old"));
  }
}

TEST(MemoryFiles, AFailedSyncLosesBytesForGood) {
  const auto found = outcomes("a", [](MemoryFiles& files) {
    ASSERT_TRUE(files.write_atomically("a", "safe"));
    auto file = files.open_append("a");
    ASSERT_TRUE((*file)->append("xy"));
    files.inject_failure(Operation::sync);
    EXPECT_FALSE((*file)->sync());
    EXPECT_EQ(content(files, "a"), "safexy");
    EXPECT_TRUE((*file)->sync());  // the lie of the kernel
  });
  EXPECT_EQ(found, (std::set<std::string>{"safe", std::string("safe\0", 5), std::string("safe\0\0", 6)}));
}

TEST(MemoryFiles, FailuresAreInjectedByKindCountAndPath) {
  MemoryFiles files;
  auto a = files.open_append("a");
  auto b = files.open_append("b");
  files.inject_failure(Operation::append, 2, "a");
  EXPECT_TRUE((*a)->append("12"));
  EXPECT_TRUE((*b)->append("12"));
  EXPECT_TRUE((*b)->append("12"));
  EXPECT_FALSE((*a)->append("34"));
  EXPECT_EQ(content(files, "a"), "123");
  EXPECT_TRUE((*a)->append("4"));
  files.inject_failure(Operation::rename);
  EXPECT_FALSE(files.rename("a", "c"));
  EXPECT_TRUE(files.rename("a", "c"));
}

TEST(MemoryFiles, AFullDiskTakesWhatFits) {
  MemoryFiles files;
  auto file = files.open_append("a");
  files.set_free_space(5);
  EXPECT_TRUE((*file)->append("123"));
  EXPECT_EQ(*files.free_space("."), 2u);
  EXPECT_FALSE((*file)->append("456"));
  EXPECT_EQ(content(files, "a"), "12345");
  EXPECT_TRUE(files.remove("a"));
  EXPECT_EQ(*files.free_space("."), 0u) << "it is still open";
  file->reset();
  EXPECT_EQ(*files.free_space("."), 5u);
}

TEST(MemoryFiles, ALyingDiskLosesSyncedBytes) {
  MemoryFiles files;
  ASSERT_TRUE(files.write_atomically("a", "12345"));
  ASSERT_TRUE(files.lose_synced_tail("a", 3));
  SeededRandom random(1);
  files.crash(random);
  EXPECT_EQ(content(files, "a"), "12");
}

TEST(MemoryFiles, WhatWasOpenIsDeadAfterwards) {
  MemoryFiles files;
  auto file = files.open_append("a");
  auto lock = files.lock("lock", "me");
  ASSERT_TRUE(lock);
  SeededRandom random(1);
  files.crash(random);
  EXPECT_EQ((*file)->append("x").error().code, ErrorCode::closed);
  auto again = files.lock("lock", "me again");
  ASSERT_TRUE(again);
  lock->reset();  // of the dead process: must not free the new one's
  EXPECT_FALSE(files.lock("lock", "somebody"));
}

TEST(MemoryFiles, TheSameSeedGivesTheSameDisk) {
  const auto run = [](uint64_t seed) {
    MemoryFiles files;
    SeededRandom random(seed);
    std::string all;
    for (int round = 0; round < 5; ++round) {
      for (int i = 0; i < 10; ++i) {
        auto file = files.open_append("f" + std::to_string(random.below(20)));
        EXPECT_TRUE((*file)->append(std::string(random.below(9), 'x')));
        if (random.below(3) == 0) EXPECT_TRUE((*file)->sync());
      }
      files.crash(random);
      for (const auto& entry : *files.list(".")) all += entry.name + std::to_string(entry.size) + " ";
    }
    return all;
  };
  EXPECT_EQ(run(7), run(7));
  EXPECT_NE(run(7), run(8));
}

}  // namespace
}  // namespace caddis::io
