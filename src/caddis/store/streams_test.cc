#include "caddis/store/streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/base/strings.h"
#include "caddis/io/memory_files.h"
#include "caddis/store/memory_kv.h"
#include "caddis/store/stream_repair.h"
#include "caddis/store/stream_row.h"

namespace caddis::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Operation = io::MemoryFiles::Operation;

class CountingFiles : public io::MemoryFiles {
 public:
  Result<std::vector<io::DirectoryEntry>> list(const std::string& path) override {
    ++lists;
    return MemoryFiles::list(path);
  }
  uint64_t lists = 0;
};

// One process on one disk; `reboot` kills it, with or without a power cut, and starts the next.
class Streams : public ::testing::Test {
 protected:
  Streams() { EXPECT_THAT(start().orphans, IsEmpty()); }

  // Returns the plan, which was applied unless a repair is needed.
  StreamPlan start() {
    set.reset();
    kv.reset();
    kv = std::move(*disk.open({"streams"}));
    set = std::move(*StreamSet::open(files, *kv, 0, "/c/state/orphans", "/c"));
    const auto inspect = [&] {
      return *set->inspect({"/c/archive", "/c/logs"}, [](std::string_view path) { return path.ends_with(".keep"); });
    };
    const StreamPlan plan = inspect();
    EXPECT_EQ(plan, inspect()) << "nothing is changed by it";
    EXPECT_EQ(set->apply(plan).has_value(), !plan.needs_repair());
    if (plan.needs_repair()) EXPECT_EQ(plan, inspect()) << "nothing is changed by a plan that cannot be applied";
    return plan;
  }
  StreamPlan crash_and_start() {
    files.crash(random);
    disk.crash(random);
    return start();
  }
  StreamRepair open_repair() {
    set.reset();
    return *StreamRepair::open(files, *kv, 0, "/c/state/orphans", "/c");
  }
  void write(StreamRepair& repair) {
    ASSERT_TRUE(repair.move_aside());
    Batch batch;
    repair.stage(batch);
    ASSERT_TRUE(kv->write(batch, Durability::synced));
  }
  // All streams go back, if they have to; which of the places it was. Twice: the first time it dies before the rows.
  std::optional<size_t> go_back(const std::vector<StreamEnds>& places) {
    std::optional<size_t> place;
    for (int attempt = 0; attempt < 2; ++attempt) {
      StreamRepair repair = open_repair();
      const auto found = repair.place_to_go(places);
      EXPECT_TRUE(attempt == 0 || found == place);
      place = found;
      if (!place) break;
      repair.go_back(places[*place]);
      EXPECT_THAT(*repair.shorter(), IsEmpty());
      if (attempt == 0)
        EXPECT_TRUE(repair.move_aside());
      else
        write(repair);
    }
    EXPECT_FALSE(start().needs_repair());
    return place;
  }
  void commit() {
    const auto synced = set->sync();
    ASSERT_TRUE(synced) << synced.error().message;
    Batch batch;
    set->stage_lengths(batch);
    ASSERT_TRUE(kv->write(batch, Durability::synced));
    const auto done = set->committed();
    ASSERT_TRUE(done) << done.error().message;
  }
  std::string content(const std::string& path) {
    const auto bytes = files.read_all(path);
    return bytes ? *bytes : "missing";
  }
  std::vector<std::string> names(const std::string& folder) {
    std::vector<std::string> all;
    if (const auto entries = files.list(folder)) {
      for (const auto& entry : *entries) all.push_back(entry.name);
    }
    return all;
  }

  SeededRandom random{1};
  CountingFiles files;
  MemoryKvDisk disk;
  std::unique_ptr<Kv> kv;
  std::unique_ptr<StreamSet> set;
};

TEST_F(Streams, SayWhereBytesLand) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/1.warc", ".open"));
  ASSERT_TRUE(set->append("warc", "12345"));
  const auto position = set->append("warc", "678");
  ASSERT_TRUE(position);
  EXPECT_EQ(position->path, "/c/archive/1.warc");
  EXPECT_EQ(position->offset, 5u);
  EXPECT_EQ(set->length("warc"), 8u);
  EXPECT_EQ(set->committed_length("warc"), 0u);
  commit();
  EXPECT_EQ(set->committed_length("warc"), 8u);
  EXPECT_EQ(content("/c/archive/1.warc.open"), "12345678");
  EXPECT_EQ(content("/c/logs/crawl.log"), "");
}

