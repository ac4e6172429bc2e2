// Reading, checking and writing an archive of pages and images in memory. Rates are of uncompressed bytes.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/base/strings.h"
#include "caddis/io/digest.h"
#include "caddis/io/gzip.h"
#include "caddis/warc/check.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/writer.h"

namespace caddis::warc {
namespace {

constexpr std::string_view kDate = "2026-01-02T03:04:05Z";
constexpr size_t kCaptures = 1500;

std::string page(SeededRandom& random, size_t size) {
  std::string text;
  while (text.size() < size) {
    if (text.size() > 2000 && random.below(2) == 0) {
      text += text.substr(random.below(text.size() - 400), 20 + random.below(300));
    } else {
      text += "<li><a href=\"/p/" + std::to_string(random.next() % 100000) + "\">";
      for (int i = 0; i < 40; ++i) text += static_cast<char>('a' + random.below(26));
      text += "</a></li>\n";
    }
  }
  text.resize(size);
  return text;
}

std::string image(SeededRandom& random, size_t size) {
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random.next());
  return bytes;
}

struct Archive {
  std::string bytes;
  size_t raw = 0;
  std::vector<uint64_t> offsets;
};

// As a crawl writes it: response, request and metadata of each capture; a third are images; a quarter of the bodies is
// chunked.
Archive archive(Compression compression) {
  SeededRandom random(1);
  Archive made;
  const auto add = [&](RecordFields fields, std::string_view head, std::string_view body) {
    made.offsets.push_back(made.bytes.size());
    append_record(made.bytes, fields, {head, body}, compression);
    made.raw += fields.header_block(0).size() + head.size() + body.size() + 4;
  };
  for (size_t i = 0; i < kCaptures; ++i) {
    const std::string uri = "http://example.com/page/" + std::to_string(i);
    const std::string id = record_id(random);
    const std::string data =
        i % 3 == 0 ? image(random, 10'000 + random.below(30'000)) : page(random, 5'000 + random.below(30'000));
    const bool chunked = i % 4 == 0;
    std::string head = "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Type: text/html\r\n";
    head +=
        chunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: " + std::to_string(data.size()) + "\r\n\r\n";
    std::string body = data;
    if (chunked) {
      const char size[2] = {static_cast<char>(data.size() >> 8), static_cast<char>(data.size())};
      body = to_hex({size, 2}) + "\r\n" + data + "\r\n0\r\n\r\n";
    }
    add(RecordFields::response(id, kDate, uri)
            .content_type(kHttpResponse)
            .payload_digest(io::digest_label(io::sha1(data)))
            .block_digest(io::digest_label(io::sha1(head + body))),
        head, body);
    const std::string request =
        "GET /page/1 HTTP/1.1\r\nHost: example.com\r\nUser-Agent: caddis\r\nAccept: */*\r\n\r\n";
    add(RecordFields::request(record_id(random), kDate, uri, id)
            .content_type(kHttpRequest)
            .block_digest(io::digest_label(io::sha1(request))),
        request, "");
    add(RecordFields::metadata(record_id(random), kDate, uri, id),
        "via: http://example.com/\r\nhopsFromSeed: L\r\nfetchTimeMs: 12\r\n", "");
  }
  return made;
}

const Archive& plain() {
  static const Archive made = archive(Compression::none);
  return made;
}
const Archive& packed() {
  static const Archive made = archive(Compression::small);
  return made;
}
const Archive& chosen(const benchmark::State& state) { return state.range(0) == 0 ? plain() : packed(); }

void finish(benchmark::State& state, const Archive& of) {
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(of.raw));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(of.offsets.size()));
  state.SetLabel(state.range(0) == 0 ? "plain" : "gzip");
}

void BM_WalkHeaders(benchmark::State& state) {
  const Archive& of = chosen(state);
  const MemorySource source(of.bytes);
  for (auto _ : state) {
    Reader reader(source);
    size_t records = 0;
    while (Record* record = *reader.next()) records += record->header().size();
    benchmark::DoNotOptimize(records);
  }
  finish(state, of);
}
BENCHMARK(BM_WalkHeaders)->Arg(0)->Arg(1);

void BM_ReadBlocks(benchmark::State& state) {
  const Archive& of = chosen(state);
  const MemorySource source(of.bytes);
  for (auto _ : state) {
    Reader reader(source);
    while (Record* record = *reader.next()) {
      for (std::string_view piece; !(piece = *record->read_block()).empty();) benchmark::DoNotOptimize(piece.data());
    }
  }
  finish(state, of);
}
BENCHMARK(BM_ReadBlocks)->Arg(0)->Arg(1);

void BM_Check(benchmark::State& state) {
  const Archive& of = chosen(state);
  const MemorySource source(of.bytes);
  for (auto _ : state) {
    const auto summary = check_file(source, [](const Finding&) { std::abort(); });
    benchmark::DoNotOptimize(summary->records);
  }
  finish(state, of);
}
BENCHMARK(BM_Check)->Arg(0)->Arg(1);

void BM_ReadOneRecord(benchmark::State& state) {
  const Archive& of = chosen(state);
  const MemorySource source(of.bytes);
  SeededRandom random(2);
  for (auto _ : state) {
    Reader reader(source, {.read_size = 64 * 1024, .resync = false}, of.offsets[3 * random.below(kCaptures)]);
    benchmark::DoNotOptimize(read_payload(**reader.next(), 1 << 20)->entity.size());
  }
  state.SetLabel(state.range(0) == 0 ? "plain" : "gzip");
}
BENCHMARK(BM_ReadOneRecord)->Arg(0)->Arg(1);

void BM_AppendRecord(benchmark::State& state) {
  SeededRandom random(3);
  const std::string body = page(random, 20'000);
  const std::string id = record_id(random), digest = io::digest_label(io::sha1(body));
  std::string out;
  for (auto _ : state) {
    out.clear();
    append_record(out,
                  RecordFields::response(id, kDate, "http://example.com/page/1")
                      .content_type(kHttpResponse)
                      .payload_digest(digest),
                  {"HTTP/1.1 200 OK\r\n\r\n", body}, static_cast<Compression>(state.range(0)));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(body.size()));
}
BENCHMARK(BM_AppendRecord)->Arg(0)->Arg(1)->Arg(2);

}  // namespace
}  // namespace caddis::warc
