// Metadata files that are unpacked by requests, a share each, and by the server.
#include "caddis/harvestserver/unpacked_jobs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "caddis/base/random.h"
#include "caddis/harvest/job_records.h"
#include "caddis/io/memory_files.h"
#include "caddis/warc/writer.h"

namespace caddis::harvestserver {
namespace {

using ::testing::HasSubstr;

class UnpackedJobsTest : public ::testing::Test {
 protected:
  std::string metadata_file(int job, int lines) {
    const std::string path = fmt::format("/archive/{}-metadata-1.warc.gz", job);
    std::string log, bytes;
    for (int i = 0; i < lines; ++i)
      log += fmt::format("2026-01-02T03:04:05.000Z 404 10 http://a.example/{} E - - #1 - - - -\n", i);
    SeededRandom random(1);
    const auto fields =
        warc::RecordFields::resource(warc::record_id(random), "2026-01-02T03:04:05Z",
                                     "metadata://library.example/crawl/logs/crawl.log?harvestid=1", "text/plain");
    warc::append_record(bytes, fields, {log}, warc::Compression::small);
    EXPECT_TRUE(files.make_dirs("/archive"));
    EXPECT_TRUE(files.write_atomically(path, bytes));
    return path;
  }
  size_t missed_of(const harvest::UnpackedJob& job) {
    const auto page = harvest::missed_urls(files, job, {});
    EXPECT_TRUE(page) << page.error().message;
    return page ? page->urls.size() : 0;
  }

  io::MemoryFiles files;
};

TEST_F(UnpackedJobsTest, SmallOneIsThereAtOnce) {
  UnpackedJobs jobs(files, "/data/unpacked");
  const auto job = jobs.of(metadata_file(1, 10));
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(missed_of(*job), 10u);
  EXPECT_FALSE(jobs.step());
}

TEST_F(UnpackedJobsTest, LargeOneIsUnpackedInShares) {
  UnpackedJobs jobs(files, "/data/unpacked", 32, 100'000);
  const std::string path = metadata_file(1, 20'000);
  const auto first = jobs.of(path);
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().code, ErrorCode::timeout);
  EXPECT_THAT(first.error().message, HasSubstr("1-metadata-1.warc.gz is large, and is being unpacked"));
  while (jobs.step()) {
  }
  const auto job = jobs.of(path);
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(missed_of(*job), 1000u);
}

TEST_F(UnpackedJobsTest, LatestOnesAreKept) {
  std::string folder;
  {
    UnpackedJobs jobs(files, "/data/unpacked", 2);
    folder = jobs.of(metadata_file(1, 1))->folder;
    EXPECT_TRUE(jobs.of(metadata_file(2, 1)));
    EXPECT_TRUE(jobs.of(metadata_file(1, 1)));
  }
  UnpackedJobs jobs(files, "/data/unpacked", 2);
  EXPECT_TRUE(jobs.of(metadata_file(1, 1)));
  EXPECT_TRUE(jobs.of(metadata_file(3, 1)));
  EXPECT_TRUE(files.exists(folder));
  EXPECT_FALSE(files.exists("/data/unpacked/2-metadata-1.warc.gz"));
}

TEST_F(UnpackedJobsTest, OneThatIsNotThereIsTold) {
  UnpackedJobs jobs(files, "/data/unpacked");
  EXPECT_EQ(jobs.of("/archive/9-metadata-1.warc.gz").error().code, ErrorCode::not_found);
  EXPECT_FALSE(jobs.step());
}

}  // namespace
}  // namespace caddis::harvestserver
