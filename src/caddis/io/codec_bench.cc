// Compression, inflating, digests: the rates behind the choices in docs/architecture.md. Library baselines stand beside
// ours.
#include <benchmark/benchmark.h>
#include <libdeflate.h>
#include <zlib.h>

#include <memory>
#include <string>

#include "caddis/base/random.h"
#include "caddis/io/chunked.h"
#include "caddis/io/digest.h"
#include "caddis/io/gzip.h"

namespace caddis::io {
namespace {

// Text that compresses about as web pages do (4 to 5 times).
std::string page(size_t size) {
  SeededRandom random(size);
  std::string text;
  while (text.size() < size) {
    if (text.size() > 2000 && random.below(2) == 0) {
      text += text.substr(random.below(text.size() - 400), 20 + random.below(300));
    } else {
      text += "<li class=\"i" + std::to_string(random.below(90)) + "\"><a href=\"/p/" +
              std::to_string(random.next() % 100000) + "\">";
      for (int i = 0; i < 40; ++i) text += static_cast<char>('a' + random.below(26) * random.below(2));
      text += "</a></li>\n";
    }
  }
  text.resize(size);
  return text;
}

void count(benchmark::State& state, size_t bytes) {
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes));
}

void BM_Gzip(benchmark::State& state) {
  const auto effort = static_cast<GzipEffort>(state.range(0));
  const std::string data = page(static_cast<size_t>(state.range(1)));
  std::string out;
  for (auto _ : state) {
    out.clear();
    gzip_member_append(out, {data}, effort);
  }
  count(state, data.size());
  state.counters["ratio"] = static_cast<double>(out.size()) / static_cast<double>(data.size());
}
BENCHMARK(BM_Gzip)->ArgsProduct({{0, 1, 2, 3}, {1000, 20'000, 100'000, 1'000'000}});

void BM_GzipStream(benchmark::State& state) {
  GzipStream stream(static_cast<GzipEffort>(state.range(0)));
  const std::string data = page(1'000'000);
  std::string out;
  for (auto _ : state) {
    out.clear();
    stream.write(data, out);
    stream.finish(out);
  }
  count(state, data.size());
}
BENCHMARK(BM_GzipStream)->Arg(0)->Arg(1);

void BM_Gunzip(benchmark::State& state) {
  const std::string data = page(static_cast<size_t>(state.range(0)));
  const std::string packed = gzip_member(data, GzipEffort::small);
  GunzipStream gunzip;
  std::string buffer(64 * 1024, '\0');
  for (auto _ : state) {
    std::string_view input = packed;
    for (bool end = false; !end;) end = gunzip.inflate(input, buffer)->member_end;
  }
  count(state, data.size());
}
BENCHMARK(BM_Gunzip)->Arg(1000)->Arg(20'000)->Arg(1'000'000);

void BM_GunzipLibdeflateWholeBuffer(benchmark::State& state) {
  const std::string data = page(static_cast<size_t>(state.range(0)));
  const std::string packed = gzip_member(data, GzipEffort::small);
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  std::string buffer(data.size(), '\0');
  for (auto _ : state) {
    libdeflate_gzip_decompress(decompressor.get(), packed.data(), packed.size(), buffer.data(), buffer.size(), nullptr);
    benchmark::ClobberMemory();
  }
  count(state, data.size());
}
BENCHMARK(BM_GunzipLibdeflateWholeBuffer)->Arg(1000)->Arg(20'000)->Arg(1'000'000);

void BM_GunzipZlib(benchmark::State& state) {
  const std::string data = page(static_cast<size_t>(state.range(0)));
  const std::string packed = gzip_member(data, GzipEffort::small);
  std::string buffer(64 * 1024, '\0');
  z_stream stream{};
  inflateInit2(&stream, 15 + 16);
  for (auto _ : state) {
    inflateReset(&stream);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
    } while (inflate(&stream, Z_NO_FLUSH) == Z_OK);
  }
  inflateEnd(&stream);
  count(state, data.size());
}
BENCHMARK(BM_GunzipZlib)->Arg(1000)->Arg(20'000)->Arg(1'000'000);

void BM_Digest(benchmark::State& state) {
  Digest digest(static_cast<DigestAlgorithm>(state.range(0)));
  const std::string data = page(static_cast<size_t>(state.range(1)));
  for (auto _ : state) {
    digest.update(data);
    benchmark::DoNotOptimize(digest.finish());
  }
  count(state, data.size());
  state.SetLabel(std::string(to_string(digest.algorithm())));
}
BENCHMARK(BM_Digest)->Args({1, 100})->Args({1, 100'000})->Args({2, 100'000});

void BM_Dechunk(benchmark::State& state) {
  std::string coded;
  const std::string data = page(8192);
  for (int i = 0; i < 20; ++i) coded += "2000\r\n" + data + "\r\n";
  coded += "0\r\n\r\n";
  for (auto _ : state) {
    ChunkedDecoder decoder;
    decoder.feed(coded, [](std::string_view piece) { benchmark::DoNotOptimize(piece.data()); });
  }
  count(state, coded.size());
}
BENCHMARK(BM_Dechunk);

}  // namespace
}  // namespace caddis::io
