#include "caddis/harvest/archived_jobs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "caddis/base/random.h"
#include "caddis/io/memory_files.h"
#include "caddis/warc/writer.h"

namespace caddis::harvest {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class ArchivedJobs : public ::testing::Test {
 protected:
  ArchivedJobs() {
    for (const std::string& folder : layout.folders()) EXPECT_TRUE(files.make_dirs(folder));
  }
  void put(const std::string& path) { EXPECT_TRUE(files.write_atomically(path, bytes_)); }
  void add(const std::string& path, const std::string& text) {
    const auto fields = warc::RecordFields::resource(warc::record_id(random_), "2026-01-02T03:04:05Z",
                                                     "metadata://library.example/crawl/" + path, "text/plain");
    warc::append_record(bytes_, fields, {text}, warc::Compression::small);
  }
  std::vector<std::string> names(const std::string& folder) {
    std::vector<std::string> found;
    for (const auto& entry : *files.list(folder)) found.push_back(entry.name);
    return found;
  }

  io::MemoryFiles files;
  const collection::Layout layout{"/archive"};

 private:
  std::string bytes_;
  SeededRandom random_{1};
};

TEST_F(ArchivedJobs, AreFoundByTheirMetadataFiles) {
  EXPECT_THAT(*archived_jobs(files, layout), IsEmpty());
  EXPECT_THAT(*archived_jobs(files, collection::Layout("/nothing")), IsEmpty());
  for (const char* name : {"12-metadata-1.warc.gz", "library-3-metadata-1.warc", "x-metadata-1.warc.gz",
                           "12-1-2026.warc.gz", "4-metadata-1.warc.gz.open"})
    put(layout.archive() + "/" + name);
  put(layout.indexes() + "/12-20260101000000.cdxj");
  put(layout.indexes() + "/121-20260101000000.cdxj");
  const auto jobs = *archived_jobs(files, layout);
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].number, 3);
  EXPECT_EQ(jobs[0].launch, "3") << "it has no index";
  EXPECT_EQ(jobs[1].launch, "12-20260101000000");
  EXPECT_THAT(jobs[1].metadata_files, ElementsAre("/archive/archive/12-metadata-1.warc.gz"));
}

TEST_F(ArchivedJobs, AreOneHoweverManyMetadataFilesTheyHave) {
  add("logs/crawl.log?jobid=12", "first");
  put(layout.archive() + "/12-metadata-2.warc");
  add("logs/crawl.log.1?jobid=12", "second");
  add("reports/hosts-report.txt?jobid=12", "[hosts]");
  put(layout.archive() + "/12-metadata-10.warc");
  put(layout.archive() + "/3-metadata-1.warc");
  const auto jobs = *archived_jobs(files, layout);
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[1].number, 12);
  EXPECT_THAT(jobs[1].metadata_files,
              ElementsAre("/archive/archive/12-metadata-2.warc", "/archive/archive/12-metadata-10.warc"))
      << "by what their names count, not by letters";
  const auto launch = lay_out_launch(files, jobs[1], "/out", [](std::string_view, std::string_view) { return true; });
  ASSERT_TRUE(launch) << launch.error().message;
  EXPECT_THAT(names(launch->logs()), UnorderedElementsAre("crawl.log", "crawl.log.1"));
  EXPECT_EQ(*files.read_all(launch->crawl_log()), "first") << "both files have it, and it is told once";
  EXPECT_THAT(names(launch->reports()), ElementsAre("hosts-report.txt"));
}

TEST_F(ArchivedJobs, AreLaidOutAsLaunches) {
  const std::string large(3 << 20, 'x');
  add("setup/seeds.txt?jobid=12", "http://a.example/");
  add("logs/crawl.log?jobid=12", large);
  add("logs/crawl.log.2.gz?jobid=12", "packed");
  add("logs/http.jsonl?jobid=12", "{}");
  add("logs/../../../escaped?jobid=12", "no");
  add("logs/.hidden?jobid=12", "no");
  add("reports/hosts-report.txt?jobid=12", "[hosts]");
  add("logs/crawl.log?jobid=12", "a second of that name");
  put(layout.archive() + "/12-metadata-1.warc.gz");
  const auto job = archived_jobs(files, layout)->front();
  const auto wanted = [](std::string_view, std::string_view name) { return name != "http.jsonl"; };
  const auto launch = lay_out_launch(files, job, "/out", wanted);
  ASSERT_TRUE(launch) << launch.error().message;
  EXPECT_EQ(launch->name, "12");
  EXPECT_THAT(names(launch->logs()), UnorderedElementsAre("crawl.log", "crawl.log.2.gz"));
  EXPECT_THAT(names(launch->reports()), ElementsAre("hosts-report.txt"));
  EXPECT_EQ(*files.read_all(launch->crawl_log()), large);
  EXPECT_FALSE(lay_out_launch(files, {13, "13", {"/archive/13-metadata-1.warc.gz"}}, "/other", wanted));
}

}  // namespace
}  // namespace caddis::harvest
