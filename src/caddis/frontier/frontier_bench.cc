// The loop of a crawl without fetching: a lease, its end, twenty links of which one is new; committed to RocksDB in
// groups of 4,000 visits. What is counted is the processor time of all threads, those of the store included, but for
// making the links up, which is no part of the loop. With hosts in memory and with most of them out of it.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <string>

#include "caddis/base/random.h"
#include "caddis/frontier/frontier.h"
#include "caddis/store/rocks_kv.h"
#include "support/testdata.h"

namespace caddis::frontier {
namespace {

constexpr Families kFamilies = {0, 1, 2, 3, 4, 5, 6, 7};
const std::vector<std::string> kNames = {"hosts", "chunks", "retries", "robots", "inbox", "due", "totals", "held"};
constexpr int kLinks = 20, kVisitsPerGroup = 4000;

double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Crawl {
 public:
  Crawl(uint64_t hosts, size_t in_memory) : hosts_(hosts) {
    kv_ = *store::open_rocks(folder_ / "kv", kNames);
    options_.identity.key = {1, 2};
    options_.obey_robots = false;
    options_.politeness.delay = Duration(0);
    options_.politeness.max_per_address = 1 << 30;
    options_.hosts_in_memory = in_memory;
    frontier_ = *Frontier::open(options_, kFamilies, *kv_, seen_, clock_);
    for (uint64_t host = 0; host < hosts; ++host) {
      add({link(host, 0)});
      if (host % kVisitsPerGroup == 0) commit();
    }
    commit();
  }

  // Until the addresses of all hosts are known and each was visited.
  void begin() {
    while (pages_visited_ < hosts_) visit_group();
  }
  // As many visits as a group has, and their links. Gives the processor time that it has taken, in seconds.
  double visit_group() {
    constexpr int kAtOnce = 20;
    const double began = seconds(CLOCK_PROCESS_CPUTIME_ID);
    double made_up = 0;
    for (int visits = 0; visits < kVisitsPerGroup; visits += kAtOnce) {
      const double before = seconds(CLOCK_THREAD_CPUTIME_ID);
      std::vector<std::vector<ScheduledUrl>> pages(kAtOnce);
      for (auto& page : pages) page = links_of_a_page();
      made_up += seconds(CLOCK_THREAD_CPUTIME_ID) - before;
      for (auto& page : pages) visit(std::move(page));
    }
    commit();
    return seconds(CLOCK_PROCESS_CPUTIME_ID) - began - made_up;
  }
  // A page of a host with so many new links, three quarters of them to the host itself.
  void find_links(int count) {
    const uint64_t host = random_.below(hosts_);
    std::vector<ScheduledUrl> links;
    for (int i = 0; i < count; ++i) {
      links.push_back(link(random_.below(4) < 3 ? host : random_.below(hosts_), random_.below(uint64_t{1} << 40)));
      links.back().candidate.via = fmt::format("https://www.host-{}.example/articles/2026/item-{}.html", host, visits_);
    }
    add(std::move(links));
    if (++visits_ % kVisitsPerGroup == 0) commit();
  }
  // Closes all and gives the bytes of the store on disk.
  uint64_t bytes_on_disk() {
    commit();
    frontier_.reset();
    kv_.reset();
    // Opening writes what stood in the log only into tables.
    kv_ = *store::open_rocks(folder_ / "kv", kNames);
    kv_.reset();
    uint64_t bytes = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder_ / "kv"))
      if (file.path().extension() == ".sst") bytes += file.file_size();
    return bytes;
  }
  uint64_t queued() const { return frontier_->stats().queued; }

