#include <benchmark/benchmark.h>

#include <string>

#include "caddis/extract/extract.h"

namespace caddis::extract {
namespace {

// 100 KB of a news site: 100 links and 40 images, a style and a script.
std::string page() {
  std::string out =
      "<!DOCTYPE html><html><head><meta charset=utf-8><title>News &amp; more</title><link rel=stylesheet href=/s.css>"
      "<style>body{background:url(/bg.png)}</style><script>var a = '/x.js', b = \"text/html\";</script></head><body>\n";
  for (int i = 0; i < 100; ++i) {
    const std::string n = std::to_string(i);
    out += "<div class=\"teaser teaser-" + n + "\" id=t" + n + "><h2><a href=\"/news/2026/article-" + n +
           ".html?from=home&amp;pos=" + n + "\" title='Read on'>Heading number " + n + "</a></h2>\n";
    if (i % 5 < 2) out += "<img src=\"/img/" + n + ".jpg\" alt=\"A picture\" width=320 height=200>\n";
    for (int k = 0; k < 6; ++k) {
      out +=
          "<p>Some text that goes on for a while, with <em>emphasis</em> and an &eacute; here and there, as in pages "
          "that people write.</p>\n";
    }
    out += "</div>\n";
  }
  return out + "</body></html>\n";
}

void run(benchmark::State& state, std::string_view content_type, const std::string& body) {
  const Document document = {.url = "https://www.example.org/news/", .content_type = content_type, .body = body};
  size_t links = 0;
  for (auto _ : state) {
    const Extracted found = extract(document, {});
    links = found.links.size();
    benchmark::DoNotOptimize(links);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * body.size()));
  state.counters["links"] = static_cast<double>(links);
}

void BM_Page(benchmark::State& state) { run(state, "text/html; charset=utf-8", page()); }
BENCHMARK(BM_Page);

void BM_PageOfUnknownCharset(benchmark::State& state) { run(state, "text/html", page()); }
BENCHMARK(BM_PageOfUnknownCharset);

void BM_PageInWindows1252(benchmark::State& state) {
  run(state, "text/html; charset=iso-8859-1", page() + "<p>\xE4\xF6\xFC</p>");
}
BENCHMARK(BM_PageInWindows1252);

void BM_Script(benchmark::State& state) {
  std::string body;
  for (int i = 0; body.size() < 100'000; ++i) {
    body += "function f" + std::to_string(i) +
            "(a,b){var c=a/2;return c>1?\"some text\":g('x',{key:\"value\"})}/* note */\n";
    if (i % 50 == 0) body += "h('https://cdn.example.org/lib/" + std::to_string(i) + ".js');\n";
  }
  run(state, "text/javascript", body);
}
BENCHMARK(BM_Script);

}  // namespace
}  // namespace caddis::extract
