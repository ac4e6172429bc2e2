// Metadata files that are unpacked by requests, a share each, and by the server.
#include "caddis/harvestserver/unpacked_jobs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "caddis/base/random.h"
#include "caddis/harvest/job_records.h"
#include "caddis/io/memory_files.h"
#include "caddis/warc/writer.h"

namespace caddis::harvestserver {
namespace {

using ::testing::HasSubstr;

// Something is done when a file is opened for writing.
class HookedFiles final : public io::MemoryFiles {
 public:
  Result<std::unique_ptr<io::File>> open_append(const std::string& path) override {
    if (at_open && path.find("log-0.txt") != std::string::npos) std::exchange(at_open, {})();
    return io::MemoryFiles::open_append(path);
  }
  Result<void> remove(const std::string& path) override {
    if (at_removal && path.ends_with("records")) std::exchange(at_removal, {})();
    return io::MemoryFiles::remove(path);
  }
  std::function<void()> at_open, at_removal;
};

UnpackedLimits limits_of(size_t jobs, uint64_t share = uint64_t{256} << 20, uint64_t bytes = uint64_t{64} << 30) {
  UnpackedLimits limits;
  limits.jobs = jobs;
  limits.share = share;
  limits.bytes = bytes;
  return limits;
}

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

  // In a thread of its own, and to its end.
  static Error error_of(UnpackedJobs& jobs, const std::string& path) {
    Error error;
    std::thread other([&] {
      if (const auto job = jobs.of(path); !job) error = job.error();
    });
    other.join();
    return error;
  }
  static std::string folder_of(int job) { return fmt::format("/data/unpacked/{}-metadata-1.warc.gz", job); }

  HookedFiles files;
};

TEST_F(UnpackedJobsTest, SmallOneIsThereAtOnce) {
  UnpackedJobs jobs(files, "/data/unpacked");
  const auto job = jobs.of(metadata_file(1, 10));
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(missed_of(*job), 10u);
  EXPECT_FALSE(jobs.step());
}

TEST_F(UnpackedJobsTest, LargeOneIsUnpackedInShares) {
  UnpackedJobs jobs(files, "/data/unpacked", limits_of(32, 100'000));
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
    UnpackedJobs jobs(files, "/data/unpacked", limits_of(2));
    folder = jobs.of(metadata_file(1, 1))->folder;
    EXPECT_TRUE(jobs.of(metadata_file(2, 1)));
    EXPECT_TRUE(jobs.of(metadata_file(1, 1)));
  }
  UnpackedJobs jobs(files, "/data/unpacked", limits_of(2));
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

TEST_F(UnpackedJobsTest, NobodyWaitsForWhoUnpacks) {
  UnpackedJobs jobs(files, "/data/unpacked");
  const std::string path = metadata_file(1, 10);
  Error error;
  bool is_more = false;
  files.at_open = [&] {
    error = error_of(jobs, path);
    std::thread server([&] { is_more = jobs.step(); });
    server.join();
  };
  const auto job = jobs.of(path);
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(error.code, ErrorCode::timeout);
  EXPECT_THAT(error.message, HasSubstr("is being unpacked (0 %): ask again"));
  EXPECT_TRUE(is_more);
  EXPECT_EQ(missed_of(*job), 10u);
}

TEST_F(UnpackedJobsTest, NobodyGetsWhatIsBeingRemoved) {
  UnpackedJobs jobs(files, "/data/unpacked", limits_of(1));
  const std::string path = metadata_file(1, 10);
  ASSERT_TRUE(jobs.of(path));
  Error error;
  files.at_removal = [&] { error = error_of(jobs, path); };
  ASSERT_TRUE(jobs.of(metadata_file(2, 10)));
  EXPECT_EQ(error.code, ErrorCode::timeout);
  EXPECT_FALSE(files.exists(folder_of(1)));
  EXPECT_FALSE(jobs.step());
  const auto job = jobs.of(path);
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(missed_of(*job), 10u);
}

TEST_F(UnpackedJobsTest, NothingIsRemovedThatIsReadOrUnpacked) {
  UnpackedJobs jobs(files, "/data/unpacked", limits_of(1, 100'000));
  const std::string large = metadata_file(1, 20'000);
  EXPECT_EQ(jobs.of(large).error().code, ErrorCode::timeout);
  {
    const auto read = jobs.of(metadata_file(2, 10));
    ASSERT_TRUE(read);
    EXPECT_TRUE(jobs.of(metadata_file(3, 10)));
    EXPECT_EQ(missed_of(*read), 10u);
    EXPECT_TRUE(files.exists(folder_of(1)));
  }
  while (jobs.step()) {
  }
  EXPECT_FALSE(files.exists(folder_of(2)));
  EXPECT_FALSE(files.exists(folder_of(3)));
  const auto job = jobs.of(large);
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(missed_of(*job), 1000u);
}

TEST_F(UnpackedJobsTest, TakeNoMoreBytesThanTheyMay) {
  UnpackedJobs jobs(files, "/data/unpacked", limits_of(32, uint64_t{1} << 30, 400'000));
  for (const int job : {1, 2}) ASSERT_TRUE(jobs.of(metadata_file(job, 1000)));
  EXPECT_TRUE(files.exists(folder_of(1))) << "about 100 kB";
  ASSERT_TRUE(jobs.of(metadata_file(3, 20'000)));
  EXPECT_FALSE(files.exists(folder_of(1)));
  EXPECT_FALSE(files.exists(folder_of(2)));
  EXPECT_TRUE(files.exists(folder_of(3))) << "the last one stays";
}

TEST_F(UnpackedJobsTest, HalvesOfADeadProcessAreRemoved) {
  ASSERT_TRUE(files.make_dirs(folder_of(1)));
  ASSERT_TRUE(files.write_atomically(folder_of(1) + "/log-0.txt", "half"));
  UnpackedJobs jobs(files, "/data/unpacked");
  EXPECT_FALSE(files.exists(folder_of(1)));
}

TEST_F(UnpackedJobsTest, AreNotBegunOnAFullDisk) {
  UnpackedJobs jobs(files, "/data/unpacked");
  const std::string path = metadata_file(1, 1000), other = metadata_file(2, 20'000), small = metadata_file(3, 1);
  files.set_free_space(1000);
  const auto job = jobs.of(path);
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().code, ErrorCode::no_space);
  EXPECT_THAT(job.error().message, HasSubstr("when it is unpacked, and the disk of /data/unpacked has 1000 left"));
  EXPECT_FALSE(files.exists(folder_of(1)));
  EXPECT_FALSE(jobs.step());
  // Older ones make room.
  files.set_free_space(uint64_t{1} << 30);
  ASSERT_TRUE(jobs.of(other));
  files.set_free_space(100);
  EXPECT_TRUE(jobs.of(small));
  EXPECT_FALSE(files.exists(folder_of(2)));
}

TEST_F(UnpackedJobsTest, FailureLeavesNothing) {
  UnpackedJobs jobs(files, "/data/unpacked");
  const std::string path = metadata_file(1, 1000);
  files.inject_failure(io::MemoryFiles::Operation::sync, 1, "log-0.txt");
  EXPECT_EQ(jobs.of(path).error().code, ErrorCode::io);
  EXPECT_FALSE(files.exists(folder_of(1)));
  EXPECT_FALSE(jobs.step());
  EXPECT_TRUE(jobs.of(path));
}

}  // namespace
}  // namespace caddis::harvestserver
