#include <benchmark/benchmark.h>

#include "caddis/scope/scope.h"
#include "caddis/scope/sheets.h"

namespace caddis::scope {
namespace {

std::unique_ptr<Scope> make(ScopeSettings settings, int seeds) {
  std::vector<url::Url> urls;
  for (int i = 0; i < seeds; ++i)
    urls.push_back(url::Url::parse("https://www.site" + std::to_string(i) + ".org/docs/").value());
  return Scope::create(settings, urls).value();
}

void run(benchmark::State& state, const Scope& scope, std::string_view text, std::string_view hops) {
  const url::Url url = url::Url::parse(text).value();
  for (auto _ : state) benchmark::DoNotOptimize(scope.decide({.url = url, .hop_path = hops}));
}

constexpr std::string_view kInside = "https://www.site7.org/docs/library/stdtypes.html";

void BM_Host(benchmark::State& state) { run(state, *make({}, 1000), kInside, "LLL"); }
void BM_Prefix(benchmark::State& state) { run(state, *make({.kind = ScopeKind::prefix}, 1000), kInside, "LLL"); }
void BM_Domain(benchmark::State& state) { run(state, *make({.kind = ScopeKind::domain}, 1000), kInside, "LLL"); }
void BM_Outside(benchmark::State& state) {
  run(state, *make({}, 1000), "https://elsewhere.net/docs/library/stdtypes.html", "LLL");
}
void BM_Embed(benchmark::State& state) {
  run(state, *make({}, 1000), "https://cdn.net/docs/library/style.css?v=12", "LLE");
}
void BM_WithQuery(benchmark::State& state) {
  run(state, *make({}, 1000), "https://www.site7.org/docs/search?q=caddis&page=2", "LLL");
}
void BM_TenExclusions(benchmark::State& state) {
  ScopeSettings settings;
  for (int i = 0; i < 10; ++i) settings.exclude.push_back("/calendar" + std::to_string(i) + "/.*day=");
  run(state, *make(settings, 1000), kInside, "LLL");
}
// Which sheets hold, of a thousand.
void BM_ThousandSheets(benchmark::State& state) {
  settings::Sheets written;
  for (int i = 0; i < 1000; ++i)
    written.push_back({"s" + std::to_string(i), {"site" + std::to_string(i) + ".org"}, {}, {}});
  const auto sheets = *Sheets::create(written);
  const url::Url url = *url::Url::parse(kInside);
  for (auto _ : state) benchmark::DoNotOptimize(sheets->of(url));
}
BENCHMARK(BM_ThousandSheets);
BENCHMARK(BM_Host);
BENCHMARK(BM_Prefix);
BENCHMARK(BM_Domain);
BENCHMARK(BM_Outside);
BENCHMARK(BM_Embed);
BENCHMARK(BM_WithQuery);
BENCHMARK(BM_TenExclusions);

}  // namespace
}  // namespace caddis::scope
