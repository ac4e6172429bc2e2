// The facts that reports tell beyond the rows of the statistics: how the crawl stands, what waits, what runs. Gathered
// on the crawl's loop, or where nothing runs any more; a plain value from then on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/documents/reader.h"
#include "caddis/frontier/crawl_frontier.h"
#include "caddis/frontier/inspection.h"
#include "caddis/frontier/slots.h"
#include "caddis/visit/pipeline.h"
#include "caddis/visit/running_visit.h"

namespace caddis::crawl {

struct CrawlState;

// The reason of queues that wait since a setting says so.
inline constexpr std::string_view kRetiredBySetting = "setting:frontier.retire";

// URLs that wait, by a name.
struct Waiting {
  uint64_t urls = 0;
  std::string why;  // a quota, "operator" or kRetiredBySetting: if that holds them; empty if they wait for their turn
};
using WaitingByName = std::map<std::string, Waiting, std::less<>>;

// The work of all lanes, since this process began.
struct LaneTotals {
  std::vector<visit::StepReport> steps;
  std::vector<documents::FormatReport> documents;
};

struct ReportFacts {
  static constexpr size_t kMostQueues = 100'000;  // one by one
  static constexpr size_t kMostNames = 200'000;   // of hosts, of domains, of seeds

  std::string name;    // of the launch
  std::string status;  // "Finished", "Finished - reached max-documents (15)", "Running - Active"
  // Why what waits is not fetched any more: "limit:max-documents", "operator", "failed"; empty while the crawl goes on,
  // or if it ended since nothing was left.
  std::string ended_by;
  bool is_over = false;
  WallTime now;
  frontier::Stats frontier;
  frontier::QueueStates states;                     // of all queues that hold URLs, resident or not
  std::vector<frontier::QueueReport> queues;        // those that hold URLs
  uint64_t queues_left_out = 0, urls_left_out = 0;  // beyond them
  WaitingByName hosts, domains, seeds;              // each has the first kMostNames that were met
  // Whatever waits is there: a name that is missing has nothing that waits.
  bool knows_hosts = false, knows_domains = false, knows_seeds = false;
  std::map<std::string, std::string, std::less<>> groups;  // the politeness groups of the hosts that are in one
  std::vector<visit::RunningVisit> visits;
  LaneTotals lanes;  // nothing if none runs
  // Captures that are not where they should be, by whom: lost by a disk that lied, or left out by a writer.
  std::vector<std::pair<std::string, std::string>> losses;
};

// The status of a crawl that has ended, in Heritrix's words, our own behind them; and by what.
void set_end(ReportFacts& facts, const CrawlEnd& end);
// The same from the status that a report has: "Finished - …", "Failed - …".
void set_recorded_end(ReportFacts& facts, std::string status);

// Walks over the queues of the frontier, a part at a time: belongs to its thread.
class QueueWalk {
 public:
  // Both must outlive the walk.
  QueueWalk(frontier::FrontierAdmin& admin, ReportFacts& facts) : admin_(admin), facts_(facts) {}
  // Reads at most some thousand rows. Returns whether there is more.
  Result<bool> step();

 private:
  void add(frontier::QueueReport queue);

  frontier::FrontierAdmin& admin_;
  ReportFacts& facts_;
  std::string cursor_;
};

// Finds the politeness groups of the hosts that statistics hold, a part at a time; belongs to the frontier's thread.
class GroupWalk {
 public:
  // Both must outlive the walk; the frontier and the statistics are those of `state`.
  GroupWalk(CrawlState& state, ReportFacts& facts) : state_(state), facts_(facts) {}
  // Returns whether there is more.
  Result<bool> step();

 private:
  Result<void> add(const std::string& host);

  CrawlState& state_;
  ReportFacts& facts_;
  std::optional<frontier::PolitenessGroups> named_;  // as settings name them
  std::string after_;
};
// To be called when all that waits is in the maps, as far as they take it: sets which of them have all.
void judge_names(ReportFacts& facts);
// All that the frontier knows, of a crawl that nothing runs in: with every URL that waits, if they are not too many.
Result<void> gather_from_stopped(CrawlState& state, ReportFacts& facts);

}  // namespace caddis::crawl