TEST_F(Streams, AreCutToWhatWasCommitted) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  ASSERT_TRUE(set->append("log", "committed"));
  commit();
  ASSERT_TRUE(set->append("log", " and not"));
  ASSERT_TRUE(set->sync());
  const StreamPlan report = crash_and_start();
  EXPECT_EQ(content("/c/logs/crawl.log"), "committed");
  ASSERT_THAT(report.cuts, SizeIs(1));
  EXPECT_EQ(report.cuts[0].path, "/c/logs/crawl.log");
  EXPECT_EQ(report.cuts[0].committed, 9u);
  EXPECT_EQ(report.cuts[0].found, 17u);
  EXPECT_EQ(report.cuts[0].saved_as, "/c/state/orphans/000001-crawl.log.from-9");
  EXPECT_EQ(content(report.cuts[0].saved_as), " and not");

  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  ASSERT_TRUE(set->append("log", ", again"));
  commit();
  EXPECT_EQ(content("/c/logs/crawl.log"), "committed, again");
}

TEST_F(Streams, ClosedFilesGetTheirNameWithTheCommit) {
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/1.warc", ".open"));
  ASSERT_TRUE(set->append("warc", "one"));
  commit();
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/2.warc", ".open"));
  ASSERT_TRUE(set->append("warc", "two"));
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/3.warc", ".open"));
  EXPECT_THAT(names("/c/archive"), ElementsAre("1.warc.open", "2.warc.open", "3.warc.open"));
  commit();
  EXPECT_THAT(names("/c/archive"), ElementsAre("1.warc", "2.warc", "3.warc.open"));
  ASSERT_TRUE(set->close_stream("warc"));
  EXPECT_FALSE(set->has_open("warc"));
  commit();
  EXPECT_THAT(names("/c/archive"), ElementsAre("1.warc", "2.warc", "3.warc"));
  crash_and_start();
  EXPECT_EQ(content("/c/archive/1.warc"), "one");
  EXPECT_EQ(content("/c/archive/2.warc"), "two");
}

TEST_F(Streams, ARollThatWasNotCommittedIsUndone) {
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/1.warc", ".open"));
  ASSERT_TRUE(set->append("warc", "one"));
  commit();
  ASSERT_TRUE(set->append("warc", "+more"));
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/2.warc", ".open"));
  ASSERT_TRUE(set->append("warc", "two"));
  ASSERT_TRUE(set->sync());
  const StreamPlan report = crash_and_start();
  EXPECT_THAT(names("/c/archive"), ElementsAre("1.warc.open"));
  EXPECT_EQ(content("/c/archive/1.warc.open"), "one");
  EXPECT_THAT(report.orphans,
              ElementsAre(StreamPlan::Move{"/c/archive/2.warc.open", "/c/state/orphans/000002-2.warc.open"}));
  EXPECT_EQ(content("/c/state/orphans/000002-2.warc.open"), "two");
  EXPECT_TRUE(set->has_open("warc"));
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/2.warc", ".open"));
  commit();
  EXPECT_THAT(names("/c/archive"), ElementsAre("1.warc", "2.warc.open"));
}

TEST_F(Streams, RecoveryFinishesARenaming) {
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/1.warc", ".open"));
  ASSERT_TRUE(set->append("warc", "one"));
  ASSERT_TRUE(set->close_stream("warc"));
  ASSERT_TRUE(set->sync());
  Batch batch;
  set->stage_lengths(batch);
  ASSERT_TRUE(kv->write(batch, Durability::synced));
  const StreamPlan report = crash_and_start();  // committed() was never reached
  EXPECT_THAT(names("/c/archive"), ElementsAre("1.warc"));
  EXPECT_THAT(report.renamings, ElementsAre(StreamPlan::Move{"/c/archive/1.warc.open", "/c/archive/1.warc"}));
  EXPECT_FALSE(set->has_open("warc"));
}

TEST_F(Streams, ARenamingThatFailsIsDoneLater) {
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/1.warc", ".open"));
  commit();
  ASSERT_TRUE(set->close_stream("warc"));
  ASSERT_TRUE(set->sync());
  Batch batch;
  set->stage_lengths(batch);
  ASSERT_TRUE(kv->write(batch, Durability::synced));
  files.inject_failure(Operation::rename);
  EXPECT_FALSE(set->committed());
  EXPECT_THAT(names("/c/archive"), ElementsAre("1.warc.open"));
  commit();
  EXPECT_THAT(names("/c/archive"), ElementsAre("1.warc"));
}

TEST_F(Streams, AnEmptyFileThatIsGoneBeginsAnew) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/1.warc", ".open"));
  commit();
  ASSERT_TRUE(files.remove("/c/logs/crawl.log"));
  ASSERT_TRUE(files.remove("/c/archive/1.warc.open"));
  const StreamPlan report = start();
  EXPECT_THAT(report.shorter, IsEmpty());
  EXPECT_EQ(content("/c/logs/crawl.log"), "");
  EXPECT_EQ(content("/c/archive/1.warc.open"), "");
}

