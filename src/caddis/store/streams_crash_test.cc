// The promise of committed streams, under thousands of random lives and deaths: after recovery every stream holds
// exactly the committed bytes, no other file lies in the folders, and what was taken away is among the orphans.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "caddis/io/gzip.h"
#include "caddis/store/streams.h"
#include "faults/sim_disk.h"

namespace caddis::store {
namespace {

using testing::SimDisk;
using Operation = io::MemoryFiles::Operation;

const std::vector<std::string> kLogs = {"crawl.log", "seen"};
const std::vector<std::string> kRolled = {"warc", "cdx"};

// What the committed world looks like: the bytes of each file, by final path.
using Contents = std::map<std::string, std::string>;

class Lives {
 public:
  explicit Lives(uint64_t seed, bool with_failures, bool packs = false)
      : disk_(seed), with_failures_(with_failures), packs_(packs) {}

  // One process, from recovery to its death.
  void live(uint64_t power_left) {
    disk_.cut_power_after(power_left);
    if (begin() && open_logs()) {
      while (!disk_.power_is_off() && group()) {
      }
    }
    finished_ = !disk_.power_is_off();
    disk_.crash();
    set_.reset();
    kv_.reset();
  }
  // A process that only looks: everything must be as committed, and looking again changes nothing.
  void check() {
    disk_.disarm();
    ASSERT_TRUE(begin());
    set_.reset();
    kv_.reset();
    ASSERT_TRUE(begin());
    EXPECT_EQ(plan_, StreamPlan());
    set_.reset();
    kv_.reset();
    disk_.crash();
  }
  uint64_t operations() const { return disk_.operations(); }
  bool finished() const { return finished_; }
  size_t groups() const { return groups_; }
  size_t packed() const { return packed_; }

 private:
  uint64_t below(uint64_t bound) { return disk_.random.below(bound); }

  bool begin() {
    auto kv = disk_.kv_opener()("state", {"rows", "streams"});
    if (!kv) return false;
    kv_ = std::move(*kv);
    auto set = StreamSet::open(disk_.files, *kv_, 1, "/c/orphans", "/c");
    if (!set) return false;
    set_ = std::move(*set);
    auto plan = set_->inspect({"/c/archive", "/c/logs"}, nullptr);
    const auto applied = plan ? set_->apply(*plan) : Result<void>();
    if (!plan || !applied) {
      EXPECT_TRUE(disk_.power_is_off()) << (plan ? applied.error() : plan.error()).message;
      return false;
    }
    if (disk_.power_is_off()) return false;  // while it removed what nobody needs
    plan_ = std::move(*plan);
    EXPECT_FALSE(plan_.needs_repair());
    for (const auto& cut : plan_.cuts) {
      expect_tail(cut);
      keep_in_mind(cut.saved_as);
    }
    for (const auto& orphan : plan_.orphans) keep_in_mind(orphan.to);
    expect_committed();
    next_ = committed_;
    return true;
  }

  bool open_logs() {
    if (packs_) set_->packing().follow({kLogs.begin(), kLogs.end()}, below(3));
    for (const std::string& name : kLogs) {
      if (!set_->open_stream(name, "/c/logs/" + name)) return false;
      next_.try_emplace(set_->path(name));
    }
    return true;
  }

  void append(const std::string& name) {
    std::string bytes(below(below(8) == 0 ? 300 : 12), '\0');
    for (char& c : bytes) c = static_cast<char>('a' + below(26));
    const auto position = set_->append(name, bytes);
    if (!position) return;
    std::string& known = next_[position->path];
    EXPECT_EQ(position->offset, known.size());
    known += bytes;
    written_[position->path].insert(known);
  }

  // One group: random work, then the commit. False when the process is to end.
  bool group() {
    if (const std::string& log = kLogs[below(packs_ ? 2 * kLogs.size() : 1) % kLogs.size()];
        packs_ && below(3) == 0 && set_->committed_length(log) > 0 && set_->roll_log(log))
      next_.try_emplace(set_->path(log));
    for (uint64_t i = below(8); i > 0; --i) {
      const std::string& rolled = kRolled[below(kRolled.size())];
      switch (below(6)) {
        case 0:
          if (const std::string path = "/c/archive/" + rolled + std::to_string(serial_++);
              set_->roll_stream(rolled, path, ".open")) {
            next_.try_emplace(path);
          }
          break;
        case 1:
          if (set_->has_open(rolled) && below(3) == 0) (void)set_->close_stream(rolled);
          break;
        case 2:
        case 3:
          if (set_->has_open(rolled)) append(rolled);
          break;
        default:
          append(kLogs[below(kLogs.size())]);
      }
    }
    if (with_failures_ && below(3) == 0) {
      const Operation kinds[] = {Operation::append, Operation::sync, Operation::sync_dir, Operation::rename};
      disk_.files.inject_failure(kinds[below(4)], 1 + below(4));
    }
    return commit() && below(12) != 0;
  }

