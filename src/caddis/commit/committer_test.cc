// The committer with participants that are made up: order, repetition, failing disks and stores, and the end.
#include "caddis/commit/committer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "caddis/aio/nursery.h"
#include "caddis/aio/sim.h"
#include "caddis/io/memory_files.h"
#include "caddis/store/memory_kv.h"
#include "caddis/store/streams.h"

namespace caddis::commit {
namespace {

using namespace std::chrono_literals;
using io::MemoryFiles;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr store::Family kRows = 0, kStreams = 1;

// A log: its lines, and a row with their number.
class Log final : public CommitParticipant {
 public:
  Log(std::string name, std::vector<std::string>& history) : name_(std::move(name)), history_(history) {}

  void add(std::string_view line) { (lines_ += line) += '\n'; }

  Result<void> open(store::StreamSet& streams) override { return streams.open_stream(name_, "/c/" + name_); }
  void stage(CommitGroup& group) override {
    history_.push_back(fmt::format("stage {} {}", name_, group.number()));
    group.append(name_, std::exchange(lines_, {}));
    group.batch().put(kRows, name_, std::to_string(group.number()));
  }
  void committed(GroupNumber group) override { history_.push_back(fmt::format("committed {} {}", name_, group)); }

 private:
  const std::string name_;
  std::vector<std::string>& history_;
  std::string lines_;
};

// Files begun one after the other, one for each group: the worker learns their names, and notes them in a log.
class Rolled final : public CommitParticipant {
 public:
  void add(std::string bytes) { bytes_ += bytes; }
  void stage(CommitGroup& group) override {
    if (!bytes_.empty()) group.add(std::make_unique<Write>(*this, std::exchange(bytes_, {}), group.closes_files()));
  }
  int tries = 0;

 private:
  class Write final : public StagedWrite {
   public:
    Write(Rolled& rolled, std::string bytes, bool closes)
        : rolled_(rolled), bytes_(std::move(bytes)), closes_(closes) {}
    Result<void> append(GroupOutput& out) override {
      store::Batch begun;
      begun.put(kRows, "begun", std::to_string(rolled_.next_));
      TRY_VOID(out.write_ahead(begun));
      const std::string path = fmt::format("/c/part-{}-{}", rolled_.next_, ++rolled_.tries);
      TRY_VOID(out.streams().roll_stream("parts", path, ".open"));
      TRY_VOID(out.streams().append("parts", bytes_));
      TRY_VOID(out.streams().append("index", fmt::format("{}\n", io::base_name(path))));
      return closes_ ? out.streams().close_stream("parts") : Result<void>();
    }
    void seal(GroupOutput& out, CommitGroup& group) override {
      (void)out;
      group.batch().erase(kRows, "begun");
      group.batch().put(kRows, "next", std::to_string(++rolled_.next_));
    }

   private:
    Rolled& rolled_;
    const std::string bytes_;
    const bool closes_;
  };

  std::string bytes_;
  int next_ = 1;
};

class CommitterTest : public testing::Test {
 protected:
  CommitterTest() {
    disk_.set_gate([this](const store::Batch&, store::Durability) -> Result<void> {
      if (store_writes_left_-- == 0) return fail(ErrorCode::io, "the store is gone");
      return {};
    });
    EXPECT_TRUE(committer_.add(first_));
    EXPECT_TRUE(committer_.add(index_));
    EXPECT_TRUE(committer_.add(rolled_));
    committer_.on_change([this] { troubles_.push_back(committer_.trouble()); });
    nursery_.spawn(committer_.run());
  }
  ~CommitterTest() override {
    nursery_.abandon();
    loop_.abandon();
  }

  // Adds a line to the first log, and lets time pass until nothing is left to do.
  void add(std::string_view line, uint64_t memory = 0) {
    first_.add(line);
    committer_.commit_soon(memory);
  }
  void settle() { loop_.run(); }
  void settle_for(Duration time) {
    bool over = false;
    loop_.at(loop_.clock().steady() + time, [&] { over = true; });
    while (!over) loop_.run_events(1);
  }
  std::string text(const std::string& path) {
    return files_.exists(path) ? *files_.read_all(path) : std::string("(none)");
  }
  std::string row(std::string_view key) { return kv_->get(kRows, key)->value_or("(none)"); }