TEST_F(Streams, ShorterFilesAreRefusedUntilTheyAreCut) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  ASSERT_TRUE(set->append("log", "0123456789"));
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/1.warc", ".open"));
  ASSERT_TRUE(set->append("warc", "closed"));
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/2.warc", ".open"));
  ASSERT_TRUE(set->append("warc", "current"));
  commit();
  ASSERT_TRUE(files.remove("/c/archive/1.warc"));
  ASSERT_TRUE(files.lose_synced_tail("/c/archive/2.warc.open", 3));
  ASSERT_TRUE(files.lose_synced_tail("/c/logs/crawl.log", 1));
  const std::vector<ShortFile> expected = {
      {.stream = "log", .path = "/c/logs/crawl.log", .at = "/c/logs/crawl.log", .committed = 10, .found = 9},
      {.stream = "warc", .path = "/c/archive/1.warc", .committed = 6, .is_missing = true, .is_complete = true},
      {.stream = "warc", .path = "/c/archive/2.warc", .at = "/c/archive/2.warc.open", .committed = 7, .found = 4}};
  for (int attempt = 0; attempt < 2; ++attempt) {
    EXPECT_EQ(start().shorter, expected);
    EXPECT_FALSE(set->has_open("log"));
  }
  // It dies before the rows, once.
  for (int attempt = 0; attempt < 2; ++attempt) {
    StreamRepair repair = open_repair();
    EXPECT_EQ(*repair.shorter(), expected);
    repair.cut("/c/logs/crawl.log", 5);
    repair.cut("/c/archive/1.warc", 0);
    EXPECT_THAT(*repair.shorter(), ElementsAre(expected[2]));
    repair.cut("/c/archive/2.warc", 4);
    EXPECT_THAT(*repair.shorter(), IsEmpty());
    ASSERT_TRUE(repair.move_aside());
    if (attempt == 1) write(repair);
  }
  const StreamPlan mended = start();
  EXPECT_THAT(mended.cuts, SizeIs(1));
  EXPECT_EQ(content("/c/logs/crawl.log"), "01234");
  EXPECT_THAT(names("/c/archive"), ElementsAre("2.warc"));
  EXPECT_EQ(content("/c/archive/2.warc"), "curr");
  EXPECT_FALSE(set->has_open("warc"));
  EXPECT_FALSE(set->has_open("log"));
  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  EXPECT_EQ(set->path("log"), "/c/logs/crawl.log.2");
  ASSERT_TRUE(set->append("log", "goes on"));
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/3.warc", ".open"));
  commit();
  const StreamPlan report = start();
  EXPECT_THAT(report.shorter, IsEmpty());
  EXPECT_THAT(report.orphans, IsEmpty());
  EXPECT_THAT(names("/c/logs"), ElementsAre("crawl.log", "crawl.log.2"));
  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  EXPECT_EQ(set->path("log"), "/c/logs/crawl.log.2");
  EXPECT_EQ(set->length("log"), 7u);
}

// A file that is not whole from its beginning is no file of the stream any more.
TEST_F(Streams, AFileThatIsGivenUpBecomesAnOrphan) {
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/1.warc", ".open"));
  ASSERT_TRUE(set->append("warc", "bytes"));
  commit();
  ASSERT_TRUE(files.lose_synced_tail("/c/archive/1.warc.open", 1));
  for (int attempt = 0; attempt < 2; ++attempt) {
    StreamRepair repair = open_repair();
    ASSERT_THAT(*repair.shorter(), SizeIs(1));
    EXPECT_FALSE(repair.shorter()->front().is_missing);
    repair.cut("/c/archive/1.warc", 0);
    ASSERT_TRUE(repair.move_aside());
    if (attempt == 1) write(repair);
  }
  EXPECT_EQ(start(), StreamPlan());
  EXPECT_THAT(names("/c/archive"), IsEmpty());
  EXPECT_EQ(content("/c/state/orphans/000001-1.warc.open"), "byte");
}

