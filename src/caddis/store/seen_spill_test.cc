// The seen-set beyond its memory: equal to a plain set whatever is spilled, merged, restarted and damaged.
#include <gtest/gtest.h>

#include <memory>
#include <unordered_set>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/io/memory_files.h"
#include "caddis/store/seen.h"

namespace caddis::store {
namespace {

constexpr const char* kFolder = "/state/seen-runs";
constexpr const char* kLog = "/state/seen";

// A crawl that only has a seen-set: its log and its row are committed together. What may be let go of the log is gone
// at once.
class Crawl {
 public:
  explicit Crawl(uint64_t seed, uint64_t kept = 2) : random(seed), commits_kept(kept) {
    EXPECT_TRUE(files.make_dirs("/state"));
    EXPECT_TRUE(files.open_append(kLog));
  }

  Result<std::string> load(uint64_t budget) {
    seen = std::make_unique<SeenSet>();
    seen->spill_to(files, kFolder, budget, commits_kept);
    SeenLog what{.parts = {}, .released = released, .is_torn = is_torn};
    for (const auto& [path, rows] : parts) what.parts.push_back({path, {}});
    return load_as_inspected(what);
  }
  // Damage is refused unless it may be mended; that changes nothing, and what was found before is what is then done.
  Result<std::string> load_as_inspected(const SeenLog& what) {
    const auto damage = *inspect_seen_runs(files, kFolder, row, released);
    EXPECT_EQ(damage.what.empty(), damage.needs == SeenMending::none) << damage.what;
    for (const SeenMending may : {SeenMending::none, SeenMending::replaced, SeenMending::salvaged}) {
      auto loaded = seen->load(files, row, what, may);
      EXPECT_EQ(loaded.has_value(), damage.needs && may >= *damage.needs)
          << (loaded ? *loaded : loaded.error().message);
      if (loaded || may == SeenMending::salvaged) return loaded;
      EXPECT_TRUE(loaded.error().message.contains(damage.what)) << loaded.error().message;
    }
    return "";
  }
  void begin(uint64_t budget) {
    auto notice = load(budget);
    ASSERT_TRUE(notice) << notice.error().message;
    notices.push_back(*notice);
  }
  // Whatever is not committed is forgotten.
  void restart(uint64_t budget) {
    known.clear();
    for (size_t i = 0; i < committed; ++i) known.insert(log[i]);
    log.resize(committed);
    begin(budget);
  }
  std::vector<uint64_t> some(size_t most) {
    std::vector<uint64_t> batch(random.below(most));
    for (uint64_t& f : batch) {
      const uint64_t kind = random.below(8);
      f = kind == 0 || log.empty() ? random.below(50) : kind < 4 ? log[random.below(log.size())] : random.next();
    }
    return batch;
  }
  void insert(const std::vector<uint64_t>& batch) {
    const auto is_new = std::make_unique<bool[]>(batch.size());
    ASSERT_TRUE(seen->insert_batch(batch, std::span(is_new.get(), batch.size())));
    for (size_t i = 0; i < batch.size(); ++i) {
      ASSERT_EQ(is_new[i], known.insert(batch[i]).second) << batch[i];
      if (is_new[i]) log.push_back(batch[i]);
    }
    ASSERT_EQ(seen->size(), known.size());
  }
  bool work() {
    SeenTask* const task = seen->next_task();
    if (task == nullptr) return false;
    seen->settle(task->step());
    return true;
  }
  void commit() {
    while (!parts.empty() && is_released && released + parts.front().second <= seen->held_rows() && parts.size() > 1) {
      released += parts.front().second;
      ASSERT_TRUE(files.remove(parts.front().first));
      parts.erase(parts.begin());
    }
    if (parts.back().second * 8 >= seen->log_file_bytes()) {
      parts.emplace_back(std::string(kLog) + "." + std::to_string(++generations), 0);
      ASSERT_TRUE(files.open_append(parts.back().first));
    }
    std::string rows;
    parts.back().second += log.size() - committed;
    for (; committed < log.size(); ++committed) append_fingerprint(rows, log[committed]);
    ASSERT_TRUE((*files.open_append(parts.back().first))->append(rows));
    if (auto staged = seen->stage()) row = staged;
    seen->committed();
  }
  uint64_t disk_bytes() {
    uint64_t bytes = 0;
    for (const auto& [path, rows] : parts) bytes += rows * 8;
    for (const auto& entry : *files.list(kFolder)) bytes += entry.size;
    return bytes;
  }
  void expect_equal() {
    ASSERT_EQ(seen->size(), known.size());
    for (const uint64_t f : known) ASSERT_EQ(seen->contains(f), true) << f;
    for (int i = 0; i < 100; ++i) {
      const uint64_t f = random.next();
      ASSERT_EQ(seen->contains(f), known.contains(f));
    }
  }
  // So many that there are runs, all of it committed and the rest of the work done.
  void fill(size_t count) {
    while (log.size() < count && !::testing::Test::HasFailure()) {
      insert(some(200));
      work();
      if (log.size() - committed > 300) commit();
    }
    settle();
  }
  // All work is done, and former states are forgotten.
  void settle() {
    for (uint64_t i = 0; i <= commits_kept + 2; ++i) {
      while (work()) {
      }
      commit();
    }
    while (work()) {
    }
  }

