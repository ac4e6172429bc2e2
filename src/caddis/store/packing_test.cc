// Closed files of logs as gzip: what is in them, and what recovery makes of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/store/memory_kv.h"
#include "caddis/store/packed_log.h"
#include "caddis/store/stream_repair.h"
#include "caddis/store/streams.h"

namespace caddis::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class PackedLogs : public ::testing::Test {
 protected:
  PackedLogs() {
    EXPECT_TRUE(files.make_dirs("/c/logs"));
    EXPECT_THAT(start().orphans, IsEmpty());
  }

  // Returns the plan, which was applied unless a repair is needed.
  StreamPlan start() {
    set.reset();
    kv.reset();
    kv = std::move(*disk.open({"streams"}));
    set = std::move(*StreamSet::open(files, *kv, 0, "/c/state/orphans", "/c"));
    const StreamPlan plan = *set->inspect({"/c/logs"}, nullptr);
    EXPECT_EQ(set->apply(plan).has_value(), !plan.needs_repair());
    return plan;
  }
  StreamPlan crash_and_start() {
    files.crash(random);
    disk.crash(random);
    return start();
  }
  void commit() {
    ASSERT_TRUE(set->sync());
    Batch batch;
    set->stage_lengths(batch);
    ASSERT_TRUE(kv->write(batch, Durability::synced));
    ASSERT_TRUE(set->committed());
  }
  // A file that is safe.
  void put(const std::string& path, std::string_view bytes) { ASSERT_TRUE(files.write_atomically(path, bytes)); }
  std::string content(const std::string& path) { return files.read_all(path).value_or("missing"); }
  std::vector<std::string> names(const std::string& folder) {
    std::vector<std::string> all;
    for (const auto& entry : *files.list(folder)) all.push_back(entry.name);
    return all;
  }

  SeededRandom random{1};
  io::MemoryFiles files;
  MemoryKvDisk disk;
  std::unique_ptr<Kv> kv;
  std::unique_ptr<StreamSet> set;
};

TEST_F(PackedLogs, ClosedFilesOfALogArePacked) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/log"));
  set->packing().follow({"log"}, 1);
  std::string text;
  while (text.size() < 9'000'000) text += "a line of a log, the " + std::to_string(text.size()) + "th byte\n";
  ASSERT_TRUE(set->append("log", text));
  commit();
  ASSERT_TRUE(set->roll_log("log"));
  ASSERT_TRUE(set->append("log", "next\n"));
  // So much is packed with each commit, and then the file stays for one more.
  int commits = 0;
  for (; !files.exists("/c/logs/log.gz") && commits < 10; ++commits) {
    ASSERT_TRUE(set->append("log", "next\n"));
    commit();
  }
  EXPECT_EQ(commits, 2);
  EXPECT_EQ(content("/c/logs/log"), text);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(set->append("log", "next\n"));
    commit();
  }
  EXPECT_THAT(names("/c/logs"), ElementsAre("log.2", "log.gz"));
  EXPECT_EQ(io::gunzip_all(content("/c/logs/log.gz"), 1 << 30).value_or(""), text);
  EXPECT_EQ(*length_of_packed(files, "/c/logs/log.gz"), text.size());

  // Recovery is content with it.
  const auto report = crash_and_start();
  EXPECT_THAT(report.shorter, IsEmpty());
  EXPECT_THAT(report.unpacked, IsEmpty());
  EXPECT_THAT(names("/c/logs"), ElementsAre("log.2", "log.gz"));
}