// A disk that lies: all streams go back to where nothing is missing.
TEST_F(Streams, GoBackToWhereNothingIsMissing) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  std::vector<StreamEnds> places;
  for (const char* number : {"1", "2", "3", "4"}) {
    places.push_back(set->ends());
    ASSERT_TRUE(set->append("log", std::string("line") + number));
    if (std::string_view(number) != "2") {
      ASSERT_TRUE(set->roll_stream("warc", std::string("/c/archive/") + number + ".warc", ".open"));
    }
    ASSERT_TRUE(set->append("warc", std::string("record") + number));
    commit();
  }
  EXPECT_THAT(places[0], ElementsAre(StreamEnd{"log", 0, 0}));
  EXPECT_THAT(places[2], ElementsAre(StreamEnd{"log", 1, 10}, StreamEnd{"warc", 1, 14}));
  EXPECT_FALSE(go_back(places)) << "nothing is missing";

  ASSERT_TRUE(files.lose_synced_tail("/c/archive/3.warc", 1));
  EXPECT_EQ(go_back(places), 2u);
  EXPECT_EQ(content("/c/logs/crawl.log"), "line1line2");
  EXPECT_EQ(content("/c/archive/1.warc"), "record1record2");
  EXPECT_THAT(names("/c/archive"), ElementsAre("1.warc"));
  EXPECT_FALSE(set->has_open("warc"));
  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  places.resize(2);
  places.push_back(set->ends());
  ASSERT_TRUE(set->append("log", "line5"));
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/5.warc", ".open"));
  ASSERT_TRUE(set->append("warc", "record5"));
  commit();
  EXPECT_FALSE(go_back(places));
  EXPECT_EQ(content("/c/logs/crawl.log"), "line1line2line5");
  EXPECT_EQ(content("/c/archive/5.warc.open"), "record5");

  // Once more, and further: into a file that was closed since.
  ASSERT_TRUE(files.lose_synced_tail("/c/archive/1.warc", 3));
  EXPECT_EQ(go_back(places), 1u);
  EXPECT_EQ(content("/c/archive/1.warc"), "record1");
  EXPECT_EQ(content("/c/logs/crawl.log"), "line1");
}

// What a commit changed after going back reaches the store also where the group has to be written twice.
TEST_F(Streams, GoBackForGoodThoughTheGroupFailsOnce) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  ASSERT_TRUE(set->open_stream("other", "/c/logs/other.log"));
  const std::vector<StreamEnds> places = {set->ends()};
  ASSERT_TRUE(set->append("log", "line"));
  ASSERT_TRUE(set->append("other", "line"));
  commit();
  ASSERT_TRUE(files.lose_synced_tail("/c/logs/crawl.log", 1));
  EXPECT_EQ(go_back(places), 0u);
  ASSERT_TRUE(set->append("log", "new"));
  files.inject_failure(Operation::append);
  EXPECT_FALSE(set->sync());
  ASSERT_TRUE(set->abandon_failed());
  ASSERT_TRUE(set->append("log", "new"));
  commit();
  const StreamPlan report = start();
  EXPECT_THAT(report.shorter, IsEmpty());
  EXPECT_EQ(content("/c/logs/crawl.log"), "new");
  EXPECT_EQ(content("/c/logs/other.log"), "");
}

TEST_F(Streams, UnknownFilesGoToTheOrphans) {
  ASSERT_TRUE(files.make_dirs("/c/archive/folder"));
  for (const char* name : {"x", "y.keep"}) ASSERT_TRUE(files.open_append(io::join_path("/c/archive", name)));
  EXPECT_THAT(start().orphans, ElementsAre(StreamPlan::Move{"/c/archive/x", "/c/state/orphans/000001-x"}));
  ASSERT_TRUE(files.open_append("/c/archive/x"));
  EXPECT_THAT(start().orphans, ElementsAre(StreamPlan::Move{"/c/archive/x", "/c/state/orphans/000002-x"}));
  EXPECT_THAT(names("/c/archive"), ElementsAre("folder", "y.keep"));
  EXPECT_THAT(start().orphans, IsEmpty());
}

TEST_F(Streams, ThatAreMissedAreLookedForAmongTheOrphansOnce) {
  constexpr int kFiles = 20;
  for (int i = 0; i < kFiles; ++i) {
    ASSERT_TRUE(set->roll_stream("warc", "/c/archive/" + std::to_string(i) + ".warc", ".open"));
    ASSERT_TRUE(set->append("warc", "bytes"));
    commit();
  }
  // Of two that a recovery has moved aside, one had its open name still.
  ASSERT_TRUE(files.make_dirs("/c/state/orphans"));
  ASSERT_TRUE(files.rename("/c/archive/0.warc", "/c/state/orphans/000001-0.warc"));
  ASSERT_TRUE(files.rename("/c/archive/1.warc", "/c/state/orphans/000002-1.warc.open"));
  for (int i = 2; i < kFiles - 1; ++i) ASSERT_TRUE(files.remove("/c/archive/" + std::to_string(i) + ".warc"));
  const auto opened = *StreamSet::open(files, *kv, 0, "/c/state/orphans", "/c");
  files.lists = 0;
  auto plan = opened->inspect({}, nullptr);
  ASSERT_TRUE(plan);
  EXPECT_THAT(plan->shorter, SizeIs(kFiles - 1));
  std::erase_if(plan->shorter, [](const ShortFile& file) { return !file.is_missing; });
  EXPECT_THAT(plan->shorter, SizeIs(kFiles - 3));
  EXPECT_TRUE(std::ranges::any_of(plan->shorter, [](const auto& file) { return file.path == "/c/archive/2.warc"; }));
  EXPECT_EQ(files.lists, 1u);
}

