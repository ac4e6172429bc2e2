#include <benchmark/benchmark.h>

#include <string>

#include "caddis/html/css_urls.h"
#include "caddis/html/tokenizer.h"

namespace caddis::html {
namespace {

// A page in the proportions of a news site: 100 links and 40 images in 100 KB.
std::string page() {
  std::string out = "<!DOCTYPE html><html><head><meta charset=utf-8><title>News &amp; more</title></head><body>\n";
  for (int i = 0; i < 100; ++i) {
    const std::string n = std::to_string(i);
    out += "<div class=\"teaser teaser-" + n + "\" id=t" + n + "><h2><a href=\"/news/2026/article-" + n +
           ".html?from=home&amp;pos=" + n + "\" title='Read on'>Heading number " + n + "</a></h2>\n";
    if (i % 5 < 2) out += "<img src=\"/img/" + n + ".jpg\" alt=\"A picture\" width=320 height=200>\n";
    for (int k = 0; k < 6; ++k) {
      out +=
          "<p>Some text that goes on for a while, with <em>emphasis</em> and an &eacute; here and there, as in "
          "pages.</p>\n";
    }
    out += "</div>\n";
  }
  return out + "</body></html>\n";
}

void BM_Tokenizer(benchmark::State& state) {
  std::string source = page();
  while (source.size() < 100'000)
    source += "<p>More and more of the very same plain text to fill the page up to size.</p>\n";
  for (auto _ : state) {
    Tokenizer tokenizer(source);
    size_t count = 0;
    for (Token token; tokenizer.next(token);) count += token.attributes.size() + 1;
    benchmark::DoNotOptimize(count);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * source.size()));
}
BENCHMARK(BM_Tokenizer);

void BM_CssUrls(benchmark::State& state) {
  std::string css;
  for (int i = 0; css.size() < 100'000; ++i) {
    css += ".block-" + std::to_string(i) +
           " > .inner { color: #fafafa; margin: 0 1px 2px; font-family: \"Some Font\", serif }\n";
    if (i % 10 == 0) css += ".icon { background: url(\"/img/" + std::to_string(i) + ".png\") no-repeat }\n";
  }
  for (auto _ : state) {
    CssUrls urls(css);
    size_t count = 0;
    for (CssUrl url; urls.next(url);) ++count;
    benchmark::DoNotOptimize(count);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * css.size()));
}
BENCHMARK(BM_CssUrls);

}  // namespace
}  // namespace caddis::html
