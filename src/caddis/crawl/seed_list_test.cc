#include "caddis/crawl/seed_list.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "caddis/crawl/seed_intake.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"

namespace caddis::crawl {
namespace {

class SeedListTest : public ::testing::Test {
 protected:
  // In pieces of so many bytes, as a pipe gives them.
  static SeedSource source(std::string bytes, size_t piece = 1000) {
    return {"/where/it/was/a list.txt", [bytes = std::move(bytes), piece, at = size_t{0}]() mutable {
              const std::string next = bytes.substr(at, piece);
              at += next.size();
              return Result<std::string>(next);
            }};
  }
  std::string copied(const SeedSource& from) {
    const auto list = copy_seed_list(files_, launch_, from);
    return list ? *files_.read_all(list->path) : list.error().message;
  }

  io::MemoryFiles files_;
  collection::Launch launch_{"/c", "crawl-20260102030405"};
};

TEST_F(SeedListTest, IsCopiedWhole) {
  std::string lines;
  for (int i = 0; i < 30'000; ++i) lines += fmt::format("http://h{}.test/\n", i);
  EXPECT_EQ(copied(source(lines)), lines);
  const std::string half = lines.substr(0, lines.size() / 2);
  const std::string members =
      io::gzip_member(half, io::GzipEffort::fast) + io::gzip_member(lines.substr(half.size()), io::GzipEffort::fast);
  for (const size_t piece : {7u, 1000u, 10'000'000u}) EXPECT_EQ(copied(source(members, piece)), lines) << piece;
  EXPECT_EQ(copied(source("")), "");
  EXPECT_EQ(copied(source("a")), "a");
  const auto lists = seed_lists(files_, launch_);
  ASSERT_EQ(lists->size(), 6u);
  EXPECT_EQ(lists->front().file, "000001.a list.txt");
  EXPECT_EQ(lists->back().file, "000006.a list.txt");
  EXPECT_EQ(lists->back().shown, "a list.txt");
}

TEST_F(SeedListTest, IsNotThereInPart) {
  const std::string gzip = io::gzip_member("http://a.test/\nhttp://b.test/\n", io::GzipEffort::fast);
  EXPECT_TRUE(copied(source(gzip.substr(0, gzip.size() - 4))).contains("ends within a gzip member"));
  std::string damaged = gzip;
  damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 1);
  EXPECT_TRUE(copied(source(damaged)).contains("damaged gzip"));
  EXPECT_EQ(copied(source("http://a.test/\n" + std::string(100'001, 'x'))),
            "/where/it/was/a list.txt: line 2 is longer than 100 kB: this is no list of seeds");
  EXPECT_EQ(copied({"x", [] { return Result<std::string>(fail(ErrorCode::io, "the pipe broke")); }}), "the pipe broke");
  EXPECT_TRUE(seed_lists(files_, launch_)->empty());
  EXPECT_TRUE(files_.list(launch_.seed_lists())->empty());
}

TEST_F(SeedListTest, WhatADeathLeftIsRemoved) {
  ASSERT_TRUE(copy_seed_list(files_, launch_, source("http://a.test/\n")));
  const std::string part = launch_.seed_lists() + "/000002.a list.txt.part";
  ASSERT_TRUE(files_.write_atomically(part, "http://b.te"));
  ASSERT_TRUE(remove_unfinished_copies(files_, launch_.collection));
  EXPECT_FALSE(files_.exists(part));
  EXPECT_EQ(seed_lists(files_, launch_)->size(), 1u);
  EXPECT_TRUE(remove_unfinished_copies(files_, "/none"));
}

TEST_F(SeedListTest, IsReadInPartsFromAnyOfThem) {
  std::string lines;
  for (int i = 0; i < 20'000; ++i) lines += fmt::format("http://h{}.test/{}\n", i, std::string(i % 97, 'x'));
  lines += "http://last.test/";
  const SeedList list = *copy_seed_list(files_, launch_, source("\xef\xbb\xbf" + lines));
  EXPECT_EQ(*count_lines(files_, list), 20'001u);
  std::string all;
  uint64_t offset = 0;
  for (int parts = 0;; ++parts) {
    // As if each were read by another process.
    auto reader = SeedListReader::open(files_, list, offset);
    const std::string part(*reader->next());
    if (part.empty()) {
      EXPECT_GT(parts, 5);
      break;
    }
    EXPECT_LE(part.size(), SeedListReader::kPart);
    offset = reader->offset();
    EXPECT_EQ(part.ends_with('\n'), offset < lines.size() + 3);
    all += part;
  }
  EXPECT_EQ(all, lines);
  EXPECT_EQ(SeedListReader::open(files_, list, offset + 1).error().code, ErrorCode::corrupt);
}

TEST_F(SeedListTest, IsLookedAtUntilItTellsEnough) {
  const auto look = [&](const std::string& text, bool contact_missing) {
    return *look_at_seed_list(files_, *copy_seed_list(files_, launch_, source(text)), contact_missing);
  };
  EXPECT_FALSE(look("# none\ngopher://a.test/\n", true).has_seed);
  EXPECT_EQ(look("# none\ngopher://a.test/\n", true).problems.size(), 1u);
  EXPECT_TRUE(look("# a list\n- http://a.test/\n", true).problems.at(0).contains(":2: '- http://a.test/' is no seed"));
  EXPECT_TRUE(look("\n# one\nlocalhost:8080\n", true).only_loopback);
  EXPECT_FALSE(look("localhost\n127.0.0.1\nexample.org\n", true).only_loopback);
  EXPECT_TRUE(look("x y z\nexample.org\n", false).has_seed);
}

TEST_F(SeedListTest, ProgressIsARow) {
  const SeedListProgress progress{1'000'000'000'000, 5, 4, 3, 2, true, 6};
  EXPECT_EQ(write_seed_list_progress(progress), "1000000000000 5 4 3 2 1 6");
  EXPECT_EQ(*read_seed_list_progress("1000000000000 5 4 3 2 1 6"), progress);
  EXPECT_EQ(*read_seed_list_progress("1 5 4 3 2 1"), (SeedListProgress{1, 5, 4, 3, 2, true, 0})) << "an older one";
  for (const char* bad : {"", "1 2 3 4 5", "1 2 3 4 5 6 7 8", "1 2 -3 4 5 0", "a 2 3 4 5 0"})
    EXPECT_EQ(read_seed_list_progress(bad).error().code, ErrorCode::corrupt) << bad;
}

}  // namespace
}  // namespace caddis::crawl