TEST_F(Streams, OrphansReachAnotherFileSystem) {
  ASSERT_TRUE(files.make_dirs("/c"));
  ASSERT_TRUE(files.write_atomically("/c/x", "bytes"));
  ASSERT_TRUE(files.make_dirs("/c/archive"));
  ASSERT_TRUE(files.rename("/c/x", "/c/archive/x"));
  files.inject_failure(Operation::rename);
  EXPECT_THAT(start().orphans, ElementsAre(StreamPlan::Move{"/c/archive/x", "/c/state/orphans/000001-x"}));
  EXPECT_EQ(content("/c/state/orphans/000001-x"), "bytes");
  EXPECT_THAT(names("/c/archive"), IsEmpty());
}

TEST_F(Streams, AFileInTheWayOfARenamingIsPutAside) {
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/1.warc", ".open"));
  ASSERT_TRUE(set->append("warc", "ours"));
  commit();
  ASSERT_TRUE(files.write_atomically("/c/archive/1.warc", "theirs"));
  ASSERT_TRUE(set->close_stream("warc"));
  ASSERT_TRUE(set->sync());
  Batch batch;
  set->stage_lengths(batch);
  ASSERT_TRUE(kv->write(batch, Durability::synced));
  EXPECT_EQ(set->committed().error().code, ErrorCode::conflict);
  start();
  EXPECT_EQ(content("/c/archive/1.warc"), "ours");
  EXPECT_EQ(content("/c/state/orphans/000001-1.warc"), "theirs");
}

TEST_F(Streams, AFailedAppendIsTakenBack) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  ASSERT_TRUE(set->append("log", "safe"));
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/1.warc", ".open"));
  commit();
  ASSERT_TRUE(set->append("log", "lost?"));
  ASSERT_TRUE(set->append("warc", "record"));
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/2.warc", ".open"));
  files.set_free_space(7);
  EXPECT_FALSE(set->sync());
  EXPECT_FALSE(set->append("log", "no"));
  ASSERT_TRUE(set->abandon_failed());
  EXPECT_EQ(content("/c/logs/crawl.log"), "safe");
  EXPECT_THAT(names("/c/archive"), ElementsAre("1.warc.open"));
  EXPECT_EQ(set->path("warc"), "/c/archive/1.warc");
  EXPECT_EQ(set->length("log"), 4u);
  files.set_free_space(1000);
  ASSERT_TRUE(set->append("log", " again"));
  commit();
  EXPECT_THAT(crash_and_start().cuts, IsEmpty());
  EXPECT_EQ(content("/c/logs/crawl.log"), "safe again");
}

TEST_F(Streams, AFileWhoseSyncFailedIsNeverTrustedAgain) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/1.warc", ".open"));
  ASSERT_TRUE(set->append("log", "safe"));
  ASSERT_TRUE(set->append("warc", "safe"));
  commit();
  for (const char* failing : {"1.warc", "crawl.log"}) {
    ASSERT_TRUE(set->append("log", " line"));
    if (set->has_open("warc")) ASSERT_TRUE(set->append("warc", " record"));
    files.inject_failure(Operation::sync, 1, failing);
    EXPECT_FALSE(set->sync());
    ASSERT_TRUE(set->abandon_failed());
  }
  EXPECT_FALSE(set->has_open("warc"));
  EXPECT_EQ(set->path("log"), "/c/logs/crawl.log.2");
  ASSERT_TRUE(set->append("log", "line"));
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/2.warc", ".open"));
  ASSERT_TRUE(set->append("warc", "record"));
  commit();
  crash_and_start();
  EXPECT_EQ(content("/c/logs/crawl.log"), "safe");
  EXPECT_EQ(content("/c/logs/crawl.log.2"), "line");
  EXPECT_THAT(*log_parts(files, "/c/logs/crawl.log"), ElementsAre("/c/logs/crawl.log", "/c/logs/crawl.log.2"));
  EXPECT_EQ(content("/c/archive/1.warc"), "safe");
  EXPECT_EQ(content("/c/archive/2.warc.open"), "record");
}

