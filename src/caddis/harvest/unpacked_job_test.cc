// Metadata files of jobs, unpacked: what they hold is found again, and a page of a large log costs no more than one of a small.
#include "caddis/harvest/unpacked_job.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/harvest/job_records.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/warc/writer.h"

namespace caddis::harvest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CountingFile final : public io::File {
 public:
  CountingFile(std::unique_ptr<io::File> file, uint64_t& read, uint64_t& written)
      : file_(std::move(file)), read_(read), written_(written) {}
  Result<size_t> read_at(uint64_t offset, char* buffer, size_t size) const override {
    auto got = file_->read_at(offset, buffer, size);
    if (got) read_ += *got;
    return got;
  }
  Result<void> append(std::string_view bytes) override {
    written_ += bytes.size();
    return file_->append(bytes);
  }
  Result<void> sync() override { return file_->sync(); }
  Result<void> truncate(uint64_t size) override { return file_->truncate(size); }
  Result<uint64_t> size() const override { return file_->size(); }

 private:
  const std::unique_ptr<io::File> file_;
  uint64_t& read_;
  uint64_t& written_;
};

class CountingFiles final : public io::MemoryFiles {
 public:
  Result<std::unique_ptr<io::File>> open_read(const std::string& path) override {
    TRY(auto file, io::MemoryFiles::open_read(path));
    return std::unique_ptr<io::File>(std::make_unique<CountingFile>(std::move(file), read, written));
  }
  Result<std::unique_ptr<io::File>> open_append(const std::string& path) override {
    TRY(auto file, io::MemoryFiles::open_append(path));
    return std::unique_ptr<io::File>(std::make_unique<CountingFile>(std::move(file), read, written));
  }
  uint64_t read = 0, written = 0;
};

class UnpackedJobTest : public ::testing::Test {
 protected:
  void add(const std::string& kind, const std::string& name, const std::string& text) {
    const std::string uri = fmt::format("metadata://library.example/crawl/{}/{}?harvestid=1&jobid=12", kind, name);
    const auto fields =
        warc::RecordFields::resource(warc::record_id(random_), "2026-01-02T03:04:05Z", uri, "text/plain");
    warc::append_record(bytes_, fields, {text}, compression);
  }
  // What was added without compression shares one gzip member.
  void pack_together() { bytes_ = io::gzip_member(bytes_, io::GzipEffort::fast); }
  void put_metadata_file() {
    EXPECT_TRUE(files.make_dirs("/archive"));
    EXPECT_TRUE(files.write_atomically(job.metadata_file, bytes_));
  }
  // Returns how many steps it took.
  int unpack(uint64_t bytes = uint64_t{1} << 20, size_t memory = size_t{1} << 20) {
    put_metadata_file();
    auto unpacker = JobUnpacker::begin(files, job, memory);
    EXPECT_TRUE(unpacker) << unpacker.error().message;
    for (int steps = 1;; ++steps) {
      const auto done = (*unpacker)->step(bytes);
      EXPECT_TRUE(done) << done.error().message;
      if (!done || *done) return steps;
      EXPECT_FALSE(is_unpacked(files, job));
    }
  }
  static std::string line(int second, int status, const std::string& url, const std::string& hops) {
    return fmt::format("2026-01-02T03:04:{:02}.000Z {:>5} 10 {} {} http://a.example/ text/html #1 - - - -\n", second,
                       status, url, hops);
  }
  std::vector<std::string> missed(bool with_links = false, const std::string& after = "", size_t limit = 1000) {
    MissedQuery query;
    query.with_links = with_links;
    query.after = after;
    query.limit = limit;
    const auto page = missed_urls(files, job, query);
    EXPECT_TRUE(page) << page.error().message;
    std::vector<std::string> urls;
    for (const MissedUrl& one : page->urls) urls.push_back(fmt::format("{} {} {}", one.url, one.status, one.hops));
    if (page->has_more) urls.emplace_back("…");
    return urls;
  }

  CountingFiles files;
  warc::Compression compression = warc::Compression::small;
  const UnpackedJob job{"/archive/12-metadata-1.warc.gz", "/unpacked/12-metadata-1.warc.gz"};

 private:
  std::string bytes_;
  SeededRandom random_{1};
};

TEST_F(UnpackedJobTest, HasRecordsAndTheirTexts) {
  add("setup", "seeds.txt", "http://a.example/\n");
  add("logs", "crawl.log", line(1, 200, "http://a.example/", "-"));
  add("reports", "crawl-report.txt", "Crawl Name: all\n");
  unpack();
  const auto records = list_records(files, job);
  ASSERT_TRUE(records);
  ASSERT_EQ(records->size(), 3u);
  EXPECT_EQ((*records)[1].kind, "logs");
  EXPECT_EQ((*records)[1].name, "crawl.log");
  const auto report = find_record(files, job, "reports", "crawl-report.txt");
  ASSERT_TRUE(report);
  EXPECT_EQ(read_job_record(files, job, *report, 100).value(), "Crawl Name: all\n");
  EXPECT_EQ(read_job_record(files, job, *report, 10).error().code, ErrorCode::limit);
  EXPECT_THAT(find_record(files, job, "logs", "uri-errors.log").error().message, HasSubstr("kept no log 'uri-errors"));
}

