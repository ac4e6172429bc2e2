// Look-ups in a digest index of ten million originals (CADDIS_DEDUP_BENCH_ORIGINALS for another number), and making and
// reading blocks. Nine in ten originals have a payload of their own, the others share one of a thousand.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "caddis/base/check.h"
#include "caddis/base/hash.h"
#include "caddis/base/random.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/index_meta.h"
#include "caddis/cdx/line.h"
#include "caddis/dedup/digest_index.h"
#include "caddis/dedup/digest_index_writer.h"
#include "caddis/dedup/index_builder.h"
#include "caddis/dedup/payload_digest.h"
#include "support/testdata.h"

namespace caddis::dedup {
namespace {

uint64_t count() {
  const char* const text = std::getenv("CADDIS_DEDUP_BENCH_ORIGINALS");
  return text == nullptr ? 10'000'000 : std::strtoull(text, nullptr, 10);
}

std::string digest_of(uint64_t number) {
  const uint64_t payload = number % 10 == 0 ? number % 10'000 : number;
  std::string raw;
  for (uint64_t part = 0; raw.size() < 20; ++part) {
    const uint64_t word = siphash(std::to_string(payload), part, 1);
    raw.append(reinterpret_cast<const char*>(&word), std::min<size_t>(8, 20 - raw.size()));
  }
  return raw;
}

std::string url_of(uint64_t number) {
  const uint64_t site = number / 500, page = number % 500;
  const uint64_t spread = site * 0x9e3779b97f4a7c15ULL >> 40;
  char text[128];
  std::snprintf(text, sizeof text, "https://www.site-%06llx.example/section-%llu/2024/an-article-%llx",
                static_cast<unsigned long long>(spread), static_cast<unsigned long long>(page / 20),
                static_cast<unsigned long long>(page * 7919 + site));
  return text;
}

Original original(uint64_t number) {
  const WallTime date(std::chrono::seconds(1'700'000'000 + number * 13 % 2'000'000));
  return {url_of(number), date, {}, {}, {}};
}

// One index for all, in a folder that goes with the process.
const DigestIndex& index() {
  static const testing::TempDir folder;
  static const auto opened = [] {
    DigestIndexWriter writer(io::real_files(), folder / "index");
    for (uint64_t i = 0; i < count(); ++i) CADDIS_CHECK(writer.add(digest_of(i), original(i)).has_value());
    const auto info = writer.finish();
    CADDIS_CHECK(info.has_value());
    auto made = *DigestIndex::open(io::real_files(), folder / "index");
    const auto of = static_cast<double>(info->originals);
    std::fprintf(
        stderr, "%llu originals, %.2f bytes each: table %.2f, blocks %.2f, directory %.2f, dictionary %llu in all\n",
        static_cast<unsigned long long>(info->originals), static_cast<double>(made->file_size()) / of,
        static_cast<double>(info->table.size + info->buckets.size) / of, static_cast<double>(info->blocks.size) / of,
        static_cast<double>(info->directory.size) / of, static_cast<unsigned long long>(info->dictionary.size));
    return made;
  }();
  return *opened;
}

struct Asked {
  std::string digest, url, key;
  Question question() const { return {digest, url, key}; }
};

std::vector<Asked> questions(bool hits) {
  constexpr size_t kQuestions = 1 << 16;
  const IndexKey key = standard_index_key();
  SeededRandom random(5);
  std::vector<Asked> asked;
  for (size_t i = 0; i < kQuestions; ++i) {
    const uint64_t number = random.below(count());
    const std::string url = url_of(number);
    const std::string raw = digest_of(hits ? number : 10 * (number + count()) + 1);
    asked.push_back({digest_text(io::DigestAlgorithm::sha1, raw), url, key.of(url)});
  }
  return asked;
}

void look_up(benchmark::State& state, Strategy strategy, bool hits) {
  const DigestIndex& all = index();
  const auto asked = questions(hits);
  for (const Asked& one : asked) benchmark::DoNotOptimize(all.find(strategy, one.question()));
  size_t at = 0;
  for (auto _ : state) {
    const auto found = all.find(strategy, asked[at++ % asked.size()].question());
    if (!found || found->has_value() != hits) return state.SkipWithError("not as expected");
  }
}
void miss(benchmark::State& state) { look_up(state, Strategy::url_preferred, false); }
void hit_url(benchmark::State& state) { look_up(state, Strategy::url_preferred, true); }
void hit_any(benchmark::State& state) { look_up(state, Strategy::any, true); }
BENCHMARK(miss);
BENCHMARK(hit_url);
BENCHMARK(hit_any);

// Sorted lines of CDXJ with their keys, a tenth as many as the look-ups have originals.
void build_of_cdxj(benchmark::State& state) {
  const testing::TempDir folder;
  io::Files& files = io::real_files();
  const auto lines = static_cast<int64_t>(count() / 10);
  std::vector<std::string> texts;
  for (int64_t i = 0; i < lines; ++i) {
    const auto number = static_cast<uint64_t>(i);
    const std::string url = url_of(number);
    texts.push_back(cdx::index_key(url) + " " + timestamp14(original(number).date) + " {\"url\": \"" + url +
                    "\", \"mime\": \"text/html\", \"status\": \"200\", \"digest\": \"" +
                    digest_text(io::DigestAlgorithm::sha1, digest_of(number)).substr(5) +
                    "\", \"length\": \"2258\", \"offset\": \"" + std::to_string(number * 997) +
                    "\", \"filename\": \"CADDIS-20260102030405006-00001-1234-host-8443.warc.gz\"}\n");
  }
  std::ranges::sort(texts);
  auto file = *files.open_append(folder / "x.cdxj");
  for (const std::string& text : texts) CADDIS_CHECK(file->append(text).has_value());
  CADDIS_CHECK(cdx::write_index_meta(files, folder / "x.cdxj", url::KeyPolicy::ia_surt()).has_value());
  texts = {};
  for (auto _ : state) {
    IndexBuilder builder(files, folder / "out", {}, *CaptureFilter::create({}));
    if (!builder.add(folder / "x.cdxj") || !builder.finish()) return state.SkipWithError("not built");
  }
  state.SetItemsProcessed(state.iterations() * lines);
}
BENCHMARK(build_of_cdxj)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace caddis::dedup