TEST_F(Streams, AreLeftWhereTheirDiskIsGone) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/log"));
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/a", ".open"));
  ASSERT_TRUE(set->append("warc", "committed"));
  commit();
  ASSERT_TRUE(set->append("warc", "lost"));
  ASSERT_TRUE(set->append("log", "lost, too"));
  files.set_gate([](Operation, const std::string& path) -> Result<void> {
    return path.starts_with("/c/archive") ? fail(ErrorCode::io, "Input/output error") : Result<void>();
  });
  ASSERT_FALSE(set->sync());
  EXPECT_EQ(set->failed_stream(), "warc");
  set->leave("warc");
  ASSERT_TRUE(set->abandon_failed());
  EXPECT_FALSE(set->has_open("warc"));
  for (const char* line : {"1", "2"}) {
    ASSERT_TRUE(set->append("log", line));
    commit();
  }
  EXPECT_THAT(names("/c/archive"), ElementsAre("a.open"));
  files.set_gate({});
  EXPECT_FALSE(start().needs_repair());
  EXPECT_THAT(names("/c/archive"), ElementsAre("a"));
  EXPECT_EQ(content("/c/archive/a"), "committed");
  EXPECT_EQ(content("/c/logs/log"), "12");
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/b", ".open"));
  commit();
}

TEST_F(Streams, ALogGoesOnInOtherFilesAndLetsGoOfTheFirst) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/log"));
  const auto line = [&](const char* text, bool rolled) {
    if (rolled) {
      ASSERT_TRUE(set->roll_log("log"));
    }
    ASSERT_TRUE(set->append("log", text));
    commit();
  };
  line("one ", false);
  line("two ", true);
  line("three ", true);
  EXPECT_EQ(content("/c/logs/log"), "one ");
  EXPECT_EQ(content("/c/logs/log.2"), "two ");
  EXPECT_EQ(set->path("log"), "/c/logs/log.3");
  EXPECT_EQ(set->committed_length("log"), 6u);

  // What was rolled in a group that failed was not.
  ASSERT_TRUE(set->roll_log("log"));
  ASSERT_TRUE(set->append("log", "four "));
  files.inject_failure(Operation::sync, 1, "log.4");
  EXPECT_FALSE(set->sync());
  ASSERT_TRUE(set->abandon_failed());
  EXPECT_EQ(set->path("log"), "/c/logs/log.3");
  EXPECT_THAT(names("/c/logs"), ElementsAre("log", "log.2", "log.3"));

  // A byte short of two files: one of them. The file goes a commit later.
  set->release("log", 7, 1);
  line("3 ", false);
  EXPECT_EQ(set->parts("log").released, 4u);
  line("3 ", false);
  EXPECT_EQ(content("/c/logs/log"), "one ");
  line("3 ", false);
  EXPECT_EQ(content("/c/logs/log"), "missing");
  ASSERT_THAT(set->parts("log").parts, SizeIs(2));
  EXPECT_EQ(set->parts("log").parts[0].path, "/c/logs/log.2");
  EXPECT_EQ(set->parts("log").parts[1].length, 12u);

  // The open file is never let go.
  set->release("log", 1000, 5);
  line("3 ", false);
  const auto report = crash_and_start();
  EXPECT_THAT(report.shorter, IsEmpty());
  EXPECT_EQ(content("/c/logs/log.2"), "missing") << "the next start does not wait";
  EXPECT_EQ(set->parts("log").released, 8u);
  const LogParts parts = *committed_parts(*kv, 0, "log", "/c");
  EXPECT_EQ(parts.released, 8u);
  ASSERT_THAT(parts.parts, SizeIs(1));
  EXPECT_EQ(parts.parts[0].path, "/c/logs/log.3");
  EXPECT_EQ(parts.parts[0].length, 14u);
  ASSERT_TRUE(set->open_stream("log", "/c/logs/log"));
  EXPECT_EQ(set->path("log"), "/c/logs/log.3");
}

TEST_F(Streams, AFileInWhichALogWasToGoOnIsNoPartOfIt) {
  ASSERT_TRUE(set->open_stream("log", "/c/other/log"));
  ASSERT_TRUE(set->append("log", "safe"));
  commit();
  ASSERT_TRUE(set->roll_log("log"));
  ASSERT_TRUE(set->append("log", "not committed"));
  ASSERT_TRUE(set->sync());
  EXPECT_THAT(crash_and_start().orphans, SizeIs(1));
  EXPECT_THAT(*log_parts(files, "/c/other/log"), ElementsAre("/c/other/log"));
}

