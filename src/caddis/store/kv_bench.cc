// What committing a group costs in the store: batches of the size that one page with 18 new URLs makes (about ten rows
// of 200 bytes in three families), gathered to groups.
#include <benchmark/benchmark.h>

#include <string>

#include "caddis/base/random.h"
#include "caddis/store/rocks_kv.h"
#include "support/testdata.h"

namespace caddis::store {
namespace {

constexpr int kRowsPerPage = 10;

void add_page(Batch& batch, Random& random) {
  for (Family row = 0; row < kRowsPerPage; ++row) {
    const uint64_t host = random.below(10'000);
    std::string key(16, '\0');
    for (size_t i = 0; i < 8; ++i) key[i] = static_cast<char>(host >> (8 * i));
    const uint64_t sequence = random.next();
    for (size_t i = 0; i < 8; ++i) key[8 + i] = static_cast<char>(sequence >> (8 * i));
    batch.put(row % 3, std::move(key), std::string(200, static_cast<char>('a' + row)));
  }
}

void commit(benchmark::State& state, Durability durability) {
  testing::TempDir folder;
  auto kv = open_rocks(folder / "kv", {"queues", "hosts", "streams"});
  if (!kv) return state.SkipWithError(kv.error().message.c_str());
  SeededRandom random(1);
  const auto pages = state.range(0);
  for (auto _ : state) {
    Batch batch;
    for (int64_t page = 0; page < pages; ++page) add_page(batch, random);
    if (auto written = (*kv)->write(batch, durability); !written) state.SkipWithError(written.error().message.c_str());
  }
  state.SetItemsProcessed(state.iterations() * pages);
}
BENCHMARK_CAPTURE(commit, lazy, Durability::lazy)->Arg(1)->Arg(100);
BENCHMARK_CAPTURE(commit, synced, Durability::synced)->Arg(1)->Arg(100)->UseRealTime();

void get(benchmark::State& state) {
  testing::TempDir folder;
  auto kv = open_rocks(folder / "kv", {"hosts"});
  if (!kv) return state.SkipWithError(kv.error().message.c_str());
  constexpr uint64_t kHosts = 100'000;
  for (uint64_t i = 0; i < kHosts; i += 1000) {
    Batch batch;
    for (uint64_t j = i; j < i + 1000; ++j) batch.put(0, "host-" + std::to_string(j), std::string(100, 'x'));
    if (!(*kv)->write(batch, Durability::lazy)) return state.SkipWithError("cannot write");
  }
  SeededRandom random(1);
  for (auto _ : state) benchmark::DoNotOptimize((*kv)->get(0, "host-" + std::to_string(random.below(kHosts))));
}
BENCHMARK(get);

}  // namespace
}  // namespace caddis::store