  bool commit() {
    if (auto synced = set_->sync(); !synced) {
      while (!disk_.power_is_off() && !set_->abandon_failed()) {
      }
      if (disk_.power_is_off()) return false;
      next_ = committed_;
      for (const std::string& name : kLogs) next_.try_emplace(set_->path(name));
      return true;
    }
    Batch batch;
    batch.put(0, "group", std::to_string(groups_));
    set_->stage_lengths(batch);
    if (below(4) == 0) {
      // Writes of others, which may be lost.
      Batch lazy;
      lazy.put(0, "note", std::to_string(groups_));
      (void)kv_->write(lazy, Durability::lazy);
    }
    if (!kv_->write(batch, Durability::synced)) return false;
    committed_ = next_;
    ++groups_;
    return set_->committed().has_value() || with_failures_;
  }

  std::string content(const std::string& path) {
    const std::string packed = path + ".gz";
    if (packs_ && !disk_.files.exists(path) && disk_.files.exists(packed)) {
      ++packed_;
      const auto whole = io::gunzip_all(disk_.files.read_all(packed).value_or(""), 1 << 20);
      return whole ? *whole : "damaged: " + whole.error().message;
    }
    const auto bytes = disk_.files.read_all(path);
    return bytes ? *bytes : "missing: " + bytes.error().message;
  }

  void expect_committed() {
    std::set<std::string> open;
    for (const std::string& name : kRolled) {
      if (set_->has_open(name)) open.insert(set_->path(name));
    }
    std::set<std::string> expected;
    for (const auto& [path, bytes] : committed_) {
      const std::string file = path + (open.contains(path) ? ".open" : "");
      EXPECT_EQ(content(file), bytes) << file;
      expected.insert(file);
    }
    std::set<std::string> found;
    for (const std::string folder : {"/c/archive", "/c/logs"}) {
      const auto entries = disk_.files.list(folder);
      if (!entries) continue;
      for (const auto& entry : *entries) {
        std::string path = io::join_path(folder, entry.name);
        if (packs_ && path.ends_with(".gz")) path.resize(path.size() - 3);
        EXPECT_TRUE(found.insert(path).second) << path << " is there twice";
      }
    }
    EXPECT_EQ(found, expected);
    for (const auto& [path, bytes] : orphans_) EXPECT_EQ(content(path), bytes) << path;
  }

  // What a recovery has reported stays where it is, for ever.
  void keep_in_mind(const std::string& path) { EXPECT_TRUE(orphans_.emplace(path, content(path)).second) << path; }

  // What was cut is there, and is what was once appended behind the committed bytes.
  void expect_tail(const StreamPlan::Cut& cut) {
    const std::string saved = content(cut.saved_as);
    EXPECT_EQ(saved.size(), cut.found - cut.committed);
    if (with_failures_) return;  // failed syncs leave zeros
    std::string path = cut.path;
    if (path.ends_with(".open")) path.resize(path.size() - 5);
    const std::string whole = committed_[path] + saved;
    const auto& written = written_[path];
    EXPECT_TRUE(std::ranges::any_of(written, [&](const std::string& bytes) { return bytes.starts_with(whole); }))
        << path;
  }

  SimDisk disk_;
  bool with_failures_;
  bool packs_;  // logs go on in other files, and their closed ones are packed
  std::unique_ptr<Kv> kv_;
  std::unique_ptr<StreamSet> set_;
  StreamPlan plan_;
  Contents committed_;
  Contents next_;
  std::map<std::string, std::set<std::string>> written_;  // every state a file ever had
  Contents orphans_;
  uint64_t serial_ = 0;
  size_t groups_ = 0;
  size_t packed_ = 0;  // contents that were read from packed files
  bool finished_ = false;
};

// Random lives, the power going at random operations: also in recovery, and in the recovery after that.
struct Kind {
  bool with_failures = false, packs = false;
};
class StreamsCrash : public ::testing::TestWithParam<Kind> {};

TEST_P(StreamsCrash, EveryStreamHoldsExactlyWhatWasCommitted) {
  size_t groups = 0, packed = 0;
  for (uint64_t seed = 0; seed < 2000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Lives lives(seed, GetParam().with_failures, GetParam().packs);
    SeededRandom random(seed + 1'000'000);
    for (uint64_t life = 2 + random.below(5); life > 0 && !HasFailure(); --life) {
      lives.live(random.below(random.below(3) == 0 ? 8 : 120));
    }
    lives.check();
    groups += lives.groups();
    packed += lives.packed();
  }
  EXPECT_GT(groups, 4000u);
  EXPECT_EQ(packed > 1000, GetParam().packs) << packed;
}

INSTANTIATE_TEST_SUITE_P(PowerCuts, StreamsCrash, ::testing::Values(Kind{}));
INSTANTIATE_TEST_SUITE_P(PowerCutsAndFailures, StreamsCrash, ::testing::Values(Kind{.with_failures = true}));
INSTANTIATE_TEST_SUITE_P(PackedLogs, StreamsCrash, ::testing::Values(Kind{.packs = true}));
INSTANTIATE_TEST_SUITE_P(PackedLogsAndFailures, StreamsCrash,
                         ::testing::Values(Kind{.with_failures = true, .packs = true}));

// The same life cut at each of its operations in turn.
TEST(StreamsCrashEverywhere, EachOperationMayBeTheLast) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    for (uint64_t cut = 0; !HasFailure(); ++cut) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", power for " + std::to_string(cut) + " operations");
      Lives lives(seed, false, seed % 2 == 1);
      lives.live(cut);
      const bool whole = lives.finished();
      lives.check();
      if (whole) break;
      ASSERT_LT(cut, 5000u);
    }
  }
}

}  // namespace
}  // namespace caddis::store