// All streams go back to a place in a file that is let go: what the log has behind it is taken back, and that is all.
TEST_F(Streams, GoingBackDoesNotAskForWhatWasLetGo) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/log"));
  ASSERT_TRUE(set->open_stream("other", "/c/logs/other"));
  std::vector<StreamEnds> earlier;
  for (const char* text : {"one ", "two ", "three "}) {
    earlier.push_back(set->ends());
    if (set->committed_length("log") > 0) {
      ASSERT_TRUE(set->roll_log("log"));
    }
    ASSERT_TRUE(set->append("log", text));
    ASSERT_TRUE(set->append("other", text));
    commit();
  }
  set->release("log", 8, 0);
  commit();
  commit();
  ASSERT_TRUE(files.lose_synced_tail("/c/logs/other", 8));
  set.reset();
  EXPECT_EQ(go_back(earlier), 1u);
  EXPECT_EQ(content("/c/logs/other"), "one ");
  EXPECT_EQ(set->parts("log").released, 8u);
  EXPECT_THAT(set->parts("log").parts, IsEmpty());
  ASSERT_TRUE(set->open_stream("log", "/c/logs/log"));
  EXPECT_EQ(set->path("log"), "/c/logs/log.4");
}

// After going back other bytes are written, and the process dies before it commits: what is as long as it was is not
// what it was.
TEST_F(Streams, GoingBackLeavesNothingToBeTakenForWhatWasThere) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/log"));
  ASSERT_TRUE(set->open_stream("other", "/c/logs/other"));
  std::vector<StreamEnds> earlier;
  for (const char* text : {"one ", "two ", "three "}) {
    earlier.push_back(set->ends());
    ASSERT_TRUE(set->append("log", text));
    ASSERT_TRUE(set->append("other", text));
    commit();
  }
  ASSERT_TRUE(files.lose_synced_tail("/c/logs/other", 7));
  EXPECT_EQ(go_back(earlier), 1u);
  for (const char* name : {"log", "other"}) {
    ASSERT_TRUE(set->open_stream(name, std::string("/c/logs/") + name));
    ASSERT_TRUE(set->append(name, "something else, and long"));
  }
  ASSERT_TRUE(set->sync());
  EXPECT_THAT(start().cuts, SizeIs(2));
  EXPECT_EQ(content("/c/logs/log"), "one ");
  EXPECT_EQ(content("/c/logs/other"), "one ");
}

TEST_F(Streams, ANewFileWhoseSyncFailedIsMadeAgain) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  ASSERT_TRUE(set->append("log", "first"));
  files.inject_failure(Operation::sync);
  EXPECT_FALSE(set->sync());
  ASSERT_TRUE(set->abandon_failed());
  ASSERT_TRUE(set->append("log", "second"));
  commit();
  crash_and_start();
  EXPECT_EQ(content("/c/logs/crawl.log"), "second");
}

TEST_F(Streams, LargeBytesDoNotStayInMemory) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  std::string expected;
  for (const size_t size : {10u, 9u << 20, 5u << 20, 5u << 20, 3u}) {
    const std::string bytes(size, static_cast<char>('a' + expected.size() % 26));
    const auto position = set->append("log", bytes);
    ASSERT_TRUE(position);
    EXPECT_EQ(position->offset, expected.size());
    expected += bytes;
  }
  EXPECT_GT(content("/c/logs/crawl.log").size(), 9u << 20);
  commit();
  EXPECT_TRUE(content("/c/logs/crawl.log") == expected);
}

TEST_F(Streams, TheCollectionMayBeMoved) {
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/1.warc", ".open"));
  ASSERT_TRUE(set->append("warc", "one"));
  commit();
  ASSERT_TRUE(files.rename("/c", "/elsewhere"));
  auto moved = StreamSet::open(files, *kv, 0, "/elsewhere/state/orphans", "/elsewhere/");
  ASSERT_TRUE(moved);
  const auto plan = (*moved)->inspect({"/elsewhere/archive"}, nullptr);
  ASSERT_TRUE(plan);
  EXPECT_EQ(*plan, StreamPlan());
  ASSERT_TRUE((*moved)->apply(*plan));
  EXPECT_EQ((*moved)->path("warc"), "/elsewhere/archive/1.warc");
}