 private:
  ScheduledUrl link(uint64_t host, uint64_t page) const {
    ScheduledUrl made;
    made.host = fmt::format("www.host-{}.example", host);
    made.origin = "https://" + made.host;
    made.candidate.url = fmt::format("{}/articles/2026/item-{}.html", made.origin, page);
    made.candidate.via = "https://www.host-0.example/articles/2026/";
    made.candidate.hops = "LL";
    made.candidate.context = "a/@href";
    made.candidate.seed = "https://www.host-0.example/";
    made.fingerprint = options_.identity.fingerprint(made.candidate.url, options_.identity.partition(made.host));
    return made;
  }
  void add(std::vector<ScheduledUrl> scheduled_urls) {
    benchmark::DoNotOptimize(frontier_->schedule(std::move(scheduled_urls)));
  }
  std::vector<ScheduledUrl> links_of_a_page() {
    std::vector<ScheduledUrl> links;
    links.reserve(kLinks);
    const std::string page = link(random_.below(hosts_), random_.below(uint64_t{1} << 40)).candidate.url;
    for (int i = 1; i < kLinks; ++i) links.push_back(link(random_.below(hosts_), 0));
    links.push_back(link(random_.below(hosts_), random_.below(uint64_t{1} << 40)));
    for (ScheduledUrl& found : links) found.candidate.via = page;
    return links;
  }
  void visit(std::vector<ScheduledUrl> links) {
    auto lease = *frontier_->next();
    while (!lease) {
      clock_.advance(std::chrono::milliseconds(1));
      commit();
      lease = *frontier_->next();
    }
    Disposition done;
    done.lease = *std::move(lease);
    done.status = 200;
    if (done.lease.kind == LeaseKind::dns)
      done.addresses = HostAddresses{{"192.0.2.1"}, clock_.wall() + std::chrono::hours(6)};
    frontier_->finish(done);
    if (done.lease.kind != LeaseKind::url) return;
    ++pages_visited_;
    add(std::move(links));
  }
  void commit() {
    store::Batch batch;
    const uint64_t stage = frontier_->stage(batch);
    if (!kv_->write(batch, store::Durability::synced)) std::abort();
    frontier_->committed(stage);
  }

  uint64_t hosts_;
  testing::TempDir folder_;
  ManualClock clock_;
  store::SeenSet seen_;
  Frontier::Options options_;
  std::unique_ptr<store::Kv> kv_;
  std::unique_ptr<Frontier> frontier_;
  SeededRandom random_{1};
  uint64_t visits_ = 0, pages_visited_ = 0;
};

void visits(benchmark::State& state) {
  const auto hosts = static_cast<uint64_t>(state.range(0));
  Crawl crawl(hosts, static_cast<size_t>(state.range(1)));
  crawl.begin();
  double taken = 0;
  for (auto _ : state) {
    const double seconds = crawl.visit_group();
    state.SetIterationTime(seconds);
    taken += seconds;
  }
  const auto all = static_cast<double>(state.iterations() * kVisitsPerGroup);
  state.counters["us_a_visit"] = 1e6 * taken / all;
  state.counters["visits_a_second"] = all / taken;
  state.counters["queued"] = static_cast<double>(crawl.queued());
}
// As many visits as fill the store's write buffers some times over.
BENCHMARK(visits)
    ->Args({1000, 100'000})
    ->Args({100'000, 200'000})
    ->Args({100'000, 10'000})
    ->UseManualTime()
    ->Iterations(75)
    ->Unit(benchmark::kMillisecond);

// The cost on disk of a URL that waits.
void queued_url(benchmark::State& state) {
  constexpr int kNewLinks = 18;
  for (auto _ : state) {
    Crawl crawl(static_cast<uint64_t>(state.range(0)), static_cast<size_t>(state.range(1)));
    for (int64_t page = 0; page < state.range(2); ++page) crawl.find_links(kNewLinks);
    const auto queued = static_cast<double>(crawl.queued());
    state.counters["queued"] = queued;
    state.counters["bytes_a_url"] = static_cast<double>(crawl.bytes_on_disk()) / queued;
  }
}
BENCHMARK(queued_url)
    ->Args({1000, 100'000, 50'000})
    ->Args({100'000, 10'000, 50'000})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace caddis::frontier
