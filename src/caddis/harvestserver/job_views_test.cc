// Jobs alone, as collections.
#include "caddis/harvestserver/job_views.h"

#include <gtest/gtest.h>

#include "caddis/collection/layout.h"
#include "caddis/collection/metadata.h"
#include "support/testdata.h"

namespace caddis::harvestserver {
namespace {

class JobViewsTest : public ::testing::Test {
 protected:
  JobViewsTest() {
    EXPECT_TRUE(files.make_dirs(folder / "archive/archive"));
    EXPECT_TRUE(files.make_dirs(folder / "archive/indexes"));
    EXPECT_TRUE(files.write_atomically(folder / "archive/archive/a.warc.gz", "records"));
    EXPECT_TRUE(files.write_atomically(folder / "archive/indexes/7-1.cdxj", "seven"));
    EXPECT_TRUE(views.begin());
  }
  std::string read(const std::string& name) {
    const auto text = files.read_all(folder / name, 1000);
    return text ? *text : text.error().message;
  }

  io::Files& files = io::real_files();
  testing::TempDir folder;
  JobViews views{files, folder.path()};
};

TEST_F(JobViewsTest, ShowOneJobOverTheArchiveOfAll) {
  EXPECT_EQ(views.show(7, "Job 7 of 'news'", {"7-1.cdxj"}).value(), "job-7");
  EXPECT_EQ(read("shown/job-7/indexes/7-1.cdxj"), "seven");
  EXPECT_EQ(read("shown/job-7/archive/a.warc.gz"), "records");
  EXPECT_EQ(read("shown/harvests/archive/a.warc.gz"), "records");
  const auto words = collection::read_metadata(files, collection::Layout(folder / "shown/job-7"));
  EXPECT_EQ(words.value().title(), "Job 7 of 'news'");
  EXPECT_EQ(views.show(7, "Job 7 of 'news'", {"7-1.cdxj"}).value(), "job-7");
}

TEST_F(JobViewsTest, RulesOfTheArchiveHoldAlsoIfTheyAreWrittenLater) {
  ASSERT_TRUE(views.show(7, "Job 7", {"7-1.cdxj"}));
  EXPECT_FALSE(files.exists(folder / "shown/job-7/access.yaml"));
  ASSERT_TRUE(files.write_atomically(folder / "archive/access.yaml", "rules"));
  EXPECT_EQ(read("shown/job-7/access.yaml"), "rules");
}

TEST_F(JobViewsTest, OnlyTheLatestAreKeptAndNoneOfAnEarlierServer) {
  for (int64_t job = 1; job <= 20; ++job) ASSERT_TRUE(views.show(job, "one", {"7-1.cdxj"}));
  ASSERT_TRUE(views.show(1, "one", {"7-1.cdxj"}));
  ASSERT_TRUE(views.show(21, "one", {"7-1.cdxj"}));
  EXPECT_TRUE(files.exists(folder / "shown/job-1"));
  EXPECT_FALSE(files.exists(folder / "shown/job-2"));
  EXPECT_TRUE(files.exists(folder / "shown/job-21"));
  JobViews next(files, folder.path());
  ASSERT_TRUE(next.begin());
  EXPECT_FALSE(files.exists(folder / "shown/job-21"));
  EXPECT_EQ(read("archive/archive/a.warc.gz"), "records") << "links are never followed";
}

}  // namespace
}  // namespace caddis::harvestserver