TEST_F(Streams, RefuseWhatWouldMixFiles) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  ASSERT_TRUE(set->roll_stream("warc", "/c/archive/1.warc", ".open"));
  EXPECT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  EXPECT_FALSE(set->open_stream("log", "/c/logs/other.log"));
  EXPECT_FALSE(set->open_stream("other", "/c/logs/crawl.log"));
  EXPECT_FALSE(set->open_stream("warc", "/c/archive/1.warc"));
  EXPECT_FALSE(set->open_stream("outside", "relative.log"));
  EXPECT_FALSE(set->has_open("other") || set->has_open("outside"));
  EXPECT_FALSE(set->roll_stream("log", "/c/logs/2.log", ""));
  EXPECT_FALSE(set->roll_stream("warc", "/c/archive/1.warc", ".open"));
  EXPECT_FALSE(set->roll_stream("warc", "/c/archive/1.warc", ""));
  EXPECT_FALSE(set->append("nobody", "x"));
  EXPECT_FALSE(set->close_stream("nobody"));
  EXPECT_FALSE(set->close_stream("log"));
  commit();
  auto unrecovered = StreamSet::open(files, *kv, 0, "/c/state/orphans", "/c");
  EXPECT_THAT((*unrecovered)->open_stream("log", "/c/logs/crawl.log").error().message, HasSubstr("recovered before"));
}

TEST_F(Streams, SomebodyElsesBytesAreNoticed) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  ASSERT_TRUE(set->append("log", "ours"));
  commit();
  start();
  ASSERT_TRUE((*files.open_append("/c/logs/crawl.log"))->append("theirs"));
  ASSERT_TRUE(set->append("log", "ours"));
  EXPECT_THAT(set->sync().error().message, HasSubstr("somebody else writes it"));
}

TEST_F(Streams, NothingIsStagedBeforeItIsOnDisk) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/crawl.log"));
  ASSERT_TRUE(set->append("log", "x"));
  Batch batch;
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // other tests of this process leave threads behind
  EXPECT_DEATH(set->stage_lengths(batch), "synced_");
}

// Golden bytes: they are on users' disks (docs/formats/streams.md).
TEST(StreamRows, AreWrittenAsDocumented) {
  const StreamRow row{.name = "warc",
                      .generation = 0x102,
                      .kind = StreamRow::Kind::rolled,
                      .state = StreamRow::State::open,
                      .length = 0x0a0b0c,
                      .path = "/c/archive/1.warc",
                      .suffix = ".open"};
  EXPECT_EQ(to_hex(stream_key(row)),
            "77617263"
            "00"
            "00000102");
  const std::string value = encode_stream_row(row, "/c");
  EXPECT_EQ(to_hex(value),
            "01"
            "52"
            "6f"
            "00"
            "0c0b0a0000000000"
            "0e00"
            "0500"
            "617263686976652f312e77617263"
            "2e6f70656e");
  const auto back = decode_stream_row(stream_key(row), value, "/c");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->name, "warc");
  EXPECT_EQ(back->generation, 0x102u);
  EXPECT_EQ(back->kind, StreamRow::Kind::rolled);
  EXPECT_EQ(back->state, StreamRow::State::open);
  EXPECT_EQ(back->length, 0x0a0b0cu);
  EXPECT_EQ(back->open_path(), "/c/archive/1.warc.open");
}

TEST(StreamRows, StatesAreWrittenAsDocumented) {
  using State = StreamRow::State;
  for (const auto& [state, letter] :
       {std::pair(State::open, 'o'), {State::closed, 'c'}, {State::released, 'r'}, {State::lost, 'x'}}) {
    const StreamRow row{.name = "seen", .state = state, .length = 8, .path = "seen"};
    const std::string value = encode_stream_row(row, "");
    EXPECT_EQ(value[2], letter);
    const auto back = decode_stream_row(stream_key(row), value, "");
    ASSERT_TRUE(back) << letter;
    EXPECT_EQ(back->state, state);
    EXPECT_EQ(back->length, 8u);
  }
}

TEST(StreamRows, OtherBytesAreRefused) {
  const StreamRow row{.name = "log", .path = "crawl.log"};
  const std::string key = stream_key(row);
  const std::string value = encode_stream_row(row, "");
  ASSERT_TRUE(decode_stream_row(key, value, ""));
  for (size_t size = 0; size < value.size(); ++size) {
    EXPECT_FALSE(decode_stream_row(key, value.substr(0, size), "")) << size;
  }
  for (size_t size = 0; size < key.size(); ++size)
    EXPECT_FALSE(decode_stream_row(key.substr(0, size), value, "")) << size;
  EXPECT_FALSE(decode_stream_row(key, value + "x", ""));
  std::string newer = value;
  newer[0] = 2;
  EXPECT_EQ(decode_stream_row(key, newer, "").error().code, ErrorCode::unsupported);
  for (const size_t at : {1, 2}) {
    std::string wrong = value;
    wrong[at] = '?';
    EXPECT_EQ(decode_stream_row(key, wrong, "").error().code, ErrorCode::corrupt);
  }
}

}  // namespace
}  // namespace caddis::store
