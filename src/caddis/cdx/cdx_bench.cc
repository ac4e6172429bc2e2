// Lookups in an index file of a million lines, and the making and reading of lines.
#include <benchmark/benchmark.h>

#include <cstdio>

#include "caddis/base/clock.h"
#include "caddis/base/random.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/line.h"
#include "support/testdata.h"

namespace caddis::cdx {
namespace {

constexpr int kLines = 1'000'000;

std::string key(int number) {
  char text[64];
  std::snprintf(text, sizeof text, "com,example,h%03d)/dir/page%07d", number / 1000, number);
  return text;
}

// The folder of a collection with one large index; made once.
const std::string& collection() {
  static const testing::TempDir folder;
  static const std::string path = [] {
    auto& files = io::real_files();
    (void)files.make_dirs(folder / "indexes");
    auto file = files.open_append(folder / "indexes/index.cdxj");
    std::string text;
    for (int i = 0; i < kLines; ++i) {
      text +=
          key(i) +
          " 20260102030405 {\"url\": \"https://h.example.com/dir/page\", \"mime\": \"text/html\", \"status\": \"200\", "
          "\"digest\": \"OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB\", \"length\": \"2258\", \"offset\": \"334\", \"filename\": "
          "\"CADDIS-20260102030405006-00001-1234~host~8443.warc.gz\"}\n";
      if (text.size() > (1u << 20)) {
        (void)(*file)->append(text);
        text.clear();
      }
    }
    (void)(*file)->append(text);
    return folder.path();
  }();
  return path;
}

void lookup(benchmark::State& state) {
  CaptureIndex index(io::real_files(), system_clock(), collection());
  SeededRandom random(1);
  for (auto _ : state) {
    const UrlCaptures captures(key(static_cast<int>(random.below(kLines))), index.sources().value());
    const auto found = captures.closest("20260102030405", 12);
    if (!found || found->size() != 1) return state.SkipWithError("not found");
  }
}
BENCHMARK(lookup);

void make_line(benchmark::State& state) {
  CaptureFields fields;
  fields.url = "https://www.example.com/some/path/index.html?b=2&a=1";
  fields.date = *parse_timestamp("20260102030405");
  fields.mime = "text/html; charset=utf-8";
  fields.status = 200;
  fields.digest = "sha1:OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB";
  fields.length = 2258;
  fields.offset = 334;
  fields.filename = "CADDIS-20260102030405006-00001-1234~host~8443.warc.gz";
  for (auto _ : state) benchmark::DoNotOptimize(cdxj_line(fields));
}
BENCHMARK(make_line);

void read_line(benchmark::State& state) {
  const std::string line =
      "com,example)/ 20260102030405 {\"url\": \"http://example.com/\", \"mime\": \"text/html\", \"status\": \"200\", "
      "\"digest\": "
      "\"OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB\", \"length\": \"2258\", \"offset\": \"334\", \"filename\": \"a.warc.gz\"}";
  for (auto _ : state) benchmark::DoNotOptimize(parse_line(line));
}
BENCHMARK(read_line);

}  // namespace
}  // namespace caddis::cdx
