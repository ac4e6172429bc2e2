#include "frontier_overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "caddis/base/counted.h"
#include "caddis/crawl/stopped_crawl.h"
#include "frontier_words.h"

namespace caddis::cli {
namespace {

namespace api = control::api;

// The first queues in one order.
struct Ranking {
  const char* title;
  double (*amount)(const api::Queue&);  // the larger ones first; none that has 0
  std::vector<api::Queue> queues = {};

  void add(const api::Queue& queue, size_t most) {
    if (amount(queue) <= 0) return;
    const auto place =
        std::ranges::find_if(queues, [&](const api::Queue& other) { return amount(queue) > amount(other); });
    queues.insert(place, queue);
    if (queues.size() > most) queues.pop_back();
  }
};

struct QueueLists {
  struct Counts {
    uint64_t queues = 0, urls = 0;
  };
  std::map<std::string, Counts> states;
  Ranking rankings[3] = {
      {"Largest", [](const api::Queue& queue) { return static_cast<double>(queue.queued); }},
      {"Slowest",
       [](const api::Queue& queue) {
         return std::max({queue.wait_seconds, queue.last_fetch_seconds, queue.visiting_seconds});
       }},
      {"Most failures", [](const api::Queue& queue) { return static_cast<double>(queue.failures + queue.retries); }}};

  void add(const api::Queue& queue, size_t most) {
    Counts& counts = states[queue.state];
    ++counts.queues;
    counts.urls += queue.queued;
    for (Ranking& ranking : rankings) ranking.add(queue, most);
  }
};

// Reads the queues a part at a time: of a running crawl those of resident hosts, unless `all` are asked for.
Result<QueueLists> collect(AskedCrawl& crawl, bool all, size_t most) {
  QueueLists lists;
  api::QueuePage page;
  do {
    if (all) {
      TRY(page,
          crawl.read<api::QueuePage>("/queues", query_of({{"limit", "10000"}, {"all", "1"}, {"marker", page.marker}})));
    } else {
      TRY(page.queues, crawl.read<std::vector<api::Queue>>("/queues", "limit=10000"));
    }
    for (const api::Queue& queue : page.queues) lists.add(queue, most);
  } while (!page.marker.empty());
  return lists;
}

Result<void> print_state(AskedCrawl& crawl) {
  if (!crawl.runs()) {
    const auto stats = crawl.stopped().frontier().stats();
    fmt::print("not running: {}, {}, {} set aside\n", counted(stats.queued, "URL waits", "URLs wait"),
               counted(stats.hosts, "host"), stats.hosts_aside);
    return {};
  }
  TRY(const std::string answer, crawl.status());
  TRY(const auto status, api::from_json<api::Status>(answer));
  fmt::print("{}{}{}\n", status.state, status.waits_for.empty() ? "" : ": ", status.waits_for);
  fmt::print("{:.1f} documents/s, {}, {} being visited, {}, {} set aside\n", status.documents_per_second,
             counted(status.queued, "URL waits", "URLs wait"), status.visiting, counted(status.hosts, "host"),
             status.hosts_aside);
  if (!status.slow_because.empty()) fmt::print("what holds it up most is {}\n", status.slow_because);
  return {};
}

}  // namespace

Result<void> print_overview(AskedCrawl& crawl, const FrontierOptions& options) {
  constexpr size_t kShown = 5;
  const size_t most = options.limit.value_or(kShown);
  TRY(const std::string largest, crawl.get("/queues", fmt::format("by=size&limit={}", most)));
  if (options.json) {
    fmt::print("{}\n", largest);
    return {};
  }
  TRY_VOID(print_state(crawl));
  const bool all = options.all || !crawl.runs();
  TRY(const QueueLists lists, collect(crawl, all, most));
  fmt::print("\nWhat the queues{} wait for\n", all ? "" : " of resident hosts");
  for (const auto& [state, counts] : lists.states)
    fmt::print("{:>9} {} in {}: {}\n", counts.urls, counts.urls == 1 ? "URL" : "URLs", counted(counts.queues, "queue"),
               state);
  for (const Ranking& ranking : lists.rankings) {
    if (!ranking.queues.empty()) fmt::print("\n{}\n", ranking.title);
    for (const api::Queue& queue : ranking.queues) print_queue(queue);
  }
  return {};
}

}  // namespace caddis::cli
