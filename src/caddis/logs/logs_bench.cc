// Lines of a log a second: parsed, filtered, grouped. Bytes a second are those of the log.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/check.h"
#include "caddis/logs/json_column.h"
#include "caddis/logs/json_line.h"
#include "caddis/logs/line_upgrade.h"
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

std::string make_json_log() {
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    const std::string host = "www" + std::to_string(i % 97) + ".example" + std::to_string(i % 13) + ".org";
    text += R"({"time":"2026-01-02T03:04:05.006Z","url":"http://)" + host + "/some/path/of/a/page-" +
            std::to_string(i) + R"(.html","status":)" + std::to_string(i % 10 == 0 ? 404 : 200) +
            R"(,"begun":"2026-01-02T03:04:04.906Z","duration_ms":100,"connect_ms":20,"wait_ms":60,"receive_ms":20,)" +
            R"("mime":"text/html","digest":"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ","received":1270,"head_size":270,)" +
            R"("body_size":1000,"hops":"LLE","via":"http://)" + host +
            R"(/some/path/","seed":"http://www.example.org/","address":"192.0.2.1","lane":1,)" +
            R"("warc":"WEB-20260102030405006-00000-1~h~0.warc.gz","offset":812})" + "\n";
  }
  return text;
}

template <class Use>
void each_json_line(benchmark::State& state, const Use& use) {
  const std::string log = make_json_log();
  JsonLine line;
  for (auto _ : state) {
    std::string_view left = log;
    for (size_t end; (end = left.find('\n')) != std::string_view::npos; left.remove_prefix(end + 1))
      if (line.parse(left.substr(0, end))) use(line);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(log.size()));
}

void BM_JsonParse(benchmark::State& state) {
  each_json_line(state, [](const JsonLine& line) { benchmark::DoNotOptimize(line.raw("url").data()); });
}
BENCHMARK(BM_JsonParse);

void BM_JsonFilter(benchmark::State& state) {
  FilterOptions options;
  options.domains = {"example7.org"};
  options.statuses = {"4xx,-9998"};
  options.from = "2026-01-01";
  const auto filter = LogFilter::create(options);
  CADDIS_CHECK(filter.has_value());
  uint64_t found = 0;
  each_json_line(state, [&](const JsonLine& line) { found += filter->matches(line) ? 1 : 0; });
  benchmark::DoNotOptimize(found);
}
BENCHMARK(BM_JsonFilter);

void BM_JsonGroupByHostAndStatus(benchmark::State& state) {
  const auto columns = parse_json_columns("host,status");
  CADDIS_CHECK(columns.has_value());
  LogGroups groups(columns->size());
  std::string key, room;
  each_json_line(state, [&](const JsonLine& line) {
    key.clear();
    for (const JsonColumn& column : *columns) key.append(value_of(line, column, room)).push_back('\0');
    groups.add(key, 1);
  });
  benchmark::DoNotOptimize(groups.size());
}
BENCHMARK(BM_JsonGroupByHostAndStatus);

void BM_Upgrade(benchmark::State& state) {
  uint64_t number = 0;
  const std::string log = make_log();
  for (auto _ : state) {
    std::string_view left = log;
    for (size_t end; (end = left.find('\n')) != std::string_view::npos; left.remove_prefix(end + 1))
      benchmark::DoNotOptimize(upgraded_line(left.substr(0, end), ++number).json.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(log.size()));
}
BENCHMARK(BM_Upgrade);

}  // namespace
}  // namespace caddis::logs
