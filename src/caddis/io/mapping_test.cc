// Mapped files, stamps, checksums and small blocks.
#include "caddis/io/mapping.h"

#include <gtest/gtest.h>

#include "caddis/io/checksum.h"
#include "caddis/io/file_stamp.h"
#include "caddis/io/memory_files.h"
#include "caddis/io/small_blocks.h"
#include "support/testdata.h"

namespace caddis::io {
namespace {

void put(Files& files, const std::string& path, std::string_view bytes) {
  auto file = files.open_append(path);
  ASSERT_TRUE(file && (*file)->append(bytes));
}

TEST(Mapping, HoldsTheBytesOfAFileOfTheSystem) {
  const testing::TempDir folder;
  put(real_files(), folder / "x", "some bytes");
  const auto mapping = map_file(real_files(), folder / "x");
  ASSERT_TRUE(mapping) << mapping.error().message;
  ASSERT_TRUE(real_files().remove(folder / "x"));
  EXPECT_EQ((*mapping)->bytes(), "some bytes");
}

TEST(Mapping, HoldsNothingOfAnEmptyFile) {
  const testing::TempDir folder;
  put(real_files(), folder / "x", "");
  const auto mapping = map_file(real_files(), folder / "x");
  ASSERT_TRUE(mapping);
  EXPECT_EQ((*mapping)->bytes(), "");
}

TEST(Mapping, ReadsFilesInMemory) {
  MemoryFiles files;
  put(files, "x", "in memory");
  const auto mapping = map_file(files, "x");
  ASSERT_TRUE(mapping);
  EXPECT_EQ((*mapping)->bytes(), "in memory");
}

TEST(Mapping, RefusesWhatIsNoFile) {
  const testing::TempDir folder;
  EXPECT_EQ(map_file(real_files(), folder / "absent").error().code, ErrorCode::not_found);
  EXPECT_EQ(map_file(real_files(), folder.path()).error().code, ErrorCode::unsupported);
}

TEST(FileStamp, ChangesWithTheFile) {
  const testing::TempDir folder;
  put(real_files(), folder / "x", "one");
  const auto before = stamp_of(real_files(), folder / "x");
  ASSERT_TRUE(before);
  EXPECT_EQ(before->size, 3U);
  EXPECT_GT(before->modified.time_since_epoch().count(), 0);
  put(real_files(), folder / "x", "two");
  EXPECT_NE(*stamp_of(real_files(), folder / "x"), *before);
  EXPECT_FALSE(stamp_of(real_files(), folder / "absent"));
}

TEST(FileStamp, HasNoTimeInMemory) {
  MemoryFiles files;
  put(files, "x", "1234");
  EXPECT_EQ(*stamp_of(files, "x"), (FileStamp{4, WallTime()}));
}

TEST(Checksum, IsTheOneOfGzip) {
  EXPECT_EQ(crc32("123456789"), 0xcbf43926U);
  EXPECT_EQ(crc32("6789", crc32("12345")), crc32("123456789"));
}

std::string block(int number) {
  std::string text;
  for (int i = 0; i < 16; ++i)
    text += "www.site" + std::to_string(number * 7919 % 1000) + ".example/articles/" + std::to_string(number * 31 + i);
  return text;
}

TEST(SmallBlocks, ComeBackWithAndWithoutADictionary) {
  std::vector<std::string> samples;
  for (int i = 0; i < 500; ++i) samples.push_back(block(i));
  const std::string trained = train_dictionary(samples, 4096);
  ASSERT_FALSE(trained.empty());
  size_t with = 0, without = 0;
  for (const std::string& dictionary : {trained, std::string()}) {
    BlockCompressor compressor(dictionary);
    const BlockDecompressor decompressor(dictionary);
    for (int i = 1000; i < 1010; ++i) {
      std::string frame;
      compressor.append(frame, block(i));
      (dictionary.empty() ? without : with) += frame.size();
      const auto back = decompressor.decompress(frame, 1 << 20);
      ASSERT_TRUE(back) << back.error().message;
      EXPECT_EQ(*back, block(i));
    }
  }
  EXPECT_LT(with, without);
}

TEST(SmallBlocks, AreRefusedWhenDamagedOrTooLarge) {
  BlockCompressor compressor({});
  const BlockDecompressor decompressor({});
  std::string frame;
  compressor.append(frame, std::string(10000, 'x') + block(1));
  EXPECT_EQ(decompressor.decompress(frame, 9999).error().code, ErrorCode::corrupt);
  EXPECT_EQ(decompressor.decompress(frame.substr(0, frame.size() - 1), 1 << 20).error().code, ErrorCode::corrupt);
  EXPECT_EQ(decompressor.decompress("no frame at all", 1 << 20).error().code, ErrorCode::corrupt);
  EXPECT_EQ(decompressor.decompress("", 1 << 20).error().code, ErrorCode::corrupt);
}

TEST(SmallBlocks, FewSamplesMakeNoDictionary) { EXPECT_EQ(train_dictionary({"one", "two"}, 4096), ""); }

}  // namespace
}  // namespace caddis::io
