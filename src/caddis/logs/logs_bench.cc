// Lines of a log a second: parsed, filtered, grouped. Bytes a second are those of the log.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/check.h"
#include "caddis/logs/log_field.h"
#include "caddis/logs/log_filter.h"
#include "caddis/logs/log_groups.h"
#include "caddis/logs/log_line.h"

namespace caddis::logs {
namespace {

std::string make_log() {
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    const std::string host = "www" + std::to_string(i % 97) + ".example" + std::to_string(i % 13) + ".org";
    text += "2026-01-02T03:04:05.006Z   " + std::to_string(i % 10 == 0 ? 404 : 200) + "       " +
            std::to_string(1000 + i) + " http://" + host + "/some/path/of/a/page-" + std::to_string(i) +
            ".html LLE http://" + host + "/some/path/ text/html #0" + std::to_string(10 + i % 8) +
            " 20260102030404906+100 sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ http://www.example.org/ -\n";
  }
  return text;
}

template <class Use>
void each_line(benchmark::State& state, const Use& use) {
  const std::string log = make_log();
  for (auto _ : state) {
    std::string_view left = log;
    for (size_t end; (end = left.find('\n')) != std::string_view::npos; left.remove_prefix(end + 1)) {
      LogLine line;
      if (line.parse(left.substr(0, end))) use(line);
    }
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(log.size()));
}

void BM_Parse(benchmark::State& state) {
  each_line(state, [](const LogLine& line) { benchmark::DoNotOptimize(line.field(LogLine::url).data()); });
}
BENCHMARK(BM_Parse);

void BM_Filter(benchmark::State& state) {
  FilterOptions options;
  options.domains = {"example7.org"};
  options.statuses = {"4xx,-9998"};
  options.from = "2026-01-01";
  const auto filter = LogFilter::create(options);
  CADDIS_CHECK(filter.has_value());
  uint64_t found = 0;
  each_line(state, [&](const LogLine& line) { found += filter->matches(line) ? 1 : 0; });
  benchmark::DoNotOptimize(found);
}
BENCHMARK(BM_Filter);

void BM_GroupByHostAndStatus(benchmark::State& state) {
  auto fields = parse_log_fields("host,status");
  CADDIS_CHECK(fields.has_value());
  LogGroups groups(*std::move(fields));
  each_line(state, [&](const LogLine& line) { groups.add(line); });
  benchmark::DoNotOptimize(groups.size());
}
BENCHMARK(BM_GroupByHostAndStatus);

}  // namespace
}  // namespace caddis::logs