// Whoever looks for a place in it goes from header to header: each says how long its member is, packed and not.
TEST_F(PackedLogs, MembersOfAPackedLogSayHowLongTheyAre) {
  std::string text;
  while (text.size() < 3'500'000) text += "line " + std::to_string(text.size()) + "\n";
  put("/c/logs/log", text);
  ASSERT_TRUE(*LogPacker(files, "/c/logs/log", text.size()).step(1 << 30));
  const std::string packed = content("/c/logs/log.gz");
  const auto number = [&](size_t at) {
    uint32_t value = 0;
    for (size_t i = 4; i-- > 0;) value = value << 8 | static_cast<uint8_t>(packed[at + i]);
    return value;
  };
  size_t at = 0, plain = 0, members = 0;
  while (packed.substr(at + 12, 2) == "CL") {
    const uint32_t length = number(at + 16), lines = number(at + 20);
    const std::string part = io::gunzip_all(packed.substr(at, length), 2 << 20).value_or("damaged");
    EXPECT_EQ(part, text.substr(plain, lines));
    EXPECT_TRUE(part.ends_with('\n'));
    EXPECT_LE(part.size(), size_t{1} << 20);
    at += length;
    plain += lines;
    ++members;
  }
  EXPECT_EQ(members, 4u);
  EXPECT_EQ(plain, text.size());
  EXPECT_EQ(packed.substr(at + 12, 2), "CE");
  // Cut anywhere it is not whole.
  for (const size_t length : {packed.size() - 1, at, size_t{5}}) {
    put("/c/logs/cut.gz", packed.substr(0, length));
    EXPECT_EQ(*length_of_packed(files, "/c/logs/cut.gz"), std::nullopt);
    ASSERT_TRUE(files.remove("/c/logs/cut.gz"));
  }
}

// As a checkpoint does that named a place in it.
TEST_F(PackedLogs, APackedFileIsUnpackedWhereItIsToBeCut) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/log"));
  ASSERT_TRUE(set->append("log", "one\n"));
  commit();
  const StreamEnds place = set->ends();
  ASSERT_TRUE(set->append("log", "two\n"));
  commit();
  set->packing().follow({"log"}, 0);
  ASSERT_TRUE(set->roll_log("log"));
  ASSERT_TRUE(set->append("log", "three\n"));
  commit();
  set->packing().finish(UINT64_MAX);
  EXPECT_THAT(names("/c/logs"), ElementsAre("log.2", "log.gz"));

  set.reset();
  auto repair = StreamRepair::open(files, *kv, 0, "/c/state/orphans", "/c");
  ASSERT_TRUE(repair);
  EXPECT_THAT(*repair->shorter(), IsEmpty());
  repair->go_back(place);
  Batch batch;
  repair->stage(batch);
  ASSERT_TRUE(kv->write(batch, Durability::synced));
  ASSERT_TRUE(repair->move_aside());
  const auto report = crash_and_start();
  EXPECT_THAT(report.unpacked, ElementsAre("/c/logs/log"));
  ASSERT_THAT(report.cuts, SizeIs(1));
  EXPECT_EQ(content(report.cuts[0].saved_as), "two\n");
  EXPECT_EQ(content("/c/logs/log"), "one\n");
  EXPECT_FALSE(files.exists("/c/logs/log.gz"));
}

// A disk that lies may lose what is packed; a file that is there as it was still has it all.
TEST_F(PackedLogs, APackedFileThatIsNotWholeIsMissed) {
  ASSERT_TRUE(set->open_stream("log", "/c/logs/log"));
  ASSERT_TRUE(set->append("log", "one\n"));
  commit();
  set->packing().follow({"log"}, 5);
  ASSERT_TRUE(set->roll_log("log"));
  ASSERT_TRUE(set->append("log", "two\n"));
  commit();
  const std::string packed = content("/c/logs/log.gz");
  ASSERT_EQ(content("/c/logs/log"), "one\n");
  ASSERT_TRUE(files.remove("/c/logs/log.gz"));
  put("/c/logs/log.gz", packed.substr(0, packed.size() / 2));
  EXPECT_THAT(crash_and_start().shorter, IsEmpty());
  EXPECT_EQ(content("/c/logs/log"), "one\n");
  EXPECT_FALSE(files.exists("/c/logs/log.gz"));

  ASSERT_TRUE(files.remove("/c/logs/log"));
  put("/c/logs/log.gz", packed.substr(0, packed.size() / 2));
  const auto report = crash_and_start();
  ASSERT_THAT(report.shorter, SizeIs(1));
  EXPECT_EQ(report.shorter[0].at, "/c/logs/log.gz");
  EXPECT_FALSE(report.shorter[0].is_missing);
}

}  // namespace
}  // namespace caddis::store
