// An index server without its sockets: lines taken in, bytes on disk, queries answered.
//
//   CADDIS_BENCH_LINES=10000000 cdxserver_bench
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>

#include "caddis/base/clock.h"
#include "caddis/base/hash.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/capture_store.h"
#include "caddis/cdxserver/line_intake.h"
#include "caddis/cdxserver/query_answer.h"
#include "caddis/http/server.h"
#include "caddis/io/base32.h"
#include "caddis/io/files.h"
#include "support/testdata.h"

namespace caddis::cdxserver {
namespace {

uint64_t lines_wanted() {
  const char* const text = std::getenv("CADDIS_BENCH_LINES");
  return text == nullptr ? 200'000 : static_cast<uint64_t>(std::atoll(text));
}

uint64_t mixed(uint64_t number) {
  return siphash(std::string_view(reinterpret_cast<const char*>(&number), sizeof number), 1, 2);
}

// The URL of a capture; a host has some 200 of them, and each is captured three times.
std::string url_of(uint64_t number) {
  const uint64_t page = number / 3;
  return fmt::format("https://{}site{}.example.{}/articles/{}/{:x}/page-{}.html?id={}", page % 3 == 0 ? "www." : "",
                     page / 200, page % 2 == 0 ? "org" : "co.uk", 2000 + page % 25, mixed(page) & 0xFFFFF, page % 200,
                     page);
}

std::string line_of(uint64_t number) {
  const uint64_t hash = mixed(number);
  const std::string digest = io::base32(std::string(20, '\0').replace(0, 8, reinterpret_cast<const char*>(&hash), 8));
  std::string spread = digest;
  std::ranges::reverse(spread);
  return fmt::format(
      "- 20{:02}{:02}{:02}{:02}{:02}{:02} {} text/html 200 {} - - {} {} "
      "ARCHIVING-2020-CRAWL-{:05}-20200101000000000-{:05}-1234~crawler.example.org~8443.warc.gz\n",
      10 + hash % 10, 1 + hash % 12, 1 + hash % 28, hash % 24, hash / 7 % 60, hash / 11 % 60, url_of(number),
      digest.substr(0, 13) + spread.substr(13), 1000 + hash % 60'000, hash % 1'000'000'000, number / 30'000,
      number / 30'000);
}

// The processor time of all threads, the store's own included.
double processor_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}
double peak_megabytes() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) / 1024;
}

struct Filled {
  testing::TempDir temp;
  std::shared_ptr<cdx::CaptureStore> store;
  double generated = 0, taken = 0, compacted = 0;  // processor seconds
  uint64_t bytes = 0, text = 0;

  Filled() {
    cdx::CaptureStoreOptions options;
    options.store.cache_bytes = 128 << 20;
    store = *cdx::CaptureStore::open(temp / "store", options);
    const uint64_t lines = lines_wanted();
    LineIntake intake(*store, IntakeOptions());
    std::string piece;
    for (uint64_t at = 0; at < lines;) {
      double began = processor_seconds();
      piece.clear();
      // Hosts in turn, as a crawl writes them.
      for (; at < lines && piece.size() < (1 << 20); ++at) piece += line_of(at * 7919 % lines);
      generated += processor_seconds() - began;
      text += piece.size();
      began = processor_seconds();
      if (!intake.take(piece)) std::abort();
      taken += processor_seconds() - began;
    }
    double began = processor_seconds();
    if (!intake.finish() || !store->store().flush()) std::abort();
    taken += processor_seconds() - began;
    began = processor_seconds();
    if (!store->store().compact()) std::abort();
    compacted = processor_seconds() - began;
    bytes = store->store().bytes_on_disk();
  }
};

Filled& filled() {
  static Filled one;
  return one;
}

void BM_TakeLines(benchmark::State& state) {
  for (auto _ : state) {
    const Filled& one = filled();
    const auto lines = static_cast<double>(lines_wanted());
    state.counters["us_a_line"] = one.taken / lines * 1e6;
    state.counters["us_a_line_compacted"] = (one.taken + one.compacted) / lines * 1e6;
    state.counters["bytes_a_line"] = static_cast<double>(one.bytes) / lines;
    state.counters["text_a_line"] = static_cast<double>(one.text) / lines;
    state.counters["peak_mb"] = peak_megabytes();
  }
}
BENCHMARK(BM_TakeLines)->Iterations(1);

std::string encoded(const std::string& url) {
  std::string out;
  for (const char c : url) out += c == '&' || c == '?' || c == '%' ? fmt::format("%{:02X}", c) : std::string(1, c);
  return out;
}

void ask(benchmark::State& state, const std::string& more, cdx::Dialect dialect) {
  cdx::CaptureIndex index(io::real_files(), system_clock(), "");
  index.add_source(filled().store);
  uint64_t number = 0, bytes = 0;
  for (auto _ : state) {
    http::ServerRequest request;
    request.query = "url=" + encoded(url_of(mixed(number++) % lines_wanted())) + more;
    http::ServerResponse response = answer_query_string(index, dialect, request, system_clock());
    const auto body = http::whole_body(response);
    bytes += body->size();
  }
  state.counters["bytes"] = static_cast<double>(bytes) / static_cast<double>(state.iterations());
  state.counters["peak_mb"] = peak_megabytes();
}

void BM_AskOutback(benchmark::State& state) { ask(state, "", cdx::Dialect::outback); }
void BM_AskClosest(benchmark::State& state) {
  ask(state, "&sort=closest&closest=20150101000000&limit=1", cdx::Dialect::outback);
}
void BM_AskCdxj(benchmark::State& state) { ask(state, "", cdx::Dialect::pywb); }
BENCHMARK(BM_AskOutback);
BENCHMARK(BM_AskClosest);
BENCHMARK(BM_AskCdxj);

// A line of a long answer.
void BM_Scan(benchmark::State& state) {
  cdx::CaptureIndex index(io::real_files(), system_clock(), "");
  index.add_source(filled().store);
  http::ServerRequest request;
  request.query = "url=example.org&matchType=domain&limit=100000";
  uint64_t lines = 0;
  for (auto _ : state) {
    http::ServerResponse response = answer_query_string(index, cdx::Dialect::outback, request, system_clock());
    const auto body = http::whole_body(response);
    lines += static_cast<uint64_t>(std::ranges::count(*body, '\n'));
  }
  state.SetItemsProcessed(static_cast<int64_t>(lines));
}
BENCHMARK(BM_Scan)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace caddis::cdxserver
