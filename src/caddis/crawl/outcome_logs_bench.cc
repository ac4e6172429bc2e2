// The cost of a line of the logs by protocol and by fate, beside that of a line of crawl.log. Items are lines.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "caddis/crawl/outcome_line.h"
#include "caddis/visit/log_entry.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

constexpr size_t kGroup = 1000;

visit::LogEntry page() {
  visit::LogEntry entry;
  entry.finished = entry.started = WallTime(std::chrono::seconds(1'700'000'000));
  entry.duration = std::chrono::milliseconds(100);
  entry.status = 200;
  entry.size = 12700;
  entry.url = "http://www.example.org/some/path/of/a/page-12345.html";
  entry.hops = "LLE";
  entry.via = "http://www.example.org/some/path/of/another/page.html";
  entry.mime = "text/html";
  entry.lane = 7;
  entry.digest = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
  entry.seed = "http://www.example.org/";
  entry.body_size = entry.size - 270;
  entry.facts.peer.address = "192.0.2.1";
  entry.facts.phases.wait = std::chrono::milliseconds(60);
  entry.facts.phases.receive = std::chrono::milliseconds(40);
  return entry;
}

template <class Append>
void each_line(benchmark::State& state, const Append& append) {
  uint64_t bytes = 0;
  for (auto _ : state) {
    std::string lines;
    for (size_t i = 0; i < kGroup; ++i) append(lines);
    bytes += lines.size();
    benchmark::DoNotOptimize(lines.data());
  }
  const auto count = static_cast<double>(state.iterations()) * kGroup;
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kGroup));
  state.counters["bytes_a_line"] = static_cast<double>(bytes) / count;
}

void BM_CrawlLog(benchmark::State& state) {
  const visit::LogEntry entry = page();
  each_line(state, [&](std::string& lines) { visit::append_log_line(lines, entry); });
}
BENCHMARK(BM_CrawlLog);

void BM_OutcomeLog(benchmark::State& state) {
  const visit::LogEntry entry = page();
  const logs::JsonFields& fields = all_fields(logs::JsonLog::http);
  each_line(state, [&](std::string& lines) { append_outcome(lines, logs::JsonLog::http, fields, entry, {}); });
}
BENCHMARK(BM_OutcomeLog);

void BM_FewFields(benchmark::State& state) {
  const visit::LogEntry entry = page();
  const logs::JsonFields fields =
      chosen_fields(logs::JsonLog::http, std::vector<std::string>{"http: time url status received"});
  each_line(state, [&](std::string& lines) { append_outcome(lines, logs::JsonLog::http, fields, entry, {}); });
}
BENCHMARK(BM_FewFields);

void BM_PlaceOfRecords(benchmark::State& state) {
  const logs::JsonFields& fields = all_fields(logs::JsonLog::http);
  const visit::WrittenAt place{"WEB-20260102030405006-00000-12345~crawler.example.org~8443.warc.gz", 123456789};
  each_line(state, [&](std::string& lines) { append_place(lines, fields, place); });
}
BENCHMARK(BM_PlaceOfRecords);

}  // namespace
}  // namespace caddis::crawl