  io::MemoryFiles files;
  SeededRandom random;
  const uint64_t commits_kept;
  std::vector<std::pair<std::string, uint64_t>> parts = {{kLog, 0}};  // of the log: path, rows
  int generations = 1;
  uint64_t released = 0;
  bool is_released = true;
  bool is_torn = false;
  std::unique_ptr<SeenSet> seen;
  std::optional<std::string> row;
  std::unordered_set<uint64_t> known;
  std::vector<uint64_t> log;
  size_t committed = 0;
  std::vector<std::string> notices;
};

TEST(SeenSpill, IsEqualToAPlainSet) {
  size_t most_runs = 0, restarts = 0, released = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    Crawl crawl(seed, seed % 4);
    // From some ten URLs in memory to all of them.
    const auto budget = [&] { return 100ULL << crawl.random.below(17); };
    crawl.begin(budget());
    for (int round = 0; round < 300 && !HasFailure(); ++round) {
      crawl.insert(crawl.some(1 + crawl.random.below(300)));
      for (uint64_t steps = crawl.random.below(4); steps > 0; --steps) crawl.work();
      most_runs = std::max(most_runs, crawl.seen->runs());
      if (crawl.random.below(5) == 0) crawl.commit();
      if (crawl.random.below(40) == 0) {
        crawl.restart(budget());
        crawl.expect_equal();
        ++restarts;
      }
    }
    crawl.expect_equal();
    for (const std::string& notice : crawl.notices) EXPECT_EQ(notice, "");
    released += crawl.released;
    if (HasFailure()) return;
  }
  EXPECT_GT(most_runs, 3u);
  EXPECT_GT(released, 10'000u);
  EXPECT_GT(restarts, 20u);
}

TEST(SeenSpill, AnswersFromMemoryUntilItIsNeeded) {
  Crawl crawl(1);
  constexpr uint64_t kBudget = 2'000'000;
  crawl.begin(kBudget);
  std::vector<uint64_t> first(1000);
  for (uint64_t& f : first) f = crawl.random.next();
  crawl.insert(first);
  uint64_t most = 0;
  for (int round = 0; round < 1500; ++round) {
    std::vector<uint64_t> batch(1000);
    for (uint64_t& f : batch) f = crawl.random.next();
    bool is_new[1000];
    ASSERT_TRUE(crawl.seen->insert_batch(batch, is_new));
    for (int i = 0; i < 4; ++i) crawl.work();
    most = std::max(most, crawl.seen->memory_bytes());
  }
  EXPECT_GT(crawl.seen->runs(), 1u);
  EXPECT_LT(most, kBudget * 5 / 4);
  EXPECT_LT(static_cast<double>(crawl.seen->disk_bytes()), 1.5e6 * 7.1);
  for (const uint64_t f : first) EXPECT_EQ(crawl.seen->contains(f), true);
}

TEST(SeenSpill, TakesNineBytesEachWhenItIsFull) {
  SeenTable table;
  table.expect_at_most(2'000'000);
  SeededRandom random(1);
  while (table.size() < 2'000'000) {
    table.insert(random.next() | 1);
    if (table.size() % 1000 == 0 && table.size() > 200'000) {
      EXPECT_LT(table.memory_bytes(), table.size() * 14);
    }
  }
  EXPECT_LT(static_cast<double>(table.memory_bytes()), 2e6 * 9.3);  // 9.0 in tables of a gigabyte
  std::vector<uint64_t> sorted(table.size() + 1);
  SeenTable::Position position;
  EXPECT_EQ(table.read(position, sorted), table.size());
  sorted.pop_back();
  EXPECT_TRUE(std::ranges::is_sorted(sorted));
}

TEST(SeenSpill, FilesOfNoUseAreRemoved) {
  Crawl crawl(1);
  crawl.begin(2000);
  crawl.fill(10'000);
  EXPECT_EQ(crawl.files.list(kFolder)->size(), crawl.seen->runs());
  // What no commit names, and what is no run at all.
  ASSERT_TRUE((*crawl.files.open_append(std::string(kFolder) + "/999999.run"))->append("x"));
  crawl.restart(2000);
  EXPECT_EQ(crawl.files.list(kFolder)->size(), crawl.seen->runs());
  crawl.expect_equal();
}

TEST(SeenSpill, WritesAgainWhatCouldNotBeWritten) {
  using Operation = io::MemoryFiles::Operation;
  for (const Operation operation : {Operation::open, Operation::append, Operation::sync, Operation::sync_dir}) {
    Crawl crawl(1);
    crawl.begin(2000);
    size_t failures = 0;
    for (uint64_t nth = 1; nth <= 3; ++nth) crawl.files.inject_failure(operation, nth, "seen-runs");
    while (crawl.log.size() < 5000 && !HasFailure()) {
      crawl.insert(crawl.some(200));
      if (SeenTask* const task = crawl.seen->next_task()) {
        const auto stepped = task->step();
        failures += !stepped;
        crawl.seen->settle(stepped);
      }
    }
    EXPECT_EQ(failures, 3u);
    crawl.fill(6000);
    crawl.expect_equal();
    EXPECT_EQ(crawl.files.list(kFolder)->size(), crawl.seen->runs());
  }
}

// Changes one byte of a file, or cuts it.
void damage(io::MemoryFiles& files, const std::string& path, uint64_t at, bool cut) {
  std::string bytes = *files.read_all(path);
  if (cut)
    bytes.resize(at);
  else
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
  ASSERT_TRUE(files.remove(path));
  ASSERT_TRUE((*files.open_append(path))->append(bytes));
}

// One of the runs, at random, or none of them is there any more.
void damage_run(Crawl& crawl, bool removed, bool cut) {
  const auto runs = *crawl.files.list(kFolder);
  const auto& run = runs[crawl.random.below(runs.size())];
  const std::string path = std::string(kFolder) + "/" + run.name;
  if (removed)
    ASSERT_TRUE(crawl.files.remove(path));
  else
    damage(crawl.files, path, crawl.random.below(run.size), cut);
}

TEST(SeenSpill, DamagedRunsAreMadeAnewFromTheLog) {
  for (uint64_t seed = 1; seed <= 20 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Crawl crawl(seed, 0);
    crawl.is_released = false;
    crawl.begin(4000);
    crawl.fill(8000);
    ASSERT_GT(crawl.seen->runs(), 0u);
    damage_run(crawl, seed == 1, seed % 3 == 0);
    crawl.restart(4000);
    EXPECT_TRUE(crawl.notices.back().contains("is damaged")) << crawl.notices.back();
    crawl.expect_equal();
    // Dying before the next commit changes nothing, and after it all is well.
    crawl.restart(4000);
    EXPECT_TRUE(crawl.notices.back().contains("is damaged"));
    crawl.commit();
    crawl.restart(4000);
    EXPECT_EQ(crawl.notices.back(), "");
    crawl.expect_equal();
  }
}

// The log is gone as far as all states of the row hold it: a run that is younger than the others may be missing, and an
// older one is never taken for nothing.
TEST(SeenSpill, DamagedRunsAreReplacedByFormerOnes) {
  size_t replaced = 0, refused = 0;
  for (uint64_t seed = 1; seed <= 40 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Crawl crawl(seed, 4);
    crawl.begin(4000);
    crawl.fill(4000);
    const uint64_t more = crawl.log.size() + 300 + crawl.random.below(3000);
    while (crawl.log.size() < more) {
      crawl.insert(crawl.some(200));
      for (int i = 0; i < 3; ++i) crawl.work();
      crawl.commit();
    }
    const auto states = *decode_seen_states(*crawl.row);
    if (states.size() < 2 || states[0].runs == states[1].runs) continue;
    const bool of_latest = crawl.random.below(3) != 0;
    const uint64_t number = (of_latest ? states[0].runs.back() : states[0].runs.front()).number;
    ASSERT_TRUE(crawl.files.remove(seen_run_path(kFolder, number)));
    const bool is_common = std::ranges::all_of(states, [&](const SeenState& state) {
      return std::ranges::any_of(state.runs, [&](const SeenState::Run& run) { return run.number == number; });
    });
    const auto loaded = crawl.load(4000);
    if (!loaded) {
      ++refused;
      EXPECT_TRUE(is_common && crawl.released > 0);
      EXPECT_EQ(loaded.error().code, ErrorCode::corrupt);
      continue;
    }
    ++replaced;
    EXPECT_TRUE(!is_common || crawl.released == 0);
    EXPECT_TRUE(loaded->contains("is damaged")) << *loaded;
    crawl.restart(4000);
    crawl.expect_equal();
    crawl.fill(crawl.log.size() + 2000);
    crawl.restart(4000);
    EXPECT_EQ(crawl.notices.back(), "");
    crawl.expect_equal();
  }
  EXPECT_GT(replaced, 0u);
  EXPECT_GT(refused, 0u);
}

// A run that nothing can replace: what a disk has left of it is kept, and the rest of the log fills what it can.
TEST(SeenSpill, DamagedRunsAreSalvaged) {
  uint64_t lost_in_all = 0;
  for (uint64_t seed = 1; seed <= 20 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Crawl crawl(seed, 2);
    crawl.begin(4000);
    crawl.fill(8000);
    crawl.settle();
    for (int i = 0; i < 5; ++i) crawl.commit();
    ASSERT_GT(crawl.released, 0u);
    const SeenState::Run run = decode_seen_states(*crawl.row)->front().runs.front();
    const std::string path = seen_run_path(kFolder, run.number);
    const uint64_t at = crawl.random.below(run.values * SeenRunShape(run.values).width);
    damage(crawl.files, path, at, false);
    for (const bool is_committed : {false, true}) {
      crawl.begin(4000);
      EXPECT_TRUE(crawl.notices.back().contains(path + " is damaged: the block at byte")) << crawl.notices.back();
      EXPECT_TRUE(crawl.notices.back().contains("of 1 damaged block with ")) << crawl.notices.back();
      uint64_t lost = 0;
      for (const uint64_t f : crawl.log) lost += !*crawl.seen->contains(f);
      EXPECT_LE(lost, 1u);
      EXPECT_LE(crawl.seen->size(), crawl.log.size() + 1);
      lost_in_all += lost;
      // Dying before the next commit changes nothing, and after it all is well.
      if (is_committed) crawl.commit();
    }
    // What was salvaged from stays for a while: this disk may lose what was salvaged, too.
    const SeenState::Run rest = decode_seen_states(*crawl.row)->front().runs.front();
    ASSERT_NE(rest.number, run.number);
    EXPECT_TRUE(crawl.files.exists(path));
    if (seed % 2 == 0) {
      ASSERT_TRUE(crawl.files.remove(seen_run_path(kFolder, rest.number)));
      crawl.begin(4000);
      EXPECT_TRUE(crawl.notices.back().contains("is kept")) << crawl.notices.back();
      crawl.commit();
    }
    crawl.begin(4000);
    EXPECT_EQ(crawl.notices.back(), "");
    crawl.settle();
    for (int i = 0; i < 5; ++i) crawl.commit();
    crawl.settle();
    EXPECT_FALSE(crawl.files.exists(path));
  }
  EXPECT_GT(lost_in_all, 0u);
}

// Runs, and what the log has that they lack, take less than the log alone did.
TEST(SeenSpill, TheLogIsLetGo) {
  Crawl crawl(1, 2);
  crawl.begin(1'000'000);
  uint64_t held = 0;
  for (int round = 0; round < 150; ++round) {
    std::vector<uint64_t> batch(10'000);
    for (uint64_t& f : batch) f = crawl.random.next();
    crawl.insert(batch);
    for (int i = 0; i < 4; ++i) crawl.work();
    crawl.commit();
    EXPECT_GE(crawl.seen->held_rows(), held);
    held = crawl.seen->held_rows();
  }
  crawl.settle();
  EXPECT_GT(crawl.seen->held_rows(), 1'300'000u);
  EXPECT_LT(static_cast<double>(crawl.disk_bytes()), 1.5e6 * 7.1 + 1e6);
  crawl.restart(1'000'000);
  EXPECT_EQ(crawl.notices.back(), "");
  crawl.expect_equal();
  const SeenOnDisk disk{crawl.row, kFolder, [&] {
                          LogParts log{.released = crawl.released * 8, .parts = {}};
                          for (const auto& [path, rows] : crawl.parts) log.parts.push_back({path, rows * 8});
                          return log;
                        }()};
  for (size_t i = 0; i < crawl.log.size(); i += 10'007) {
    EXPECT_EQ(seen_on_disk(crawl.files, disk, crawl.log[i]), true);
    EXPECT_EQ(seen_on_disk(crawl.files, disk, crawl.random.next()), false);
  }
}

TEST(SeenSpill, DamageIsFoundWhenItIsRead) {
  Crawl crawl(1);
  crawl.begin(4000);
  crawl.fill(5000);
  crawl.restart(4000);
  const auto runs = *crawl.files.list(kFolder);
  const std::string path = std::string(kFolder) + "/" + runs.front().name;
  auto file = *crawl.files.open_append(path);
  ASSERT_TRUE(file->truncate(0));
  ASSERT_TRUE(file->append(std::string(runs.front().size, 'x')));
  const uint64_t size = crawl.seen->size();
  bool is_new[1];
  bool found = false;
  for (size_t i = 0; i < 5000 && !found; ++i) {
    const auto inserted = crawl.seen->insert_batch(std::span(&crawl.log[i], 1), is_new);
    found = !inserted && inserted.error().code == ErrorCode::corrupt;
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(crawl.seen->size(), size);
}

// A disk that lies: what it has taken from the log is still known where runs have it, and nothing that is new is taken
// for what it took.
TEST(SeenSpill, KnowsWhatTheLogHasLost) {
  for (const bool is_torn : {false, true}) {
    Crawl crawl(1, 3);
    crawl.is_released = false;
    crawl.begin(4000);
    crawl.fill(5000);
    for (size_t i = 1; i < crawl.parts.size(); ++i) ASSERT_TRUE(crawl.files.remove(crawl.parts[i].first));
    crawl.parts.resize(1);
    const uint64_t left = is_torn ? 20 : crawl.parts[0].second;
    ASSERT_TRUE((*crawl.files.open_append(kLog))->truncate(left * 8));
    crawl.parts[0].second = crawl.committed = left;
    crawl.is_torn = is_torn;
    const uint64_t held = crawl.seen->held_rows();
    ASSERT_GT(held, 3000u);
    std::unordered_set<uint64_t> known(crawl.log.begin(), crawl.log.begin() + static_cast<ptrdiff_t>(held));
    crawl.begin(4000);
    EXPECT_EQ(crawl.notices.back(), "");
    crawl.log.resize(left);
    crawl.known = known;
    crawl.expect_equal();
    crawl.is_released = true;
    crawl.insert(crawl.some(200));
    crawl.commit();
    crawl.is_torn = false;
    crawl.begin(4000);
    crawl.expect_equal();
    crawl.fill(crawl.log.size() + 3000);
    EXPECT_GT(crawl.released, 0u);
    crawl.begin(4000);
    EXPECT_EQ(crawl.notices.back(), "");
    crawl.expect_equal();
  }
}

TEST(SeenSpill, ADamagedRowIsNotBelieved) {
  Crawl crawl(1);
  crawl.is_released = false;
  crawl.begin(4000);
  crawl.fill(2000);
  crawl.row->pop_back();
  crawl.restart(4000);
  EXPECT_TRUE(crawl.notices.back().contains("made anew"));
  crawl.expect_equal();
}

}  // namespace
}  // namespace caddis::store
