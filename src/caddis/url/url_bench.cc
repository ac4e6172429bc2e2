#include <benchmark/benchmark.h>

#include "caddis/url/canonicalize.h"
#include "caddis/url/domain.h"
#include "caddis/url/surt.h"
#include "caddis/url/url.h"

namespace caddis::url {
namespace {

constexpr std::string_view kNormal = "https://www.example.com/articles/2024/05/some-title.html?page=2&order=date";
constexpr std::string_view kPort = "http://127.0.0.1:8080/articles/2024/05/some-title.html?page=2&order=date";
constexpr std::string_view kMessy = " HTTPS://WWW.Example.COM:443/a/./b/../c d/%7efoo/\xC3\xA9?q=a b#top ";
constexpr std::string_view kIdn = "http://m\xC3\xBCller.example/";

void parse(benchmark::State& state, std::string_view input) {
  for (auto _ : state) benchmark::DoNotOptimize(Url::parse(input));
}
BENCHMARK_CAPTURE(parse, normal, kNormal);
BENCHMARK_CAPTURE(parse, ipv4_port, kPort);
BENCHMARK_CAPTURE(parse, messy, kMessy);
BENCHMARK_CAPTURE(parse, idn, kIdn);

void resolve(benchmark::State& state, std::string_view input) {
  const Url base = Url::parse(kNormal).value();
  for (auto _ : state) benchmark::DoNotOptimize(Url::parse(input, &base));
}
BENCHMARK_CAPTURE(resolve, file, "other-title.html");
BENCHMARK_CAPTURE(resolve, path, "/static/css/main.css?v=12");
BENCHMARK_CAPTURE(resolve, dots, "../../2023/12/index.html#comments");
BENCHMARK_CAPTURE(resolve, query, "?page=3");
BENCHMARK_CAPTURE(resolve, absolute, kNormal);
BENCHMARK_CAPTURE(resolve, scheme_relative, "//cdn.example.net/lib/jquery.min.js");

void key(benchmark::State& state, std::string_view notation, std::string_view input) {
  const KeyPolicy policy = KeyPolicy::parse(notation).value();
  const Url url = Url::parse(input).value();
  for (auto _ : state) benchmark::DoNotOptimize(crawl_key(policy, url));
}
BENCHMARK_CAPTURE(key, caddis_normal, "caddis", kNormal);
BENCHMARK_CAPTURE(key, caddis_session, "caddis", "http://example.com/a?sid=0123456789abcdef0123456789abcdef&b=1");
BENCHMARK_CAPTURE(key, exact, "exact", kNormal);
BENCHMARK_CAPTURE(key, heritrix, "heritrix", kNormal);
BENCHMARK_CAPTURE(key, ia_surt, "ia-surt", kNormal);
BENCHMARK_CAPTURE(key, ssurt, "ssurt", kNormal);
BENCHMARK_CAPTURE(key, caddis_changed, "caddis +strip-www +index-document", kNormal);
BENCHMARK_CAPTURE(key, caddis_guarded, "caddis +strip-www@site(example.org)", kNormal);
BENCHMARK_CAPTURE(key, caddis_regex, "caddis +regex(s/;v=\\d+$//)", kNormal);
BENCHMARK_CAPTURE(key, semantic, "semantic", kNormal);

void domain(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(registrable_domain("www.example.co.uk"));
}
BENCHMARK(domain);

void surt_prefixes(benchmark::State& state) {
  SurtPrefixSet set;
  for (int i = 0; i < 1000; ++i) set.add(surt_prefix_of_domain("site" + std::to_string(i) + ".example"));
  const Url url = Url::parse("http://www.site500.example/a/b").value();
  for (auto _ : state) benchmark::DoNotOptimize(set.matches(url));
}
BENCHMARK(surt_prefixes);

}  // namespace
}  // namespace caddis::url
