// How captures reach the disk: the names of their files, and what becomes of a group if disk or store fails.
#include "caddis/crawl/warc_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/collection/launch.h"
#include "caddis/commit/commit_group.h"
#include "caddis/commit/group_writer.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/io/memory_files.h"
#include "caddis/store/memory_kv.h"

namespace caddis::crawl {
namespace {

using commit::GroupWriter;
using testing::ElementsAre;
using Fate = GroupWriter::Fate;

class WarcWriterTest : public testing::Test {
 protected:
  WarcWriterTest() {
    settings_.name_template = "{prefix}-{serialno}";
    settings_.max_file_size = 1;  // a file for each capture
    EXPECT_TRUE(files_.make_dirs(launch_.archive()));
  }

  // A launch of a crawl that keeps `captures` in one group.
  GroupWriter::Outcome launch(int captures) {
    store::MemoryKvDisk disk;
    disk.set_gate([this, write = 0](const store::Batch&, store::Durability) mutable -> Result<void> {
      if (++write == failing_write_) return fail(ErrorCode::io, "the store is gone");
      return {};
    });
    const auto kv = std::move(*disk.open(family_names()));
    const auto streams = std::move(*store::StreamSet::open(files_, *kv, kStreams, "/c/orphans"));
    WarcWriter warc(
        {.folder = launch_.archive(), .settings = settings_, .provenance = {.hostname = "host"}, .pid = "1"}, clock_,
        random_);
    for (int i = 0; i < captures; ++i) {
      visit::Capture capture(io::Spool(spools_, 1 << 20));
      EXPECT_TRUE(capture.records.bytes.append("record"));
      warc.add(std::move(capture));
    }
    commit::CommitGroup group({.number = 1, .closes_files = true});
    warc.stage(group);
    GroupWriter writer(*streams, *kv);
    return writer.write(group);
  }
  std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const auto& entry : *files_.list(launch_.archive())) all.push_back(entry.name);
    return all;
  }

  io::MemoryFiles files_;
  io::SpoolFolder spools_{files_, "/c/spool"};
  ManualClock clock_;
  SeededRandom random_{1};
  const collection::Launch launch_{"/c", "crawl-20261121004500"};
  archive::ArchiveSettings settings_;
  int failing_write_ = 0;  // from 1
};

TEST_F(WarcWriterTest, ASecondCrawlPassesOverTheNamesOfTheFirst) {
  ASSERT_EQ(launch(2).fate, Fate::committed);
  ASSERT_THAT(names(), ElementsAre("WEB-00000.warc.gz", "WEB-00001.warc.gz"));
  const std::string first = *files_.read_all(launch_.archive() + "/WEB-00000.warc.gz");
  const auto second = launch(2);
  EXPECT_EQ(second.fate, Fate::committed) << second.error.message;
  EXPECT_THAT(names(), ElementsAre("WEB-00000.warc.gz", "WEB-00001.warc.gz", "WEB-00002.warc.gz", "WEB-00003.warc.gz"));
  EXPECT_EQ(*files_.read_all(launch_.archive() + "/WEB-00000.warc.gz"), first);
}

// Nobody knows what a store holds whose write failed: only dying and recovering tells.
TEST_F(WarcWriterTest, AFailingStoreEndsTheCrawlWhicheverWriteFails) {
  for (failing_write_ = 1; failing_write_ <= 2; ++failing_write_)
    EXPECT_EQ(launch(1).fate, Fate::unknown) << "write " << failing_write_;
}

TEST_F(WarcWriterTest, AFailingDiskDoesNot) {
  files_.inject_failure(io::MemoryFiles::Operation::append, 1, "WEB-");
  EXPECT_EQ(launch(1).fate, Fate::try_again);
}

}  // namespace
}  // namespace caddis::crawl
