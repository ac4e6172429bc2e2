// The sketch of a page: twenty kilobytes, half of them tags.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>

#include "caddis/base/random.h"
#include "caddis/text/sketch.h"

namespace caddis::text {
namespace {

std::string page_of(size_t bytes) {
  SeededRandom random(1);
  std::string page;
  while (page.size() < bytes) {
    page += fmt::format("<p class=\"text item-{}\" id=\"p{}\">", random.below(10), page.size());
    for (int word = 0; word < 8; ++word) {
      for (uint64_t letters = 2 + random.below(8); letters > 0; --letters)
        page += static_cast<char>('a' + random.below(26));
      page += ' ';
    }
    page += "</p>\n";
  }
  return page;
}

void sketch(benchmark::State& state) {
  const std::string page = page_of(static_cast<size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(sketch_of(page));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * page.size()));
}
BENCHMARK(sketch)->Arg(20'000)->Arg(240'000);

}  // namespace
}  // namespace caddis::text
