// The seen-set at several sizes: a batch of 100 fingerprints, as a page with 100 links gives.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/store/seen.h"

namespace caddis::store {
namespace {

constexpr size_t kBatch = 100;

std::unique_ptr<SeenSet> filled(uint64_t count) {
  auto seen = std::make_unique<SeenSet>();
  SeededRandom random(1);
  std::vector<uint64_t> batch(kBatch);
  bool is_new[kBatch];
  while (seen->size() < count) {
    for (uint64_t& f : batch) f = random.next();
    (void)seen->insert_batch(batch, is_new);
  }
  return seen;
}

// Four of five links are known already, as on real pages.
void insert_batch(benchmark::State& state) {
  const auto count = static_cast<uint64_t>(state.range(0));
  const auto seen = filled(count);
  SeededRandom known(1);
  SeededRandom fresh(2);
  std::vector<uint64_t> batch(kBatch);
  bool is_new[kBatch];
  uint64_t used = 0;
  for (auto _ : state) {
    state.PauseTiming();
    for (size_t i = 0; i < kBatch; ++i) {
      if (i % 5 == 0) {
        batch[i] = fresh.next();
        continue;
      }
      if (used++ == count) known = SeededRandom(used = 1);
      batch[i] = known.next();
    }
    state.ResumeTiming();
    (void)seen->insert_batch(batch, is_new);
    benchmark::DoNotOptimize(is_new);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kBatch));
  state.counters["bytes_each"] = static_cast<double>(seen->memory_bytes()) / static_cast<double>(seen->size());
}
BENCHMARK(insert_batch)->Arg(100'000)->Arg(10'000'000)->Arg(100'000'000)->Iterations(20'000);

// From nothing: the price of growing is in it.
void fill(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(filled(static_cast<uint64_t>(state.range(0))));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(fill)->Arg(10'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace caddis::store
