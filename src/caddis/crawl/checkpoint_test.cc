#include "caddis/crawl/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/collection/launch.h"
#include "caddis/crawl/fork.h"
#include "caddis/crawl/state_format.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/io/memory_files.h"
#include "caddis/store/memory_kv.h"
#include "faults/sim_disk.h"

namespace caddis::crawl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Checkpoint example() {
  Checkpoint one;
  one.name = "nightly";
  one.number = 7;
  one.is_kept = true;
  one.taken = WallTime(std::chrono::microseconds(1'790'000'000'123'456));
  one.launch = "crawl-20260922000000";
  one.format = "caddis-crawl 9";
  one.documents = 12;
  one.bytes = 3456;
  one.queued = 78;
  one.seen = 90;
  one.logs = {{"crawl.log", 1000, "crawl.log"}, {"seen", 720, "seen.2"}};
  one.seen_parts = {{"seen", 80, "seen"}, {"seen", 640, "seen.2"}};
  return one;
}

// docs/formats/checkpoint.md shows these bytes.
constexpr const char* kGolden =
    "caddis-checkpoint 1\n"
    "name: nightly\n"
    "number: 7\n"
    "kept: yes\n"
    "time: 2026-09-21T14:13:20.123456Z\n"
    "launch: crawl-20260922000000\n"
    "state: caddis-crawl 9\n"
    "documents: 12\n"
    "bytes: 3456\n"
    "queued: 78\n"
    "seen: 90\n"
    "log: 1000 crawl.log crawl.log\n"
    "log: 720 seen seen.2\n"
    "seen-part: 80 seen seen\n"
    "seen-part: 640 seen seen.2\n"
    "end\n";

TEST(Manifest, IsTextAndBack) {
  EXPECT_EQ(format_manifest(example()), kGolden);
  const auto read = parse_manifest(kGolden);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, example());
}

TEST(Manifest, IsRefusedWhereItIsNone) {
  const std::string golden = kGolden;
  for (const std::string& text :
       {std::string(), std::string("caddis-checkpoint"), golden.substr(0, golden.size() - 4), golden.substr(0, 200),
        "x" + golden, std::string("caddis-checkpoint 1\nend\n"), std::string("caddis-checkpoint 1\nbytes: -1\nend\n"),
        std::string("caddis-checkpoint 1\nlog: 1 ../x\nend\n"),
        std::string("caddis-checkpoint 1\nseen-part: 1 seen ../x\nend\n")}) {
    const auto read = parse_manifest(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::corrupt) << text;
  }
  EXPECT_EQ(parse_manifest("caddis-checkpoint 2\nend\n").error().code, ErrorCode::unsupported);
}

TEST(Checkpoint, NamesAreThoseOfFiles) {
  for (const char* name : {"a", "nightly", "2026-01-02_x.y", "cp00001-20261121073000"})
    EXPECT_TRUE(is_checkpoint_name(name)) << name;
  for (const char* name : {"", "latest", ".hidden", "a/b", "a b", "x.tmp", "ä", ".."})
    EXPECT_FALSE(is_checkpoint_name(name)) << name;
  EXPECT_FALSE(is_checkpoint_name(std::string(65, 'a')));
  EXPECT_TRUE(is_checkpoint_name(automatic_name(1, WallTime(std::chrono::seconds(1'790'000'000)))));
}

class CheckpointFiles : public ::testing::Test {
 protected:
  CheckpointFiles() {
    disk.save_to(files);
    kv = *disk.open(family_names());
    EXPECT_TRUE(files.make_dirs(launch.state()));
    EXPECT_TRUE(files.write_atomically(launch.seen_log(), "12345678"));
  }
  Result<void> take(const std::string& name, uint64_t number) {
    Checkpoint one = example();
    one.name = name;
    one.number = number;
    one.seen_parts = {{"seen", 8, "seen"}};
    return write_checkpoint(files, *kv, launch, one);
  }
  std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const Checkpoint& one : list_checkpoints(files, launch)->complete) names.push_back(one.name);
    return names;
  }

  io::MemoryFiles files;
  store::MemoryKvDisk disk;
  std::unique_ptr<store::Kv> kv;
  collection::Launch launch{"/c", "crawl-20260922000000"};
};

TEST_F(CheckpointFiles, AreListedByNumber) {
  EXPECT_TRUE(names().empty());
  ASSERT_TRUE(take("b", 1));
  ASSERT_TRUE(take("a", 2));
  EXPECT_THAT(names(), ElementsAre("b", "a"));
  EXPECT_EQ(find_checkpoint(files, launch, "latest")->name, "a");
  EXPECT_EQ(find_checkpoint(files, launch, "b")->number, 1u);
  EXPECT_EQ(take("b", 3).error().code, ErrorCode::conflict);
  ASSERT_TRUE(remove_checkpoint(files, launch, "a"));
  EXPECT_THAT(names(), ElementsAre("b"));
  EXPECT_EQ(*files.read_all(checkpoint_folder(launch, "b") + "/seen/seen"), "12345678");
}

// Dying at each of its operations: there is a whole one or none, and the next attempt succeeds.
TEST_F(CheckpointFiles, AreWholeOrNotThere) {
  for (uint64_t operations = 0;; ++operations) {
    uint64_t left = operations;
    files.set_gate([&](io::MemoryFiles::Operation, const std::string&) -> Result<void> {
      if (left == 0) return fail(ErrorCode::io, "the power is off");
      --left;
      return {};
    });
    const bool done = take("x", 1).has_value();
    files.set_gate({});
    SeededRandom random(operations);
    files.crash(random);
    const auto found = list_checkpoints(files, launch);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->damaged.empty()) << operations;
    if (done) {
      EXPECT_THAT(names(), ElementsAre("x"));
      EXPECT_GT(operations, 10u);
      return;
    }
    for (const std::string& name : found->incomplete) ASSERT_TRUE(remove_checkpoint(files, launch, name));
    for (const Checkpoint& one : found->complete) ASSERT_TRUE(remove_checkpoint(files, launch, one.name));
    EXPECT_TRUE(names().empty());
  }
}

std::vector<std::string> keys(store::Kv& kv, store::Family family) {
  std::vector<std::string> keys;
  const auto rows = kv.cursor(family);
  for (rows->seek(""); rows->valid(); rows->next()) keys.emplace_back(rows->key());
  return keys;
}

// What was the other launch's own stays behind: files, counts, groups that could be taken back, actions it had done.
TEST(Fork, TakesWhatIsKnownAndWaitsAndNothingElse) {
  constexpr store::Family kHosts = 3;
  testing::SimDisk disk(1);
  const collection::Launch old{"/c", "crawl-20260922000000"}, fresh{"/d", "crawl-20260923000000"};
  for (const collection::Launch& launch : {old, fresh}) ASSERT_TRUE(disk.files.make_dirs(launch.state()));
  ASSERT_TRUE(disk.files.write_atomically(old.seen_log(), "12345678later..."));
  const auto open = disk.kv_opener();
  {
    const auto kv = open(old.store(), family_names());
    ASSERT_TRUE(kv) << kv.error().message;
    store::Batch batch;
    for (const std::string_view kept : {kFormatRow, kIdentityRow, kSettingsRow})
      batch.put(kMeta, std::string(kept), std::string(kFormat));
    batch.put(kMeta, std::string(kSeedRow) + "http://a.test/", "given");
    for (const std::string_view own : {kBegunRow, kGroupRow, kLossRow, kLostCapturesRow, kActionRow})
      batch.put(kMeta, std::string(own) + "1", "x");
    batch.put(kMeta, std::string(kSerialRow), "7");
    batch.put(kStreams, "warc", "x");
    batch.put(kStatistics, "total", "x");
    batch.put(kHosts, "host", "x");
    ASSERT_TRUE((*kv)->write(batch, store::Durability::synced));
    Checkpoint one = example();
    one.format = kFormat;
    one.seen_parts = {{"seen", 8, "seen"}};
    ASSERT_TRUE(write_checkpoint(disk.files, **kv, old, one));
  }
  for (const std::string& path : {std::string("/c"), old.folder(), checkpoint_folder(old, "nightly")}) {
    if (path == "/c") ASSERT_TRUE(disk.files.write_atomically(old.settings_file(), ""));
    const auto source = find_fork_source(disk.files, path);
    ASSERT_TRUE(source) << path << ": " << source.error().message;
    EXPECT_EQ(source->crawl_name(), "crawl");
  }
  EXPECT_EQ(find_fork_source(disk.files, "/nowhere").error().code, ErrorCode::not_found);
  const auto source = find_fork_source(disk.files, "/c");
  const auto taken = fork_state(disk.files, open, *source, fresh);
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(taken->next_serial, 7u);
  const auto kv = &taken->kv;
  EXPECT_THAT(keys(**kv, kMeta), ElementsAre("format", "identity", "seed:http://a.test/", "settings"));
  EXPECT_THAT(keys(**kv, kStreams), ElementsAre(std::string("seen\0\0\0\0\1", 9)));
  EXPECT_TRUE(keys(**kv, kStatistics).empty());
  EXPECT_THAT(keys(**kv, kHosts), ElementsAre("host"));
  EXPECT_EQ(*disk.files.read_all(fresh.seen_log()), "12345678");
}

TEST(StateFormat, TellsOlderFromNewer) {
  EXPECT_TRUE(check_format(kFormat, "c"));
  EXPECT_THAT(check_format("caddis-crawl 1", "c").error().message, HasSubstr("older"));
  EXPECT_THAT(check_format("caddis-crawl 99", "c").error().message, HasSubstr("newer"));
  EXPECT_THAT(check_format("something", "c").error().message, HasSubstr("no state"));
  EXPECT_EQ(check_format("caddis-crawl 1", "c").error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace caddis::crawl
