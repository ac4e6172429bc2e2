// Costs of replay: rewriting a page with 100 links (of 48 KB in 0.4 ms at most; pywb takes about 10 ms for 100 KB), and whole
// requests: lookup, gunzip, decoding, rewriting, all of the body.
#include <benchmark/benchmark.h>

#include "caddis/base/clock.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/replay/css.h"
#include "caddis/replay/html.h"
#include "caddis/replay/wayback.h"
#include "support/testdata.h"

namespace caddis::replay {
namespace {

std::string page_of(size_t links, size_t bytes) {
  std::string page = "<!DOCTYPE html><html><head><title>x</title></head><body>";
  const std::string text(bytes / links, 'x');
  for (size_t i = 0; i < links; ++i)
    page +=
        "<p class=\"a b c\">" + text + "<a href=\"/dir/page" + std::to_string(i) + ".html?a=1&amp;b=2\">link</a></p>\n";
  return page + "</body></html>";
}

void rewrite_page(benchmark::State& state) {
  const std::string page = page_of(100, static_cast<size_t>(state.range(0)));
  const auto url = *url::Url::parse("http://example.org/dir/");
  for (auto _ : state) {
    LinkRewriter links("/c/", "20260102030405", url, Modifier::page);
    benchmark::DoNotOptimize(rewrite_html(page, links, {}));
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * page.size()));
}
BENCHMARK(rewrite_page)->Arg(48'000)->Arg(100'000);

void rewrite_style_sheet(benchmark::State& state) {
  std::string css;
  for (int i = 0; i < 1000; ++i)
    css += ".class" + std::to_string(i) + " > a:hover { color: #123456; background: url(../i/a.png) }\n";
  const LinkRewriter links("/c/", "20260102030405", *url::Url::parse("http://example.org/dir/a.css"), Modifier::style);
  for (auto _ : state) {
    std::string out;
    benchmark::DoNotOptimize(rewrite_css(css, links, out));
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * css.size()));
}
BENCHMARK(rewrite_style_sheet);

void ask(benchmark::State& state, Wayback& wayback, const std::string& target) {
  http::ServerRequest request;
  request.method = "GET";
  request.target = request.path = target;
  size_t bytes = 0;
  for (auto _ : state) {
    http::ServerResponse response = wayback.handle(request);
    if (response.status != 200) return state.SkipWithError("not shown");
    const auto body = http::whole_body(response);
    if (!body) return state.SkipWithError("its body breaks off");
    bytes = body->size();
  }
  state.counters["bytes"] = static_cast<double>(bytes);
}

// A real page (pywb's sample).
void whole_request(benchmark::State& state) {
  const auto path = testing::testdata("07-warc/files/pywb__iana.warc.gz");
  if (!path) return state.SkipWithError("test data is not here");
  auto collections = open_collections(io::real_files(), system_clock(), *path);
  Wayback wayback(io::real_files(), *std::move(collections), *Origins::create({}, {"pywb__iana"}, "secret"));
  ask(state, wayback, "/pywb__iana/20140126200624mp_/http://www.iana.org/");
}
BENCHMARK(whole_request);

// A page of 48 KB with 100 links.
void whole_request_of_48_kb(benchmark::State& state) {
  const std::string page = page_of(100, 48'000);
  const std::string head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + std::to_string(page.size()) + "\r\n\r\n";
  const std::string record =
      "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Target-URI: http://example.org/\r\n"
      "WARC-Date: 2020-01-01T00:00:00Z\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: " +
      std::to_string(head.size() + page.size()) + "\r\n\r\n" + head + page + "\r\n\r\n";
  io::MemoryFiles files;
  if (!files.make_dirs("/c/archive") ||
      !files.write_atomically("/c/archive/a.warc.gz", io::gzip_member(record, io::GzipEffort::small)))
    return state.SkipWithError("no file");
  auto collections = open_collections(files, system_clock(), "/c");
  Wayback wayback(files, *std::move(collections), *Origins::create({}, {"c"}, "secret"));
  ask(state, wayback, "/c/20200101000000mp_/http://example.org/");
}
BENCHMARK(whole_request_of_48_kb);

}  // namespace
}  // namespace caddis::replay
