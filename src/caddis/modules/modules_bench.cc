// The price of a rule in Lua for each URL that it is asked about.
#include <benchmark/benchmark.h>

#include "caddis/base/check.h"
#include "caddis/modules/registry.h"
#include "caddis/modules/shared_rule.h"
#include "support/testdata.h"

namespace caddis::modules {
namespace {

const Link kLink = {.url = "https://www.example.org/news/2026/11/a-page.html",
                    .scheme = "https",
                    .host = "www.example.org",
                    .path = "/news/2026/11/a-page.html",
                    .hops = "LLL",
                    .via = "https://www.example.org/",
                    .seed = "https://www.example.org/",
                    .mime = {},
                    .address = {}};

std::unique_ptr<SharedRule> rule_of(const std::string& name) {
  const std::vector<std::string> paths = {testing::source_path("examples/modules/" + name + ".lua")};
  CADDIS_CHECK(load_modules(paths, {}).has_value());
  auto rule = SharedRule::create(*find_module(name), "");
  CADDIS_CHECK(rule.has_value());
  return *std::move(rule);
}

void BM_LuaRule(benchmark::State& state) {
  const auto rule = rule_of("calendar");
  for (auto _ : state) benchmark::DoNotOptimize(rule->holds(kLink));
}
BENCHMARK(BM_LuaRule);

}  // namespace
}  // namespace caddis::modules
