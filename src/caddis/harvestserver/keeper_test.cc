// Copies of files in stores that fail, are away, lie or are damaged.
#include "caddis/harvestserver/keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/harvest/testing.h"
#include "caddis/io/digest.h"
#include "caddis/io/memory_files.h"

namespace caddis::harvestserver {
namespace {

using io::MemoryFiles;
using sql::Connection;
using ::testing::HasSubstr;

constexpr char kPath[] = "/archive/1-1.warc.gz";

class KeeperOfStores : public harvest::ArchiveTest {
 protected:
  void SetUp() override {
    ArchiveTest::SetUp();
    if (IsSkipped()) return;
    create({"a.example"});
    harvest::Definition one;
    one.name = "all";
    one.kind = "snapshot";
    define(one);
    activate_now("all");
    ASSERT_TRUE(generate("all").value());
    const int64_t job = run_next({});
    io::Sha256 digest;
    digest.update("whole");
    const std::string sha256 = to_hex(digest.finish());
    done([&](Connection& c) { return harvest::record_file(c, {job, "1-1.warc.gz", "warc", 5, sha256}, now()); });
    write("/data/archive", "whole");
    settings_.replicas = {"second folder:/b"};
    ASSERT_TRUE(files_.make_dirs("/b"));
  }
  void write(const std::string& store, std::string_view bytes) {
    ASSERT_TRUE(files_.make_dirs(store + "/archive"));
    ASSERT_TRUE(files_.write_atomically(store + kPath, bytes));
  }
  void open() { keeper_ = Keeper::open({files_, clock}, database(), settings_, "/data").value(); }
  // As a server does: until there is nothing to do.
  void work() {
    for (int i = 0; i < 20; ++i) {
      const auto more = keeper_->step();
      ASSERT_TRUE(more) << more.error().message;
      if (!*more) return;
    }
    FAIL() << "it goes on for ever";
  }
  harvest::Copy copy_in(const std::string& store) {
    for (const char* state : {"stored", "wanted", "missing", "wrong"}) {
      const auto found = got([&](Connection& c) { return harvest::list_copies(c, store, state, 0, 10); });
      if (!found.empty()) return found[0];
    }
    return {};
  }
  std::string state_in(const std::string& store) { return copy_in(store).state; }

