#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/io/files.h"
#include "caddis/warc/writer.h"
#include "support/testdata.h"
#include "yardsticks/codecs.h"
#include "yardsticks/network.h"
#include "yardsticks/rows.h"
#include "yardsticks/stopwatch.h"

namespace yardsticks {
namespace {

using ::testing::Gt;

constexpr double kShort = 0.001;

TEST(Yardsticks, MakesPagesOfTheSizeAskedFor) {
  const Sample sample = made_sample({.page_size = 5000, .links = 10, .gzip = 0.5, .pages = 100});
  EXPECT_EQ(sample.documents, 100);
  EXPECT_EQ(sample.exchanges, 100);
  EXPECT_EQ(sample.records.size(), 300);
  EXPECT_EQ(sample.body_bytes, 100 * 5000);
  uint64_t coded = 0;
  for (const Record& record : sample.records) coded += record.is_coded ? 1 : 0;
  EXPECT_EQ(coded, 50);
}

TEST(Yardsticks, FilesWithoutAResponseAreRefused) {
  const caddis::testing::TempDir folder;
  const std::string path = folder / "empty.warc";
  ASSERT_TRUE(caddis::io::real_files().write_atomically(path, "nothing"));
  EXPECT_FALSE(sample_of_files({path}, 1 << 20));
  EXPECT_FALSE(sample_of_files({folder / "missing.warc"}, 1 << 20));
}

TEST(Yardsticks, TakesRecordsFromAllOverAFile) {
  const caddis::testing::TempDir folder;
  std::string archive;
  for (int i = 0; i < 400; ++i) {
    const std::string url = "http://example.org/" + std::to_string(i);
    const auto fields = caddis::warc::RecordFields::response("<urn:uuid:12345678-1234-4234-8234-123456789abc>",
                                                             "2026-01-02T03:04:05Z", url);
    const std::string block = "HTTP/1.1 200 OK\r\n\r\n" + std::string(1000, static_cast<char>('a' + i / 200));
    caddis::warc::append_record(archive, fields, {block}, caddis::warc::Compression::fast);
  }
  const std::string path = folder / "some.warc.gz";
  ASSERT_TRUE(caddis::io::real_files().write_atomically(path, archive));
  const auto sample = sample_of_files({path}, 100'000);
  ASSERT_TRUE(sample) << sample.error().message;
  uint64_t second_half = 0;
  for (const Record& record : sample->records) second_half += record.block.ends_with('b') ? 1 : 0;
  EXPECT_THAT(sample->documents, ::testing::AllOf(Gt(60), ::testing::Lt(200)));
  EXPECT_NEAR(static_cast<double>(second_half), static_cast<double>(sample->documents) / 2,
              static_cast<double>(sample->documents) / 8);
}

TEST(Yardsticks, MeasuresEveryCodec) {
  const caddis::testing::TempDir folder;
  const Sample sample = made_sample({.page_size = 5000, .pages = 20});
  const auto times = measure_codecs(sample, kShort, folder.path());
  ASSERT_TRUE(times) << times.error().message;
  for (const double seconds : {times->sha1, times->gzip_fast, times->gzip_small, times->gunzip, times->copy,
                               times->scan, times->decrypt, times->write})
    EXPECT_THAT(seconds, Gt(0));
  EXPECT_LT(times->small_bytes, times->fast_bytes);
  EXPECT_LT(times->fast_bytes, sample.raw_bytes);
}

TEST(Yardsticks, MeasuresTheNetwork) {
  const Sample sample = made_sample({.page_size = 300'000, .pages = 20});
  const auto times = measure_network(sample, {.connections = 4, .seconds = kShort});
  ASSERT_TRUE(times) << times.error().message;
  EXPECT_THAT(times->receive, Gt(0));
  EXPECT_THAT(times->send, Gt(0));
  EXPECT_THAT(times->connect, Gt(0));
  EXPECT_THAT(measure_handshake(kShort), Gt(0));
}

TEST(Yardsticks, MeasuresRowsAndLeavesNothing) {
  const caddis::testing::TempDir folder;
  const auto taken = measure_rows({.hosts = 10, .group_pages = 20, .seconds = kShort}, folder.path());
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_THAT(*taken, Gt(0));
  EXPECT_TRUE(caddis::io::real_files().list(folder.path())->empty());
}

TEST(Yardsticks, MedianIsTheMiddleOne) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({3, 1, 2}), 2);
}

}  // namespace
}  // namespace yardsticks
