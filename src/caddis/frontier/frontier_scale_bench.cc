// What scale costs: memory for hosts that are out of it, a start with all of them, and how late polite hosts are
// visited when the crawl has less to do than it can, or more.
//
// CADDIS_BENCH_LARGE: also ten million hosts; about ten minutes and four gigabytes of disk.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/frontier/frontier.h"
#include "caddis/store/rocks_kv.h"
#include "caddis/url/url.h"
#include "support/testdata.h"

namespace caddis::frontier {
namespace {

constexpr Families kFamilies = {0, 1, 2, 3, 4, 5, 6, 7};
const std::vector<std::string> kNames = {"hosts", "chunks", "retries", "robots", "inbox", "due", "totals", "held"};
constexpr uint64_t kVisitsPerGroup = 4000;

std::chrono::nanoseconds cpu_time(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string host_name(uint64_t host) { return fmt::format("www.host-{}.example", host); }
uint64_t number_of(std::string_view host) {
  uint64_t number = 0;
  constexpr std::string_view kBefore = "www.host-";
  std::from_chars(host.data() + kBefore.size(), host.data() + host.size(), number);
  return number;
}

class World {
 public:
  explicit World(size_t in_memory) {
    options_.identity.key = {1, 2};
    options_.obey_robots = false;
    options_.politeness.delay = Duration(0);
    options_.politeness.max_per_address = 1 << 30;
    options_.hosts_in_memory = in_memory;
    open();
  }
  void open() {
    kv_ = *store::open_rocks(folder_ / "kv", kNames);
    frontier_ = *Frontier::open(options_, kFamilies, *kv_, seen_, clock_);
  }
  void close() {
    commit();
    frontier_.reset();
    kv_.reset();
  }
  ScheduledUrl link(uint64_t host, uint64_t page) const {
    ScheduledUrl made;
    made.host = host_name(host);
    made.origin = "https://" + made.host;
    made.candidate.url = fmt::format("{}/articles/2026/item-{}.html", made.origin, page);
    made.candidate.via = "https://www.host-0.example/articles/2026/";
    made.candidate.hops = "LL";
    made.candidate.seed = "https://www.host-0.example/";
    made.fingerprint = options_.identity.fingerprint(made.candidate.url, options_.identity.partition(made.host));
    return made;
  }
  void add(std::vector<ScheduledUrl> links) {
    benchmark::DoNotOptimize(frontier_->schedule(std::move(links)));
    if (++changes_ % kVisitsPerGroup == 0) commit();
  }
  void commit() {
    store::Batch batch;
    const uint64_t stage = frontier_->stage(batch);
    if (!kv_->write(batch, store::Durability::synced)) std::abort();
    frontier_->committed(stage);
  }
  Outcome finish(Lease lease) {
    Disposition done;
    done.lease = std::move(lease);
    done.status = 200;
    if (done.lease.kind == LeaseKind::dns)
      done.addresses = HostAddresses{{"192.0.2.1"}, clock_.wall() + std::chrono::hours(1000)};
    return frontier_->finish(done);
  }

  testing::TempDir folder_;
  ManualClock clock_;
  store::SeenSet seen_;
  Frontier::Options options_;
  std::unique_ptr<store::Kv> kv_;
  std::unique_ptr<Frontier> frontier_;
  uint64_t changes_ = 0;
};

// Hosts that are known, each with a URL that waits; ten thousand of them are in memory. The second half of them is
// counted: until then, the store's buffers have their size.
void hosts(benchmark::State& state) {
  const auto count = static_cast<uint64_t>(state.range(0));
  for (auto _ : state) {
    World world(10'000);
    double before = 0, seen_before = 0;
    for (uint64_t host = 0; host < count; ++host) {
      if (host == count / 2) {
        before = resident_bytes();
        seen_before = static_cast<double>(world.seen_.memory_bytes());
      }
      world.add({world.link(host, 0)});
    }
    world.commit();
    const auto half = static_cast<double>(count - count / 2);
    const double seen = static_cast<double>(world.seen_.memory_bytes()) - seen_before;
    state.counters["ram_a_cold_host"] = (resident_bytes() - before - seen) / half;
    state.counters["ram_a_url_seen"] = seen / half;
    world.close();
    const auto began = std::chrono::steady_clock::now();
    world.open();
    if (!*world.frontier_->next()) state.SkipWithError("nothing to do after a start");
    state.counters["restart_ms"] =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
    state.counters["in_memory"] = static_cast<double>(world.frontier_->stats().hosts_in_memory);
  }
}
BENCHMARK(hosts)->Arg(1'000'000)->Iterations(1)->Unit(benchmark::kSecond);

// A million URLs wait, and half of them are to go since rules have changed: on one host, or a hundred each. What the crawl
// stands still for at most, if they are swept in parts, and if each host is done at once.
void sweep(benchmark::State& state) {
  constexpr uint64_t kAll = 1'000'000, kInAChunk = 50;
  const auto hosts = static_cast<uint64_t>(state.range(0));
  const bool in_parts = state.range(1) != 0;
  using Clock = std::chrono::steady_clock;
  for (auto _ : state) {
    state.PauseTiming();
    World world(10'000);
    for (uint64_t url = 0; url < kAll; url += kInAChunk) {
      std::vector<ScheduledUrl> links;
      for (uint64_t i = url; i < url + kInAChunk; ++i) links.push_back(world.link(url / kInAChunk % hosts, i));
      world.add(std::move(links));
    }
    world.commit();
    state.ResumeTiming();
    WaitingQuery query;
    uint64_t erased = 0;
    query.match = [](const Candidate& url) {
      return url::Url::parse(url.url) && (url.url[url.url.size() - 6] - '0') % 2 == 0;
    };
    query.gone = [&erased](const Candidate&, const std::string&) { ++erased; };
    double longest = 0, parts = 0;
    const auto part = [&](const std::function<void()>& work) {
      const auto begin = Clock::now();
      work();
      longest = std::max(longest, std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
      ++parts;
      world.commit();
    };
    if (in_parts) {
      do {
        part([&] {
          const auto end = Clock::now() + std::chrono::milliseconds(10);
          query.cursor = world.frontier_->admin().sweep(query, [end] { return Clock::now() >= end; })->cursor;
        });
      } while (!query.cursor.empty());
    } else {
      for (uint64_t host = 0; host < hosts; ++host) {
        query.host = host_name(host);
        part([&] { benchmark::DoNotOptimize(world.frontier_->admin().erase(query)); });
      }
    }
    state.counters["longest_ms"] = longest;
    state.counters["parts"] = parts;
    state.counters["erased"] = static_cast<double>(erased);
  }
}
BENCHMARK(sweep)->ArgsProduct({{1, 10'000}, {0, 1}})->Iterations(1)->Unit(benchmark::kSecond);

// The loop of a crawl under a clock that shows the processor time the loop has taken, and is set on to when the next
// host is due where there is nothing to do: a crawl as fast as this machine would be alone. Each host has one URL.
class PoliteCrawl : public World {
 public:
  explicit PoliteCrawl(uint64_t hosts) : World(2 * hosts), hosts_(hosts), due_(hosts) {
    for (uint64_t host = 0; host < hosts; ++host) add({link(host, 0)});
    commit();
    last_ = cpu_time(CLOCK_THREAD_CPUTIME_ID);
    visits(hosts);  // DNS
  }
  // With delays of half to one and a half times that length, as they differ on the web. Gives how late each visit was.
  std::vector<Duration> visits(uint64_t count, Duration delay = Duration(0)) {
    std::vector<Duration> late;
    late.reserve(count);
    while (late.size() < count) {
      tick();
      auto lease = *frontier_->next();
      if (!lease) {
        const auto due = frontier_->next_due();
        if (!due) std::abort();
        clock_.advance(std::max(Duration(1000), *due - clock_.steady()));
        continue;
      }
      const uint64_t host = number_of(lease->host);
      late.push_back(clock_.steady() - due_[host]);
      std::vector<ScheduledUrl> links = links_of(host);
      set_delay(delay / 2 + Duration(random_.below(static_cast<uint64_t>(delay.count()) + 1)));
      finish(*std::move(lease));
      due_[host] = clock_.steady() + options_.politeness.delay.value_or(Duration(0));
      add(std::move(links));
    }
    return late;
  }
  SteadyTime now() const { return clock_.steady(); }

 private:
  void set_delay(Duration delay) {
    options_.politeness.delay = delay;
    frontier_->admin().set_rules(options_.rules(), options_.reach, options_.sheet_quotas);
  }
  // What the loop takes; making links up is no part of it.
  void tick() {
    const auto now = cpu_time(CLOCK_THREAD_CPUTIME_ID);
    clock_.advance(now - last_);
    last_ = now;
  }
  std::vector<ScheduledUrl> links_of(uint64_t host) {
    tick();
    constexpr int kLinks = 20;
    std::vector<ScheduledUrl> links;
    for (int i = 1; i < kLinks; ++i) links.push_back(link(random_.below(hosts_), 0));
    links.push_back(link(host, random_.below(uint64_t{1} << 40)));
    last_ = cpu_time(CLOCK_THREAD_CPUTIME_ID);
    return links;
  }

  uint64_t hosts_;
  std::vector<SteadyTime> due_;
  SeededRandom random_{1};
  std::chrono::nanoseconds last_{};
};

// At so many percent of what the loop can do.
void lateness(benchmark::State& state) {
  const auto hosts = static_cast<uint64_t>(state.range(0));
  for (auto _ : state) {
    PoliteCrawl crawl(hosts);
    // What the loop can do is measured with hosts in no order, as they will be: one after the other, they are cheaper.
    const SteadyTime first = crawl.now();
    crawl.visits(hosts);
    const Duration short_delay = (crawl.now() - first) / 2;
    crawl.visits(2 * hosts, short_delay);
    const SteadyTime began = crawl.now();
    crawl.visits(2 * hosts, short_delay);
    const Duration once = (crawl.now() - began) / 2;
    const Duration delay = once * 100 / state.range(1);
    crawl.visits(3 * hosts, delay);
    auto late = crawl.visits(3 * hosts, delay);
    std::ranges::sort(late);
    const auto ms = [](Duration time) { return std::chrono::duration<double, std::milli>(time).count(); };
    state.counters["visits_a_second"] = 1e3 * static_cast<double>(hosts) / ms(once);
    state.counters["delay_ms"] = ms(delay);
    state.counters["median_ms"] = ms(late[late.size() / 2]);
    state.counters["p99_ms"] = ms(late[late.size() * 99 / 100]);
    state.counters["latest_ms"] = ms(late.back());
    state.counters["told_p99_ms"] = ms(crawl.frontier_->stats().late.p99);
  }
}
BENCHMARK(lateness)->Args({100'000, 60})->Args({100'000, 150})->Iterations(1)->Unit(benchmark::kSecond);

const bool with_large = [] {
  if (std::getenv("CADDIS_BENCH_LARGE") == nullptr) return false;
  benchmark::RegisterBenchmark("hosts", hosts)->Arg(10'000'000)->Iterations(1)->Unit(benchmark::kSecond);
  return true;
}();

}  // namespace
}  // namespace caddis::frontier