  aio::SimLoop loop_{1};
  std::unique_ptr<aio::Blocking> blocking_ = aio::make_sim_blocking(loop_, 3ms);
  MemoryFiles files_;
  store::MemoryKvDisk disk_;
  int store_writes_left_ = -1;
  std::unique_ptr<store::Kv> kv_ = *disk_.open({"rows", "streams"});
  std::unique_ptr<store::StreamSet> streams_ = *store::StreamSet::open(files_, *kv_, kStreams, "/c/orphans");
  std::vector<std::string> history_, troubles_;
  Log first_{"first", history_}, index_{"index", history_};
  Rolled rolled_;
  Committer committer_{loop_, *blocking_, *streams_, *kv_};
  aio::Nursery nursery_;
};

TEST_F(CommitterTest, CommitsWithinASecondInTheOrderOfRegistration) {
  add("one");
  settle_for(900ms);
  add("two");
  EXPECT_EQ(committer_.groups(), 0u);
  EXPECT_EQ(committer_.present_group(), 1u);
  settle_for(200ms);
  EXPECT_EQ(committer_.groups(), 1u);
  EXPECT_EQ(text("/c/first"), "one\ntwo\n");
  EXPECT_EQ(row("first"), "1");
  EXPECT_THAT(history_, ElementsAre("stage first 1", "stage index 1", "committed first 1", "committed index 1"));
  settle();  // nothing more is written while nobody has anything
  EXPECT_EQ(committer_.groups(), 1u);
}

TEST_F(CommitterTest, DoesNotWaitWithFourMegabytes) {
  add("one", 3 << 20);
  EXPECT_EQ(committer_.backlog(), 3u << 20);
  settle_for(100ms);
  EXPECT_EQ(committer_.groups(), 0u);
  add("two", 1 << 20);
  settle_for(100ms);
  EXPECT_EQ(committer_.groups(), 1u);
  EXPECT_EQ(committer_.backlog(), 0u);
}

// Whoever has to know that it is safe does not wait for a second, nor for less than all.
TEST_F(CommitterTest, WritesAtOnceIfSomebodyWaitsForIt) {
  std::vector<std::string> ends;
  const auto write = [](Committer& committer, std::vector<std::string>& told, std::string name) -> aio::Task<void> {
    const auto done = co_await committer.write_now();
    told.push_back(name + (done ? "" : ": " + done.error().message));
  };
  add("one");
  nursery_.spawn(write(committer_, ends, "first"));
  while (committer_.present_group() == 1) loop_.run_events(1);  // it is being written
  add("two");
  nursery_.spawn(write(committer_, ends, "second"));
  EXPECT_THAT(ends, ElementsAre());
  while (committer_.groups() == 0) loop_.run_events(1);
  EXPECT_EQ(text("/c/first"), "one\n");
  EXPECT_THAT(ends, ElementsAre());
  settle_for(50ms);
  EXPECT_EQ(text("/c/first"), "one\ntwo\n");
  EXPECT_THAT(ends, ElementsAre("first", "second"));
  store_writes_left_ = 0;
  add("three");
  nursery_.spawn(write(committer_, ends, "third"));
  settle_for(50ms);
  EXPECT_EQ(ends.size(), 3u);
  EXPECT_TRUE(ends.back().contains("the store is gone")) << ends.back();
}

TEST_F(CommitterTest, WhatComesMeanwhileBelongsToTheNextGroup) {
  add("one", 4 << 20);
  while (history_.empty()) loop_.run_events(1);
  ASSERT_EQ(committer_.groups(), 0u);  // put together, and being written
  add("two");
  EXPECT_EQ(committer_.present_group(), 2u);
  while (committer_.groups() == 0) loop_.run_events(1);
  EXPECT_EQ(text("/c/first"), "one\n");
  settle();
  EXPECT_EQ(committer_.groups(), 2u);
  EXPECT_EQ(text("/c/first"), "one\ntwo\n");
}

TEST_F(CommitterTest, WritesTheSameGroupAgainWhenTheDiskFails) {
  files_.inject_failure(MemoryFiles::Operation::append, 1, "first");
  add("one", 100);
  rolled_.add("part");
  settle_for(1500ms);
  EXPECT_EQ(committer_.groups(), 0u);
  EXPECT_FALSE(committer_.trouble().empty());
  EXPECT_EQ(committer_.backlog(), 100u);
  EXPECT_THAT(history_, ElementsAre("stage first 1", "stage index 1"));
  settle();
  EXPECT_EQ(committer_.groups(), 1u);
  EXPECT_TRUE(committer_.trouble().empty());
  EXPECT_EQ(text("/c/first"), "one\n");
  // The file of the first try is gone, and nothing names it.
  EXPECT_EQ(rolled_.tries, 2);
  EXPECT_EQ(text("/c/index"), "part-1-2\n");
  EXPECT_EQ(text("/c/part-1-2.open"), "part");
  EXPECT_EQ(text("/c/part-1-1.open"), "(none)");
  EXPECT_EQ(row("next"), "2");
  EXPECT_EQ(row("begun"), "(none)");
  ASSERT_EQ(troubles_.size(), 2u);
  EXPECT_NE(troubles_[0], "");
  EXPECT_EQ(troubles_[1], "");
}

TEST_F(CommitterTest, GoesOnInAnotherFileWhenASyncFails) {
  add("one");
  settle();
  files_.inject_failure(MemoryFiles::Operation::sync, 1, "first");
  add("two");
  settle();
  EXPECT_EQ(committer_.groups(), 2u);
  EXPECT_EQ(text("/c/first"), "one\n");
  EXPECT_EQ(text("/c/first.2"), "two\n");
}

// Nobody knows what a store holds whose write failed: only dying and recovering tells.
TEST_F(CommitterTest, EndsWhenTheStoreFails) {
  store_writes_left_ = 0;
  add("one");
  settle();
  EXPECT_TRUE(committer_.is_fatal());
  EXPECT_THAT(committer_.trouble(), HasSubstr("the store is gone"));
  EXPECT_EQ(nursery_.running(), 0u);
  EXPECT_FALSE(committer_.committed_everything());
  EXPECT_THAT(history_, ElementsAre("stage first 1", "stage index 1"));
}

TEST_F(CommitterTest, EndsWhenTheStoreFailsAheadOfTheGroup) {
  store_writes_left_ = 0;
  rolled_.add("part");
  committer_.commit_soon();
  settle();
  EXPECT_TRUE(committer_.is_fatal());
  EXPECT_EQ(text("/c/part-1-1.open"), "(none)");
}

TEST_F(CommitterTest, EndsAtALimitOfTheProcess) {
  files_.set_gate([](MemoryFiles::Operation operation, const std::string& path) -> Result<void> {
    if (operation == MemoryFiles::Operation::append && path.ends_with("first"))
      return fail(ErrorCode::limit, "files may not grow any more");
    return {};
  });
  add("one");
  settle();
  EXPECT_TRUE(committer_.is_fatal());
  EXPECT_EQ(nursery_.running(), 0u);
}

TEST_F(CommitterTest, EndsWhenAParticipantFails) {
  add("one");
  committer_.fail(Error{ErrorCode::corrupt, "half of it"});
  settle();
  EXPECT_TRUE(committer_.is_fatal());
  EXPECT_TRUE(history_.empty());
  EXPECT_EQ(nursery_.running(), 0u);
}

TEST_F(CommitterTest, ClosesAfterALastGroup) {
  rolled_.add("part");
  add("one");
  committer_.close();
  settle();
  EXPECT_TRUE(committer_.committed_everything());
  EXPECT_EQ(nursery_.running(), 0u);
  EXPECT_EQ(text("/c/first"), "one\n");
  EXPECT_EQ(text("/c/part-1-1"), "part");  // under its final name
}

TEST_F(CommitterTest, DoesNotWaitForRoomAtTheEnd) {
  files_.set_free_space(0);
  add("one");
  committer_.close();
  settle_for(1s);
  EXPECT_EQ(nursery_.running(), 0u);
  EXPECT_FALSE(committer_.committed_everything());
  EXPECT_FALSE(committer_.is_fatal());
}

TEST_F(CommitterTest, DoesWorkBetweenTwoGroups) {
  std::vector<std::string> seen;
  Result<void> outcome = fail(ErrorCode::io, "not done");
  const auto ask = [&]() -> aio::Task<void> {
    std::function<Committer::Work()> prepare = [&] {
      seen.push_back("prepared");
      return Committer::Work([&]() -> Result<void> {
        seen.push_back(text("/c/part-1-1"));
        return {};
      });
    };
    outcome = co_await committer_.at_commit(std::move(prepare));
  };
  rolled_.add("part");
  nursery_.spawn(ask());
  settle();
  EXPECT_TRUE(outcome);
  // Its group closes files, and is durable before the work.
  EXPECT_THAT(seen, ElementsAre("prepared", "part"));
  committer_.close();
  settle();
  outcome = {};
  nursery_.spawn(ask());
  settle();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::conflict);
}

TEST_F(CommitterTest, TellsWhoWaitsThatNothingMoreIsWritten) {
  Result<void> outcome;
  const auto ask = [&]() -> aio::Task<void> {
    std::function<Committer::Work()> prepare = [] { return Committer::Work([]() -> Result<void> { return {}; }); };
    outcome = co_await committer_.at_commit(std::move(prepare));
  };
  store_writes_left_ = 0;
  nursery_.spawn(ask());
  settle();
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message, HasSubstr("the store is gone"));
}

TEST(CommitGroupTest, JoinsTheBytesOfAStream) {
  CommitGroup group({.number = 7, .memory = 5});
  group.append("a", "1");
  group.append("b", "");
  group.append("a", "2");
  EXPECT_EQ(group.appended("a"), "12");
  EXPECT_EQ(group.appended("b"), "");
  EXPECT_EQ(group.bytes().size(), 1u);
  EXPECT_EQ(group.number(), 7u);
}

}  // namespace
}  // namespace caddis::commit
