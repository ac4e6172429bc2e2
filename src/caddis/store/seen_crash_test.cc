// The promise of the seen-set: after any death it holds exactly the committed rows of its log, whatever it was writing,
// merging, naming or removing at that moment.
#include <gtest/gtest.h>

#include <memory>
#include <unordered_set>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/store/seen.h"
#include "caddis/store/streams.h"
#include "faults/sim_disk.h"

namespace caddis::store {
namespace {

constexpr const char* kRow = "seen-runs";

// A process whose only business is a seen-set and its log, committed as those of a crawl are.
class Lives {
 public:
  explicit Lives(uint64_t seed)
      : disk_(seed), budget_(100 + disk_.random.below(1500)), commits_kept_(disk_.random.below(4)) {}

  // From recovery to death.
  void live(uint64_t power_left) {
    disk_.cut_power_after(power_left);
    if (begin())
      while (!disk_.power_is_off() && group()) {
      }
    finished_ = !disk_.power_is_off();
    end();
  }
  void check() {
    disk_.disarm();
    ASSERT_TRUE(begin());
    end();
  }
  bool finished() const { return finished_; }
  size_t runs() const { return runs_; }
  uint64_t released() const { return released_; }
  uint64_t operations() const { return disk_.operations(); }

 private:
  uint64_t below(uint64_t bound) { return disk_.random.below(bound); }
  void end() {
    disk_.crash();
    seen_.reset();
    streams_.reset();
    kv_.reset();
  }
  bool failed(const Error& error) {
    EXPECT_TRUE(disk_.power_is_off()) << error.message;
    return false;
  }

  bool begin() {
    auto kv = disk_.kv_opener()("db", {"meta", "streams"});
    if (!kv) return failed(kv.error());
    kv_ = *std::move(kv);
    auto streams = StreamSet::open(disk_.files, *kv_, 1, "/c/orphans", "/c");
    if (!streams) return failed(streams.error());
    streams_ = *std::move(streams);
    const auto plan = streams_->inspect({"/c/logs"}, nullptr);
    if (!plan) return failed(plan.error());
    if (auto applied = streams_->apply(*plan); !applied) return failed(applied.error());
    if (auto opened = streams_->open_stream("seen", "/c/logs/seen"); !opened) return failed(opened.error());
    const auto row = kv_->get(0, kRow);
    if (!row) return failed(row.error());
    const LogParts parts = streams_->parts("seen");
    SeenLog log{.parts = {}, .released = parts.released / 8};
    uint64_t rows = log.released;
    for (const auto& part : parts.parts) {
      log.parts.push_back({part.path, {}});
      rows += part.length / 8;
    }
    seen_ = std::make_unique<SeenSet>();
    seen_->spill_to(disk_.files, "/c/runs", budget_, commits_kept_);
    const auto loaded = seen_->load(disk_.files, *row, log);
    if (!loaded) return failed(loaded.error());
    EXPECT_EQ(*loaded, "");
    EXPECT_GE(rows, committed_);
    log_.resize(rows);
    rows_.clear();
    return expect_committed();
  }

  bool expect_committed() {
    known_ = std::unordered_set<uint64_t>(log_.begin(), log_.end());
    EXPECT_EQ(seen_->size(), known_.size());
    for (const uint64_t f : log_) {
      const auto found = seen_->contains(f);
      if (!found) return failed(found.error());
      EXPECT_TRUE(*found) << f;
    }
    for (int i = 0; i < 20; ++i) {
      const auto found = seen_->contains(disk_.random.next());
      if (!found) return failed(found.error());
      EXPECT_FALSE(*found);
    }
    return true;
  }

  // Some batches and steps of tasks between two commits, in any order; a commit may be under way meanwhile.
  bool group() {
    for (uint64_t i = below(6); i > 0; --i) {
      if (below(2) == 0 ? !insert() : !work()) return false;
    }
    if (streams_->committed_length("seen") >= seen_->log_file_bytes())
      if (auto rolled = streams_->roll_log("seen"); !rolled) return failed(rolled.error());
    streams_->release("seen", seen_->held_rows() * 8, commits_kept_);
    if (auto appended = streams_->append("seen", rows_); !appended) return failed(appended.error());
    const size_t staged = log_.size();
    rows_.clear();
    Batch batch;
    if (auto row = seen_->stage()) batch.put(0, kRow, *row);
    for (uint64_t i = below(3); i > 0; --i) {
      if (below(2) == 0 ? !insert() : !work()) return false;
    }
    if (auto synced = streams_->sync(); !synced) return failed(synced.error());
    streams_->stage_lengths(batch);
    if (auto written = kv_->write(batch, Durability::synced); !written) return failed(written.error());
    committed_ = staged;
    seen_->committed();
    if (auto renamed = streams_->committed(); !renamed) return failed(renamed.error());
    runs_ = std::max(runs_, seen_->runs());
    released_ = std::max(released_, streams_->parts("seen").released / 8);
    return below(12) != 0;
  }

  bool insert() {
    std::vector<uint64_t> batch(below(60));
    for (uint64_t& f : batch) f = below(3) == 0 && !log_.empty() ? log_[below(log_.size())] : disk_.random.next() >> 40;
    const auto is_new = std::make_unique<bool[]>(batch.size());
    if (auto done = seen_->insert_batch(batch, std::span(is_new.get(), batch.size())); !done)
      return failed(done.error());
    for (size_t i = 0; i < batch.size(); ++i) {
      EXPECT_EQ(is_new[i], known_.insert(batch[i]).second);
      if (!is_new[i]) continue;
      log_.push_back(batch[i]);
      append_fingerprint(rows_, batch[i]);
    }
    return true;
  }

  bool work() {
    SeenTask* const task = seen_->next_task();
    if (task == nullptr) return true;
    const auto stepped = task->step();
    seen_->settle(stepped);
    return stepped ? true : failed(stepped.error());
  }

  testing::SimDisk disk_;
  uint64_t budget_, commits_kept_;
  std::unique_ptr<Kv> kv_;
  std::unique_ptr<StreamSet> streams_;
  std::unique_ptr<SeenSet> seen_;
  std::vector<uint64_t> log_;  // every row, in order
  std::unordered_set<uint64_t> known_;
  std::string rows_;  // of the next group
  size_t committed_ = 0;
  size_t runs_ = 0;
  uint64_t released_ = 0;
  bool finished_ = false;
};

TEST(SeenCrash, HoldsExactlyWhatIsCommitted) {
  size_t most_runs = 0;
  uint64_t released = 0;
  for (uint64_t seed = 0; seed < 200 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Lives lives(seed);
    SeededRandom random(seed + 1'000'000);
    for (uint64_t life = 2 + random.below(8); life > 0 && !HasFailure(); --life)
      lives.live(random.below(random.below(3) == 0 ? 12 : 250));
    lives.check();
    most_runs = std::max(most_runs, lives.runs());
    released += lives.released();
  }
  EXPECT_GT(most_runs, 3u);
  EXPECT_GT(released, 10'000u);
}

// The same life cut at each of its operations in turn.
TEST(SeenCrash, EachOperationMayBeTheLast) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    uint64_t cut = 0;
    for (bool whole = false; !whole && !HasFailure(); ++cut) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", power for " + std::to_string(cut) + " operations");
      Lives lives(seed);
      lives.live(cut);
      whole = lives.finished();
      lives.check();
      ASSERT_LT(cut, 5000u);
    }
  }
}

}  // namespace
}  // namespace caddis::store