TEST_F(UnpackedJobTest, RecordsThatShareAMemberAreToldApart) {
  compression = warc::Compression::none;
  add("setup", "seeds.txt", "http://a.example/\n");
  add("reports", "seeds.txt", "a report of that name\n");
  add("reports", "crawl-report.txt", "Crawl Name: all\n");
  pack_together();
  unpack();
  const auto text_of = [&](std::string_view kind, std::string_view name) {
    const auto record = find_record(files, job, kind, name);
    EXPECT_TRUE(record);
    return record ? read_job_record(files, job, *record, 100) : std::unexpected(record.error());
  };
  EXPECT_EQ(text_of("setup", "seeds.txt").value(), "http://a.example/\n");
  EXPECT_EQ(text_of("reports", "seeds.txt").value(), "a report of that name\n");
  EXPECT_EQ(text_of("reports", "crawl-report.txt").value(), "Crawl Name: all\n");
  JobRecord other = find_record(files, job, "reports", "crawl-report.txt").value();
  other.name = "hosts-report.txt";
  EXPECT_EQ(read_job_record(files, job, other, 100).error().code, ErrorCode::corrupt);
}

TEST_F(UnpackedJobTest, TellsWhatWasMissedAndNotCapturedLater) {
  std::string older;
  older += line(1, 404, "http://a.example/gone.png", "E");
  older += line(2, 503, "http://a.example/later.png", "E");
  older += line(3, 404, "http://a.example/page", "L");
  older += line(4, -6, "http://a.example/robots.txt", "P");
  older += line(5, 404, "ftp://a.example/x.png", "E");
  std::string newer = line(6, 200, "http://a.example/later.png", "E");
  // One that was captured stays so, and of failures the last one is told.
  newer += line(7, 200, "http://a.example/kept.css", "E") + line(8, 500, "http://a.example/kept.css", "LX");
  newer += line(9, 503, "http://a.example/lost.css", "E") + line(10, 500, "http://a.example/lost.css", "LX");
  // The newer file of the log comes first, and the older one is packed.
  add("logs", "crawl.log.2", newer);
  add("logs", "crawl.log.gz", io::gzip_member(older, io::GzipEffort::fast));
  unpack(100);
  EXPECT_THAT(missed(), ElementsAre("http://a.example/gone.png 404 E", "http://a.example/lost.css 500 LX"));
  EXPECT_THAT(missed(true), ElementsAre("http://a.example/gone.png 404 E", "http://a.example/lost.css 500 LX",
                                        "http://a.example/page 404 L"));
  EXPECT_THAT(missed(true, "", 2),
              ElementsAre("http://a.example/gone.png 404 E", "http://a.example/lost.css 500 LX", "…"));
  EXPECT_THAT(missed(true, "http://a.example/lost.css", 2), ElementsAre("http://a.example/page 404 L"));
  LineQuery query;
  query.match = "gone";
  EXPECT_EQ(search_log(files, job, "crawl.log.gz", query)->lines.size(), 1u);
}

