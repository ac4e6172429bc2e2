// Costs of replay: rewriting a page of 100 KB with 100 links (pywb takes about 10 ms), and a whole request.
#include <benchmark/benchmark.h>

#include "caddis/base/clock.h"
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
  const std::string page = page_of(100, 100'000);
  const auto url = *url::Url::parse("http://example.org/dir/");
  for (auto _ : state) {
    LinkRewriter links("/c/", "20260102030405", url, Modifier::page);
    benchmark::DoNotOptimize(rewrite_html(page, links, {}));
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * page.size()));
}
BENCHMARK(rewrite_page);

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

// Lookup, gunzip, decoding, rewriting, Memento headers: a real page (pywb's sample).
void whole_request(benchmark::State& state) {
  const auto path = testing::testdata("07-warc/files/pywb__iana.warc.gz");
  if (!path) return state.SkipWithError("test data is not here");
  auto collections = open_collections(io::real_files(), system_clock(), *path);
  Wayback wayback(io::real_files(), *std::move(collections), *Origins::create({}, {"pywb__iana"}, "secret"));
  http::ServerRequest request;
  request.method = "GET";
  request.target = request.path = "/pywb__iana/20140126200624/http://www.iana.org/";
  for (auto _ : state) {
    const auto response = wayback.handle(request);
    if (response.status != 200) return state.SkipWithError("not shown");
    benchmark::DoNotOptimize(response.body.data());
  }
}
BENCHMARK(whole_request);

}  // namespace
}  // namespace caddis::replay
