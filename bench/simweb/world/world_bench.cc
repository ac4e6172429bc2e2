// What it costs to make an answer: the server's share of a page.
#include <benchmark/benchmark.h>

#include "simweb/world/world.h"

namespace simweb {
namespace {

// Answers of one host's HTML pages, all of nearly one size.
void answer_pages(benchmark::State& state, double gzip, double chunked) {
  WebSettings settings;
  settings.hosts = 1000;
  settings.pages = 100'000;
  settings.mean_size = static_cast<uint64_t>(state.range(0));
  settings.size_sigma = 0.1;
  settings.image = settings.style = settings.script = settings.pdf = 0;
  settings.gzip = gzip;
  settings.chunked = chunked;
  const World world(settings);
  Answer answer;
  uint64_t number = 0, bytes = 0, pieces = 0;
  for (auto _ : state) {
    const HostFacts host = world.host(number % 50);
    const PageRef page = world.page(host, number * 7 % host.pages);
    ++number;
    world.respond({.host = host.id, .page = page}, answer);
    benchmark::DoNotOptimize(answer.body.data());
    bytes += answer.body_size;
    pieces += answer.body.size();
  }
  state.counters["body"] = static_cast<double>(bytes) / static_cast<double>(state.iterations());
  state.counters["pieces"] = static_cast<double>(pieces) / static_cast<double>(state.iterations());
}

void BM_Plain(benchmark::State& state) { answer_pages(state, 0, 0); }
void BM_Gzip(benchmark::State& state) { answer_pages(state, 1, 0.4); }
BENCHMARK(BM_Plain)->Arg(20'000)->Arg(100'000)->Arg(242'000);
BENCHMARK(BM_Gzip)->Arg(20'000)->Arg(100'000);

void BM_Route(benchmark::State& state) {
  const World world(*profile("small-20k"));
  const HostFacts host = world.host(3);
  uint64_t number = 0;
  std::string target;
  for (auto _ : state) {
    target.clear();
    World::append_target(target, world.page(host, number++ % host.pages));
    benchmark::DoNotOptimize(world.route(host, {}, target));
  }
}
BENCHMARK(BM_Route);

void BM_Host(benchmark::State& state) {
  const World world(*profile("hosts-1m"));
  HostId id = 0;
  for (auto _ : state) benchmark::DoNotOptimize(world.host(id = (id + 7919) % world.hosts()));
}
BENCHMARK(BM_Host);

void BM_HostOfName(benchmark::State& state) {
  const World world(*profile("hosts-1m"));
  const std::string name = world.host_name(765'432);
  for (auto _ : state) benchmark::DoNotOptimize(world.host_of(name));
}
BENCHMARK(BM_HostOfName);

}  // namespace
}  // namespace simweb
