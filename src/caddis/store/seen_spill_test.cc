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

// A crawl that only has a seen-set: its log and its row are committed together.
class Crawl {
 public:
  explicit Crawl(uint64_t seed) : random(seed) { EXPECT_TRUE(files.make_dirs("/state")); }

  void begin(uint64_t budget) {
    seen = std::make_unique<SeenSet>();
    seen->spill_to(files, kFolder, budget);
    auto notice = seen->load(files, row, {kLog});
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
    std::string rows;
    for (; committed < log.size(); ++committed) append_fingerprint(rows, log[committed]);
    ASSERT_TRUE((*files.open_append(kLog))->append(rows));
    if (auto staged = seen->stage()) row = staged;
    seen->committed();
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
    }
    while (work()) {
    }
    commit();
    while (work()) {
    }
  }

  io::MemoryFiles files;
  SeededRandom random;
  std::unique_ptr<SeenSet> seen;
  std::optional<std::string> row;
  std::unordered_set<uint64_t> known;
  std::vector<uint64_t> log;
  size_t committed = 0;
  std::vector<std::string> notices;
};

TEST(SeenSpill, IsEqualToAPlainSet) {
  size_t most_runs = 0, restarts = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    Crawl crawl(seed);
    ASSERT_TRUE(crawl.files.open_append(kLog));
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
    if (HasFailure()) return;
  }
  EXPECT_GT(most_runs, 3u);
  EXPECT_GT(restarts, 20u);
}

TEST(SeenSpill, AnswersFromMemoryUntilItIsNeeded) {
  Crawl crawl(1);
  ASSERT_TRUE(crawl.files.open_append(kLog));
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
  ASSERT_TRUE(crawl.files.open_append(kLog));
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
    ASSERT_TRUE(crawl.files.open_append(kLog));
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

TEST(SeenSpill, DamagedRunsAreMadeAnewFromTheLog) {
  for (uint64_t seed = 1; seed <= 20 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Crawl crawl(seed);
    ASSERT_TRUE(crawl.files.open_append(kLog));
    crawl.begin(4000);
    crawl.fill(8000);
    ASSERT_GT(crawl.seen->runs(), 0u);
    const auto runs = *crawl.files.list(kFolder);
    const auto& run = runs[crawl.random.below(runs.size())];
    const std::string path = std::string(kFolder) + "/" + run.name;
    if (seed == 1)
      ASSERT_TRUE(crawl.files.remove(path));
    else
      damage(crawl.files, path, crawl.random.below(run.size), seed % 3 == 0);
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

TEST(SeenSpill, DamageIsFoundWhenItIsRead) {
  Crawl crawl(1);
  ASSERT_TRUE(crawl.files.open_append(kLog));
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

// A disk that lies: the log is the truth, also where it has lost what the runs have.
TEST(SeenSpill, HoldsNoMoreThanTheLog) {
  Crawl crawl(1);
  ASSERT_TRUE(crawl.files.open_append(kLog));
  crawl.begin(4000);
  crawl.fill(5000);
  ASSERT_TRUE((*crawl.files.open_append(kLog))->truncate(800));
  crawl.committed = 100;
  crawl.restart(4000);
  EXPECT_TRUE(crawl.notices.back().contains("which has 100")) << crawl.notices.back();
  crawl.expect_equal();
  crawl.fill(3000);
  crawl.restart(4000);
  EXPECT_EQ(crawl.notices.back(), "");
  crawl.expect_equal();
}

TEST(SeenSpill, ADamagedRowIsNotBelieved) {
  Crawl crawl(1);
  ASSERT_TRUE(crawl.files.open_append(kLog));
  crawl.begin(4000);
  crawl.fill(2000);
  crawl.row->pop_back();
  crawl.restart(4000);
  EXPECT_TRUE(crawl.notices.back().contains("made anew"));
  crawl.expect_equal();
}

}  // namespace
}  // namespace caddis::store
