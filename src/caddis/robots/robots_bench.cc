#include <benchmark/benchmark.h>

#include <string>

#include "caddis/robots/robots.h"
#include "support/testdata.h"

namespace caddis::robots {
namespace {

// A file as a large site has it: many agents, 300 rules for everyone, some with stars.
std::string large_file() {
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += "User-agent: Bot" + std::string(1, static_cast<char>('a' + i % 26)) + "-" + std::string(i / 26 + 1, 'x') +
            "\nDisallow: /\n\n";
  text +=
      "User-agent: *\nAllow: /w/api.php?action=mobileview&\nDisallow: /w/\nDisallow: /*?*sort=\nDisallow: /*.cgi$\n";
  for (int i = 0; i < 300; ++i) text += "Disallow: /wiki/Special:Page" + std::to_string(i) + "\n";
  return text;
}

void BM_Parse(benchmark::State& state) {
  const std::string text = large_file();
  for (auto _ : state) benchmark::DoNotOptimize(Robots::parse(text));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}
BENCHMARK(BM_Parse);

void BM_VerdictAllowed(benchmark::State& state) {
  const Robots robots = Robots::parse(large_file());
  for (auto _ : state) benchmark::DoNotOptimize(robots.verdict("caddis", "/wiki/Trichoptera?action=history&offset=20"));
}
BENCHMARK(BM_VerdictAllowed);

void BM_VerdictWithEscapes(benchmark::State& state) {
  const Robots robots = Robots::parse(large_file());
  for (auto _ : state)
    benchmark::DoNotOptimize(robots.verdict("caddis", "/wiki/K%C3%B6cherfliege?action=history&offset=20"));
}
BENCHMARK(BM_VerdictWithEscapes);

void BM_VerdictSmallFile(benchmark::State& state) {
  const Robots robots = Robots::parse("User-agent: *\nDisallow: /cgi-bin/\nDisallow: /tmp/\n");
  for (auto _ : state) benchmark::DoNotOptimize(robots.verdict("caddis", "/wiki/Trichoptera"));
}
BENCHMARK(BM_VerdictSmallFile);

void BM_VerdictRealFile(benchmark::State& state) {
  const auto path = testing::testdata("03-robots/real_robots/en.wikipedia.org");
  if (!path) return state.SkipWithError("test data is not here");
  const Robots robots = Robots::parse(testing::read_file(*path));
  for (auto _ : state) benchmark::DoNotOptimize(robots.verdict("caddis", "/wiki/Trichoptera?action=history&offset=20"));
}
BENCHMARK(BM_VerdictRealFile);

}  // namespace
}  // namespace caddis::robots
