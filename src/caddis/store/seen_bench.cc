// The seen-set at several sizes: a batch of 100 fingerprints, as a page with 100 links gives.
//
// CADDIS_BENCH_DIR: where runs are written (the current folder by default). CADDIS_BENCH_LARGE: also with 10^8 URLs and
// twice as many, in 1 GB of memory and 2 GB of disk; some minutes.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/store/seen.h"

namespace caddis::store {
namespace {

constexpr size_t kBatch = 100;
constexpr uint64_t kMegabyte = 1'000'000;  // budgets are given in megabytes

std::string folder() {
  const char* const given = std::getenv("CADDIS_BENCH_DIR");
  return io::join_path(given ? given : ".", "seen_bench_runs");
}

void remove_runs() {
  io::Files& files = io::real_files();
  if (!files.is_directory(folder())) return;
  for (const auto& entry : *files.list(folder())) (void)files.remove(io::join_path(folder(), entry.name));
  (void)files.remove(folder());
}

// Background work to its end, as between the groups of a crawl.
void work(SeenSet& seen) {
  while (SeenTask* const task = seen.next_task()) seen.settle(task->step());
}

struct Filled {
  Filled(uint64_t count, uint64_t budget) {
    remove_runs();
    if (budget != 0) seen.spill_to(io::real_files(), folder(), budget);
    SeededRandom random(1);
    std::vector<uint64_t> batch(kBatch);
    bool is_new[kBatch];
    while (seen.size() < count) {
      for (uint64_t& f : batch) f = random.next();
      (void)seen.insert_batch(batch, is_new);
      if (seen.is_behind()) work(seen);
    }
    work(seen);
  }
  ~Filled() { remove_runs(); }
  SeenSet seen;
};

void count_bytes(benchmark::State& state, const SeenSet& seen) {
  const auto size = static_cast<double>(seen.size());
  state.counters["ram_each"] = static_cast<double>(seen.memory_bytes()) / size;
  state.counters["disk_each"] = static_cast<double>(seen.disk_bytes()) / size;
  state.counters["runs"] = static_cast<double>(seen.runs());
}

// Four of five links are known already, as on real pages; any of all that are known.
void insert_batch(benchmark::State& state) {
  const auto count = static_cast<uint64_t>(state.range(0));
  Filled filled(count, static_cast<uint64_t>(state.range(1)) * kMegabyte);
  // Known ones at random, so that neither the order of insertion nor a cache helps.
  constexpr uint64_t kSample = 4'000'000;
  std::vector<uint64_t> sample;
  SeededRandom all(1);
  const uint64_t every = std::max<uint64_t>(1, count / kSample);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t f = all.next();
    if (i % every == 0) sample.push_back(f);
  }
  SeededRandom fresh(2);
  std::vector<uint64_t> batch(kBatch);
  bool is_new[kBatch];
  for (auto _ : state) {
    state.PauseTiming();
    for (size_t i = 0; i < kBatch; ++i) batch[i] = i % 5 == 0 ? fresh.next() : sample[fresh.below(sample.size())];
    state.ResumeTiming();
    (void)filled.seen.insert_batch(batch, is_new);
    benchmark::DoNotOptimize(is_new);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kBatch));
  count_bytes(state, filled.seen);
}
BENCHMARK(insert_batch)->Args({1'000'000, 1000})->Args({10'000'000, 1000})->Iterations(20'000);
// Ten times as many as its budget holds.
BENCHMARK(insert_batch)->Args({10'000'000, 10})->Iterations(20'000);

// From nothing: the price of growing is in it.
void fill(benchmark::State& state) {
  for (auto _ : state) {
    const Filled filled(static_cast<uint64_t>(state.range(0)), static_cast<uint64_t>(state.range(1)) * kMegabyte);
    count_bytes(state, filled.seen);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(fill)->Args({10'000'000, 1000})->Args({10'000'000, 10})->Unit(benchmark::kMillisecond)->Iterations(1);

// A start with so many URLs: all runs are checked, and what they do not hold is read from the log.
void restart(benchmark::State& state) {
  const auto count = static_cast<uint64_t>(state.range(0));
  io::Files& files = io::real_files();
  const std::string log = folder() + ".log";
  std::optional<std::string> row;
  {
    if (files.exists(log)) (void)files.remove(log);
    const auto file = *files.open_append(log);
    std::string rows;
    SeededRandom random(1);
    for (uint64_t i = 0; i < count; ++i) {
      append_fingerprint(rows, random.next());
      if (rows.size() < 1 << 20 && i + 1 < count) continue;
      (void)file->append(rows);
      rows.clear();
    }
    remove_runs();
    SeenSet first;
    first.spill_to(files, folder(), static_cast<uint64_t>(state.range(1)) * kMegabyte);
    (void)first.load(files, std::nullopt, {.parts = {{log, {}}}});
    work(first);
    row = first.stage();
  }
  for (auto _ : state) {
    SeenSet seen;
    seen.spill_to(files, folder(), static_cast<uint64_t>(state.range(1)) * kMegabyte);
    if (!seen.load(files, row, {.parts = {{log, {}}}}) || seen.size() != count)
      state.SkipWithError("it could not be read");
    count_bytes(state, seen);
  }
  (void)files.remove(log);
  remove_runs();
}
BENCHMARK(restart)->Args({10'000'000, 1000})->Args({10'000'000, 10})->Unit(benchmark::kMillisecond)->Iterations(1);

const bool with_large = [] {
  if (std::getenv("CADDIS_BENCH_LARGE") == nullptr) return false;
  for (const int64_t count : {100'000'000, 200'000'000})
    benchmark::RegisterBenchmark("insert_batch", insert_batch)->Args({count, 1000})->Iterations(20'000);
  for (const int64_t budget : {1000, 250})
    benchmark::RegisterBenchmark("restart", restart)
        ->Args({100'000'000, budget})
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
  return true;
}();

}  // namespace
}  // namespace caddis::store