  MemoryFiles files_;
  HarvestSettings settings_;
  std::unique_ptr<Keeper> keeper_;
};
CADDIS_ON_BOTH_DATABASES(KeeperOfStores);

TEST_P(KeeperOfStores, SourceThatFailsOnceStaysWhole) {
  open();
  files_.inject_failure(MemoryFiles::Operation::read, 1, "/data/archive/");
  work();
  EXPECT_EQ(state_in("archive"), "stored");
  EXPECT_EQ(state_in("second"), "wanted");
  clock.advance(std::chrono::minutes(2));
  work();
  EXPECT_EQ(state_in("second"), "stored");
  EXPECT_EQ(files_.read_all(std::string("/b") + kPath).value(), "whole");
}

TEST_P(KeeperOfStores, SourceThatCannotBeReadIsLeftOutAndItsStateStays) {
  open();
  bool is_bad = true;
  files_.set_gate([&](MemoryFiles::Operation operation, const std::string& path) -> Result<void> {
    if (is_bad && operation == MemoryFiles::Operation::read && path.starts_with("/data/archive/"))
      return fail(ErrorCode::io, "a bad sector");
    return {};
  });
  work();
  EXPECT_EQ(state_in("archive"), "stored");
  EXPECT_THAT(copy_in("archive").problem, HasSubstr("a bad sector"));
  EXPECT_EQ(state_in("second"), "wanted");
  is_bad = false;
  clock.advance(std::chrono::minutes(3));
  work();
  EXPECT_EQ(state_in("second"), "stored");
}

TEST_P(KeeperOfStores, CopyThatCannotBeReadBackIsNotTakenForStored) {
  open();
  bool is_bad = true;
  files_.set_gate([&](MemoryFiles::Operation operation, const std::string& path) -> Result<void> {
    if (is_bad && operation == MemoryFiles::Operation::read && path.starts_with("/b/"))
      return fail(ErrorCode::io, "a bad sector");
    return {};
  });
  work();
  EXPECT_EQ(state_in("second"), "wanted");
  is_bad = false;
  clock.advance(std::chrono::minutes(2));
  work();
  EXPECT_EQ(state_in("second"), "stored");
  EXPECT_FALSE(files_.exists("/b/damaged")) << "what is right there is not put aside";
}

TEST_P(KeeperOfStores, StoreThatIsAwayCostsNoCopiesAndKeepsNoChecks) {
  settings_.replicas.emplace_back("third folder:/c");
  settings_.check_files = std::chrono::hours(1);
  open();
  int copies = 0;
  files_.set_gate([&](MemoryFiles::Operation operation, const std::string& path) -> Result<void> {
    if (operation == MemoryFiles::Operation::append && path.contains("/incoming/copies/")) ++copies;
    return {};
  });
  work();
  EXPECT_EQ(state_in("second"), "stored");
  EXPECT_EQ(state_in("third"), "wanted");
  EXPECT_EQ(copies, 1);
  const int64_t checked = copy_in("second").checked;
  clock.advance(std::chrono::hours(2));
  work();
  EXPECT_EQ(copies, 1);
  EXPECT_GT(copy_in("second").checked, checked);
  ASSERT_TRUE(files_.make_dirs("/c"));
  clock.advance(std::chrono::minutes(2));
  work();
  EXPECT_EQ(state_in("third"), "stored");
  // A folder that is gone says nothing of its files.
  ASSERT_TRUE(files_.rename("/c", "/elsewhere"));
  const int64_t before = copy_in("third").checked;
  clock.advance(std::chrono::hours(2));
  work();
  EXPECT_EQ(state_in("third"), "stored");
  EXPECT_EQ(copy_in("third").checked, before);
  EXPECT_THAT(copy_in("third").problem, HasSubstr("the folder /c is not there"));
}

TEST_P(KeeperOfStores, PeopleHaveFilesCheckedWithoutAnAge) {
  settings_.check_files = Duration(0);
  open();
  work();
  write("/b", "wrong");
  clock.advance(std::chrono::hours(10'000));
  work();
  EXPECT_EQ(state_in("second"), "stored");
  got([&](Connection& c) { return harvest::check_all(c, "second", edit()); });
  work();
  EXPECT_EQ(state_in("second"), "wrong");
  got([&](Connection& c) { return harvest::repair_all(c, "second", keeper_->names(), edit()); });
  work();
  EXPECT_EQ(state_in("second"), "stored");
  EXPECT_EQ(files_.list("/b/damaged").value().size(), 1u);
}

TEST_P(KeeperOfStores, OldFilesOfTheArchiveAreReadWhenTheirTimeHasCome) {
  settings_.check_files = std::chrono::hours(1);
  clock.advance(std::chrono::hours(2));
  write("/data/archive", "wrong");
  open();
  work();
  EXPECT_EQ(state_in("archive"), "wrong");
}

TEST_P(KeeperOfStores, APartIsReadFromItsPlace) {
  const std::string whole = std::string(5 << 20, 'a') + "the part" + std::string(5 << 20, 'b');
  write("/b", whole);
  open();
  int reads = 0;
  files_.set_gate([&](MemoryFiles::Operation operation, const std::string&) -> Result<void> {
    if (operation == MemoryFiles::Operation::read) ++reads;
    return {};
  });
  const KeptFile file{"1-1.warc.gz", "warc", "", whole.size()};
  EXPECT_EQ(keeper_->read_part(1, file, 5 << 20, 8).value(), "the part");
  EXPECT_EQ(reads, 1) << "nothing before it is read";
  EXPECT_EQ(keeper_->read_part(1, file, whole.size() - 2, 8).value(), "bb") << "the file is not that long";
}

TEST_P(KeeperOfStores, EndsAtOnceAndKnowsWhatIsLeft) {
  open();
  bool stops = true;
  keeper_->stop_when([&] { return stops; });
  EXPECT_FALSE(keeper_->step().value());
  EXPECT_EQ(state_in("second"), "wanted");
  EXPECT_EQ(copy_in("second").problem, "");
  stops = false;
  // It was left out meanwhile.
  clock.advance(std::chrono::minutes(2));
  work();
  EXPECT_EQ(state_in("second"), "stored");
}

}  // namespace
}  // namespace caddis::harvestserver
