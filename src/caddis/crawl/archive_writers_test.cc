// How captures reach the disk: the names of their files, and what becomes of a group if disk or store fails.
#include "caddis/crawl/archive_writers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "caddis/collection/launch.h"
#include "caddis/commit/commit_group.h"
#include "caddis/commit/group_writer.h"
#include "caddis/crawl/index_journal.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/io/memory_files.h"
#include "caddis/store/memory_kv.h"

namespace caddis::crawl {
namespace {

using commit::GroupWriter;
using testing::ElementsAre;
using Fate = GroupWriter::Fate;

class ArchiveWritersTest : public testing::Test {
 protected:
  ArchiveWritersTest() {
    settings_.name_template = "{prefix}-{serialno}";
    settings_.max_file_size = 1;  // a file for each capture
    EXPECT_TRUE(files_.make_dirs(launch_.archive()));
  }

  // A process that writes groups of captures.
  class Session {
   public:
    explicit Session(ArchiveWritersTest& test) {
      disk_.set_gate([&test, write = 0](const store::Batch&, store::Durability) mutable -> Result<void> {
        if (++write == test.failing_write_) return fail(ErrorCode::io, "the store is gone");
        return {};
      });
      kv_ = std::move(*disk_.open(family_names()));
      streams_ = std::move(*store::StreamSet::open(test.files_, *kv_, kStreams, "/c/orphans"));
      writers_.emplace(ArchiveWriters::Options{.files = {.files = &test.files_, .collection = "/c", .pid = "1"},
                                               .form = {test.settings_, {.hostname = "host"}},
                                               .mirror_list = test.launch_.mirror_list()},
                       test.clock_, test.random_);
      EXPECT_TRUE(IndexJournal(test.launch_.cdx_journal()).open(*streams_));
      EXPECT_TRUE(writers_->open(*streams_));
    }
    void follow(const archive::ArchiveSettings& settings) { writers_->follow(settings, {.hostname = "host"}); }
    void add(visit::Capture capture) { writers_->add(std::move(capture)); }
    // Writes the group once more if it failed, as the committer does.
    GroupWriter::Outcome write(bool closes = true, int tries = 1) {
      commit::CommitGroup group({.number = ++groups_, .closes_files = closes});
      writers_->stage(group);
      GroupWriter writer(*streams_, *kv_);
      GroupWriter::Outcome outcome = writer.write(group);
      while (--tries > 0 && outcome.fate == Fate::try_again) outcome = writer.write(group);
      return outcome;
    }

    // Stages once, and writes it as often as it is called.
    GroupWriter::Outcome write_again(commit::CommitGroup& group) {
      if (group.writes().empty()) writers_->stage(group);
      return GroupWriter(*streams_, *kv_).write(group);
    }
    std::string row(std::string_view key) { return kv_->get(kMeta, key)->value_or(""); }

   private:
    store::MemoryKvDisk disk_;
    std::unique_ptr<store::Kv> kv_;
    std::unique_ptr<store::StreamSet> streams_;
    std::optional<ArchiveWriters> writers_;
    uint64_t groups_ = 0;
  };