TEST_F(UnpackedJobTest, PageOfALargeLogReadsLittle) {
  constexpr int kLines = 50'000;
  std::string log;
  for (int i = 0; i < kLines; ++i)
    log += line(i % 60, i % 10 == 0 ? 404 : 200, fmt::format("http://a.example/{:06}.png", i), "E");
  ASSERT_GT(log.size(), 4u << 20);
  add("logs", "crawl.log", log);
  add("reports", "crawl-report.txt", "Crawl Name: all\n");
  EXPECT_GT(unpack(256 << 10), 10) << "in steps of a quarter of a MiB";

  constexpr uint64_t kLittle = 2 << 20;
  const auto cost = [&](auto ask) {
    files.read = 0;
    ask();
    return files.read;
  };
  LineQuery query;
  query.limit = 2;
  for (const uint64_t after : {0, 1, 1023, 1024, 1025, 30'001, kLines - 1}) {
    query.after = after;
    EXPECT_LT(cost([&] {
                const auto page = search_log(files, job, "crawl.log", query);
                ASSERT_TRUE(page);
                ASSERT_FALSE(page->lines.empty());
                EXPECT_THAT(page->lines[0], HasSubstr(fmt::format("/{:06}.png", after)));
                EXPECT_EQ(page->next.has_value(), after < kLines - 2);
              }),
              kLittle)
        << after;
  }
  EXPECT_LT(cost([&] { EXPECT_EQ(missed(false, "http://a.example/030000.png", 3).size(), 4u); }), kLittle);
  EXPECT_LT(cost([&] { EXPECT_TRUE(find_record(files, job, "reports", "crawl-report.txt")); }), kLittle);

  // A pattern that nothing has: each page looks through its share, and says where to go on.
  query = {};
  query.match = "nowhere";
  query.most_bytes = 256 << 10;
  int pages = 0;
  for (std::optional<uint64_t> next = 0; next; ++pages) {
    query.after = *next;
    EXPECT_LT(cost([&] {
                const auto page = search_log(files, job, "crawl.log", query);
                ASSERT_TRUE(page);
                EXPECT_TRUE(page->lines.empty());
                next = page->next;
              }),
              2 * kLittle);
  }
  EXPECT_GT(pages, 10);
  query.match = "/049999";
  query.most_bytes = uint64_t{64} << 20;
  query.after = 0;
  EXPECT_EQ(search_log(files, job, "crawl.log", query)->lines.size(), 1u);
}

TEST_F(UnpackedJobTest, FolderOfADeadProcessIsBegunAnew) {
  ASSERT_TRUE(files.make_dirs(job.folder));
  ASSERT_TRUE(files.write_atomically(job.folder + "/log-0.txt", "half"));
  add("logs", "crawl.log", line(1, 404, "http://a.example/gone.png", "E"));
  unpack();
  EXPECT_EQ(missed().size(), 1u);
  EXPECT_EQ(search_log(files, job, "crawl.log", {})->lines.size(), 1u);
  ASSERT_TRUE(forget_unpacked(files, job));
  EXPECT_FALSE(files.exists(job.folder));
}

TEST_F(UnpackedJobTest, LongLinesAreCut) {
  add("logs", "crawl.log", std::string(3 << 20, 'x') + "\nshort\n" + std::string(100, 'y'));
  unpack(1 << 16);
  LineQuery query;
  query.after = 1;
  EXPECT_THAT(search_log(files, job, "crawl.log", query)->lines, ElementsAre("short", std::string(100, 'y')));
}

TEST_F(UnpackedJobTest, NoStepDoesMuch) {
  std::string log;
  for (int i = 0; i < 60'000; ++i) log += line(i % 60, 404, fmt::format("http://a.example/{:06}.png", i), "E");
  add("logs", "crawl.log", log);
  put_metadata_file();
  auto unpacker = JobUnpacker::begin(files, job, 256 << 10);
  ASSERT_TRUE(unpacker) << unpacker.error().message;
  uint64_t total = 0, most = 0;
  for (bool is_done = false; !is_done;) {
    files.written = 0;
    const auto done = (*unpacker)->step(64 << 10);
    ASSERT_TRUE(done) << done.error().message;
    is_done = *done;
    EXPECT_EQ((*unpacker)->percent() == 100, is_done);
    total += files.written;
    most = std::max(most, files.written);
  }
  EXPECT_GT(total, 16u << 20);
  EXPECT_LT(most, 3u << 20) << "also where the lines are merged";
  EXPECT_THAT(missed(false, "", 1), ElementsAre("http://a.example/000000.png 404 E", "…"));
}

// The power goes at each operation in its turn, and at last when all is done.
TEST_F(UnpackedJobTest, WhatIsUnpackedSurvivesAPowerCutOrIsBegunAnew) {
  std::string log;
  for (int i = 0; i < 1500; ++i) log += line(i % 60, 404, fmt::format("http://a.example/{:06}.png", i), "E");
  add("logs", "crawl.log", log);
  add("logs", "uri-errors.log", "odd\n");
  put_metadata_file();
  int unpacked = 0;
  bool is_over = false;
  for (int cut = 1; !is_over; ++cut) {
    SCOPED_TRACE(fmt::format("cut {}", cut));
    int operations = 0;
    files.set_gate([&](io::MemoryFiles::Operation, const std::string&) -> Result<void> {
      return ++operations < cut ? Result<void>() : fail(ErrorCode::io, "no power");
    });
    if (auto unpacker = JobUnpacker::begin(files, job, 64 << 10)) {
      auto done = (*unpacker)->step(uint64_t{64} << 20);
      while (done && !*done) done = (*unpacker)->step(uint64_t{64} << 20);
      is_over = done.has_value();
    }
    files.set_gate({});
    SeededRandom random(static_cast<uint64_t>(cut));
    files.crash(random);
    EXPECT_TRUE(!is_over || is_unpacked(files, job));
    if (!is_unpacked(files, job)) continue;
    ++unpacked;
    EXPECT_EQ(missed(false, "", 5000).size(), 1500u);
    EXPECT_EQ(missed(true, "", 5000).size(), 1500u);
    LineQuery query;
    query.after = 1200;
    query.limit = 1000;
    const auto page = search_log(files, job, "crawl.log", query);
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_EQ(page->lines.size(), 300u);
    EXPECT_THAT(search_log(files, job, "uri-errors.log", {})->lines, ElementsAre("odd"));
    ASSERT_TRUE(forget_unpacked(files, job));
  }
  EXPECT_GE(unpacked, 1);
}

}  // namespace
}  // namespace caddis::harvest