  visit::Capture capture_of(std::string_view records) {
    visit::Capture capture(io::Spool(spools_, 1 << 20));
    EXPECT_TRUE(capture.records.bytes.append(records));
    capture.records.indexed_length = records.size();
    capture.url = "http://h.example/";
    capture.mime = "text/html";
    capture.status = 200;
    return capture;
  }
  void add_copy(visit::Capture& capture, size_t writer, std::string_view bytes, std::string path = {}) {
    visit::Written copy(io::Spool(spools_, 1 << 20));
    EXPECT_TRUE(copy.records.bytes.append(bytes));
    copy.writer = writer;
    copy.path = std::move(path);
    capture.copies.push_back(std::move(copy));
  }
  // A launch of a crawl that keeps `captures` in one group.
  GroupWriter::Outcome launch(int captures) {
    Session session(*this);
    for (int i = 0; i < captures; ++i) session.add(capture_of("record"));
    return session.write();
  }
  bool has(const std::string& path, std::string_view end) {
    const auto bytes = files_.read_all(path);
    return bytes && bytes->ends_with(end);
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

TEST_F(ArchiveWritersTest, ASecondCrawlPassesOverTheNamesOfTheFirst) {
  ASSERT_EQ(launch(2).fate, Fate::committed);
  ASSERT_THAT(names(), ElementsAre("WEB-00000.warc.gz", "WEB-00001.warc.gz"));
  const std::string first = *files_.read_all(launch_.archive() + "/WEB-00000.warc.gz");
  const auto second = launch(2);
  EXPECT_EQ(second.fate, Fate::committed) << second.error.message;
  EXPECT_THAT(names(), ElementsAre("WEB-00000.warc.gz", "WEB-00001.warc.gz", "WEB-00002.warc.gz", "WEB-00003.warc.gz"));
  EXPECT_EQ(*files_.read_all(launch_.archive() + "/WEB-00000.warc.gz"), first);
}

TEST_F(ArchiveWritersTest, AnotherPrefixBeginsAnotherFile) {
  settings_.max_file_size = 1 << 20;
  Session session(*this);
  for (const char* prefix : {"WEB", "NEW", "NEW"}) {
    settings_.prefix = prefix;
    session.follow(settings_);
    session.add(capture_of("record"));
    ASSERT_EQ(session.write(false).fate, Fate::committed);
  }
  session.add(capture_of("record"));
  ASSERT_EQ(session.write().fate, Fate::committed);
  EXPECT_THAT(names(), ElementsAre("NEW-00001.warc.gz", "WEB-00000.warc.gz"));
}

TEST(BegunFiles, AreKnownInACollectionThatWasMoved) {
  for (const auto& [path, moved] : {std::pair("/c/archive/x", "/d/archive/x"),
                                    {"/c/arcs/x", "/d/arcs/x"},
                                    {"/elsewhere/x", "/elsewhere/x"},
                                    {"/c2/x", "/c2/x"}})
    EXPECT_EQ(warcstore::begun_path("/d/archive", warcstore::kept_path("/c/archive", path)), moved);
}

// Nobody knows what a store holds whose write failed: only dying and recovering tells.
TEST_F(ArchiveWritersTest, AFailingStoreEndsTheCrawlWhicheverWriteFails) {
  for (failing_write_ = 1; failing_write_ <= 2; ++failing_write_)
    EXPECT_EQ(launch(1).fate, Fate::unknown) << "write " << failing_write_;
}

TEST_F(ArchiveWritersTest, AFailingDiskDoesNot) {
  files_.inject_failure(io::MemoryFiles::Operation::append, 1, "WEB-");
  EXPECT_EQ(launch(1).fate, Fate::try_again);
}

TEST_F(ArchiveWritersTest, EachWriterHasFilesOfItsOwn) {
  settings_.writers = {"warc", "arc, folder arcs, packing none, prefix OLD"};
  Session session(*this);
  visit::Capture capture = capture_of("warc-record");
  add_copy(capture, 1, "arc-record");
  session.add(std::move(capture));
  const auto outcome = session.write();
  ASSERT_EQ(outcome.fate, Fate::committed) << outcome.error.message;
  EXPECT_TRUE(has("/c/archive/WEB-00000.warc.gz", "warc-record"));
  EXPECT_TRUE(has("/c/arcs/OLD-00001.arc", "arc-record"));
  EXPECT_EQ(*files_.read_all("/c/archive-folders.txt"), "arcs\n") << "readers find it there";
  const std::string journal = *files_.read_all(launch_.cdx_journal());
  EXPECT_THAT(journal, testing::HasSubstr("\"filename\": \"WEB-00000.warc.gz\""));
  EXPECT_EQ(std::ranges::count(journal, '\n'), 1) << "a capture is indexed once";
}

TEST_F(ArchiveWritersTest, AnotherPrefixHasFilesOfItsOwn) {
  settings_.max_file_size = 1 << 20;
  Session session(*this);
  for (const std::string prefix : {"", "NEWS", "", "NEWS"}) {
    visit::Capture capture = capture_of("of " + prefix);
    capture.prefix = prefix;
    session.add(std::move(capture));
  }
  ASSERT_EQ(session.write().fate, Fate::committed);
  EXPECT_THAT(names(), ElementsAre("NEWS-00001.warc.gz", "WEB-00000.warc.gz"));
  EXPECT_TRUE(has("/c/archive/NEWS-00001.warc.gz", "of NEWSof NEWS"));
}

TEST_F(ArchiveWritersTest, NoTwoFilesHaveOneNameInDifferentFolders) {
  ASSERT_EQ(launch(2).fate, Fate::committed);
  settings_.folders = {"more"};
  ASSERT_EQ(launch(2).fate, Fate::committed);
  EXPECT_THAT(names(), ElementsAre("WEB-00000.warc.gz", "WEB-00001.warc.gz", "WEB-00002.warc.gz"));
  EXPECT_TRUE(files_.exists("/c/more/WEB-00003.warc.gz"));
}

TEST_F(ArchiveWritersTest, AnotherWriterIsIndexedIfTheFirstFails) {
  settings_.writers = {"warc, folder /disk2, on-failure go-on", "safe: warc"};
  files_.inject_failure(io::MemoryFiles::Operation::append, 1, "/disk2/");
  Session session(*this);
  visit::Capture capture = capture_of("first");
  add_copy(capture, 1, "second");
  capture.copies[0].records.indexed_length = 6;
  session.add(std::move(capture));
  ASSERT_EQ(session.write(true, 2).fate, Fate::committed);
  EXPECT_THAT(*files_.read_all(launch_.cdx_journal()), testing::HasSubstr("\"filename\": \"" + names().at(0)));
}

TEST_F(ArchiveWritersTest, FoldersTakeTurns) {
  settings_.folders = {"more", "/disk2"};
  ASSERT_EQ(launch(4).fate, Fate::committed);
  EXPECT_THAT(names(), ElementsAre("WEB-00000.warc.gz", "WEB-00003.warc.gz"));
  EXPECT_TRUE(files_.exists("/c/more/WEB-00001.warc.gz"));
  EXPECT_TRUE(files_.exists("/disk2/WEB-00002.warc.gz"));
}

TEST_F(ArchiveWritersTest, ALargeCaptureHasAFileOfItsOwn) {
  settings_.max_file_size = 1 << 20;
  settings_.own_file_above = 100;
  Session session(*this);
  const std::string large(101, 'L');
  for (const std::string& records : {std::string("a"), large, std::string("b"), large})
    session.add(capture_of(records));
  ASSERT_EQ(session.write().fate, Fate::committed);
  EXPECT_THAT(names(), ElementsAre("WEB-00000.warc.gz", "WEB-00001.warc.gz", "WEB-00002.warc.gz"));
  EXPECT_TRUE(has("/c/archive/WEB-00000.warc.gz", "ab"));
  EXPECT_TRUE(has("/c/archive/WEB-00001.warc.gz", large));
  EXPECT_TRUE(has("/c/archive/WEB-00002.warc.gz", large));
}

TEST_F(ArchiveWritersTest, OldFilesAreClosedThoughTheyAreSmall) {
  settings_.max_file_size = 1 << 20;
  settings_.max_file_age = std::chrono::hours(1);
  Session session(*this);
  session.add(capture_of("first"));
  ASSERT_EQ(session.write(false).fate, Fate::committed);
  EXPECT_THAT(names(), ElementsAre("WEB-00000.warc.gz.open"));
  clock_.advance(std::chrono::minutes(59));
  ASSERT_EQ(session.write(false).fate, Fate::committed);
  EXPECT_THAT(names(), ElementsAre("WEB-00000.warc.gz.open"));
  clock_.advance(std::chrono::minutes(1));
  ASSERT_EQ(session.write(false).fate, Fate::committed) << "no capture is needed for it";
  EXPECT_THAT(names(), ElementsAre("WEB-00000.warc.gz"));
}

TEST_F(ArchiveWritersTest, OneThatFailsIsLeftOutIfTheCrawlIsToGoOn) {
  settings_.writers = {"warc", "arc, folder /disk2, on-failure go-on"};
  for (const auto operation : {io::MemoryFiles::Operation::append, io::MemoryFiles::Operation::sync}) {
    files_.inject_failure(operation, 1, "/disk2/");
    Session session(*this);
    visit::Capture capture = capture_of("warc-record");
    add_copy(capture, 1, "arc-record");
    session.add(std::move(capture));
    const auto outcome = session.write(true, 2);
    EXPECT_EQ(outcome.fate, Fate::committed) << outcome.error.message;
    EXPECT_TRUE(files_.list("/disk2")->empty());
  }
  EXPECT_EQ(names().size(), 2u);
}

// The disk is gone: nothing can be read, written or taken back there.
TEST_F(ArchiveWritersTest, ADiskThatIsGoneEndsItsWriterAlone) {
  settings_.writers = {"warc", "arc, folder /disk2, on-failure go-on"};
  settings_.max_file_size = 1 << 20;
  Session session(*this);
  const auto keep = [&](std::string_view record) {
    visit::Capture capture = capture_of(record);
    add_copy(capture, 1, "arc-record");
    session.add(std::move(capture));
    return session.write(false, 3);
  };
  ASSERT_EQ(keep("one").fate, Fate::committed);
  files_.set_gate([](io::MemoryFiles::Operation, const std::string& path) -> Result<void> {
    return path.starts_with("/disk2") ? fail(ErrorCode::io, "Input/output error") : Result<void>();
  });
  for (const char* record : {"two", "three", "four"}) {
    const auto outcome = keep(record);
    ASSERT_EQ(outcome.fate, Fate::committed) << outcome.error.message;
  }
  EXPECT_EQ(session.row("writer-failed:arc"), "3 Input/output error");
  ASSERT_EQ(session.write(true).fate, Fate::committed);
  EXPECT_TRUE(has("/c/archive/WEB-00000.warc.gz", "onetwothreefour"));
}

TEST_F(ArchiveWritersTest, ADiskThatIsGoneBeforeItsFirstFileEndsItsWriterAlone) {
  settings_.writers = {"warc", "arc, folder /disk2, on-failure go-on"};
  files_.set_gate([](io::MemoryFiles::Operation operation, const std::string& path) -> Result<void> {
    const bool fails = path.starts_with("/disk2") && operation != io::MemoryFiles::Operation::make_dirs;
    return fails ? fail(ErrorCode::io, "Input/output error") : Result<void>();
  });
  Session session(*this);
  visit::Capture capture = capture_of("one");
  add_copy(capture, 1, "arc-record");
  session.add(std::move(capture));
  const auto outcome = session.write(true, 3);
  ASSERT_EQ(outcome.fate, Fate::committed) << outcome.error.message;
  EXPECT_EQ(session.row("writer-failed:arc"), "1 Input/output error");
  EXPECT_EQ(session.row("begun:1"), "/disk2/WEB-00001.arc.gz") << "should it be there after all, it is ours";
}

TEST_F(ArchiveWritersTest, AFileThatLosesItsNameEndsItsWriterAlone) {
  settings_.writers = {"warc", "arc, folder /disk2, on-failure go-on"};
  settings_.max_file_size = 1 << 20;
  Session session(*this);
  for (const char* record : {"one", "two"}) {
    visit::Capture capture = capture_of(record);
    add_copy(capture, 1, "arc-record");
    session.add(std::move(capture));
    ASSERT_EQ(session.write(false, 2).fate, Fate::committed);
    (void)files_.remove("/disk2/WEB-00001.arc.gz.open");
  }
  EXPECT_EQ(session.row("writer-failed:arc"),
            "1 /disk2/WEB-00001.arc.gz.open is not there any more: bring it back, with its disk or folder");
  EXPECT_TRUE(files_.list("/disk2")->empty());
}

TEST_F(ArchiveWritersTest, AWriterThatIsToPauseGoesOnWhenItsFileIsBack) {
  settings_.writers = {"warc, folder /disk2", "arc"};
  settings_.max_file_size = 1 << 20;
  const std::string path = "/disk2/WEB-00000.warc.gz.open";
  Session session(*this);
  session.add(capture_of("one"));
  ASSERT_EQ(session.write(false).fate, Fate::committed);
  ASSERT_TRUE(files_.make_dirs("/away"));
  ASSERT_TRUE(files_.rename(path, "/away/x"));
  session.add(capture_of("two"));
  commit::CommitGroup group({.number = 100, .closes_files = false});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(session.write_again(group).fate, Fate::try_again);
  EXPECT_FALSE(files_.exists(path));
  ASSERT_TRUE(files_.rename("/away/x", path));
  const auto outcome = session.write_again(group);
  ASSERT_EQ(outcome.fate, Fate::committed) << outcome.error.message;
  EXPECT_TRUE(has(path, "onetwo"));
}

TEST_F(ArchiveWritersTest, TheLastWriterWaitsWhateverItsPolicy) {
  settings_.writers = {"warc, on-failure go-on"};
  files_.inject_failure(io::MemoryFiles::Operation::append, 1, "WEB-");
  Session session(*this);
  session.add(capture_of("one"));
  ASSERT_EQ(session.write(true, 2).fate, Fate::committed);
  EXPECT_TRUE(has("/c/archive/WEB-00000.warc.gz", "one"));
  EXPECT_EQ(session.row("writer-failed:warc"), "");
}

TEST_F(ArchiveWritersTest, OneThatFailsEndsTheCrawlIfItIsTo) {
  settings_.writers = {"warc", "arc, folder /disk2, on-failure stop"};
  files_.inject_failure(io::MemoryFiles::Operation::append, 1, "/disk2/");
  Session session(*this);
  visit::Capture capture = capture_of("warc-record");
  add_copy(capture, 1, "arc-record");
  session.add(std::move(capture));
  EXPECT_EQ(session.write().fate, Fate::stop);
  EXPECT_TRUE(names().empty()) << "nothing of the group is there";
}

TEST_F(ArchiveWritersTest, AMirrorHasDocumentsAndAListOfThem) {
  settings_.writers = {"mirror"};
  Session session(*this);
  const auto add = [&](std::string_view document, const std::string& path) {
    visit::Capture capture(io::Spool(spools_, 1 << 20));
    capture.url = "http://h.example/" + path;
    add_copy(capture, 0, document, "h.example/" + path);
    session.add(std::move(capture));
  };
  add("a file", "a");
  add("below what is a file", "a/b");
  add("a folder is there", "a.dir");
  add("once more", "a");
  add("named like a folder", "x.dir");
  add("a file, too", "x");
  add("below both", "x/y");
  add("below", "z.file/y");
  add("below the other", "z/y");
  add("a file beside both", "z");
  const auto outcome = session.write();
  ASSERT_EQ(outcome.fate, Fate::committed) << outcome.error.message;
  EXPECT_EQ(*files_.read_all("/c/mirror/h.example/a"), "once more");
  EXPECT_EQ(*files_.read_all("/c/mirror/h.example/a.dir/b"), "below what is a file");
  EXPECT_EQ(*files_.read_all("/c/mirror/h.example/a.dir.file"), "a folder is there");
  const std::string list = *files_.read_all(launch_.mirror_list());
  EXPECT_EQ(*files_.read_all("/c/mirror/h.example/x.dir.dir/y"), "below both");
  EXPECT_EQ(*files_.read_all("/c/mirror/h.example/z.file.file"), "a file beside both");
  EXPECT_EQ(std::ranges::count(list, '\n'), 10);
  EXPECT_TRUE(list.starts_with("{\"path\":\"h.example/a\",\"url\":\"http://h.example/a\"")) << list;
  EXPECT_TRUE(names().empty()) << "there are no records";
}

}  // namespace
}  // namespace caddis::crawl
