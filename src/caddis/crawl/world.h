// Everything outside of a crawl, behind its seams. The real one is made by real_world.h, the simulated one by tests.
// A crawl reaches nothing in another way, so several of them can run in one process.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "caddis/aio/process_use.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/documents/reader.h"
#include "caddis/fetch/proxies.h"
#include "caddis/frontier/frontier.h"
#include "caddis/process/programs.h"
#include "caddis/store/kv.h"
#include "caddis/visit/lane.h"

namespace caddis::aio {
class Blocking;
class Loop;
}  // namespace caddis::aio
namespace caddis::documents {
struct DocumentSettings;
}
namespace caddis::extract {
struct ProgramOptions;
}
namespace caddis::io {
class Files;
}  // namespace caddis::io

namespace caddis::crawl {

// Makes who reads the binary documents of a crawl.
using ReaderFactory =
    std::function<std::unique_ptr<documents::Reader>(const documents::DocumentSettings& settings, const Clock& clock)>;
// One that reads them on the lanes' own threads: for worlds without processes.
std::unique_ptr<documents::Reader> make_inline_reader(const documents::DocumentSettings& settings, const Clock& clock);

// Makes who runs the programs of others that the settings name.
using ProgramsFactory =
    std::function<std::unique_ptr<process::Programs>(const extract::ProgramOptions& settings, const Clock& clock)>;
// One with which every program fails: for worlds without processes.
std::unique_ptr<process::Programs> make_no_programs(const extract::ProgramOptions& settings, const Clock& clock);

// Opens the frontier of a crawl over its store. All that is given must outlive the frontier.
using FrontierFactory = std::function<Result<std::unique_ptr<frontier::CrawlFrontier>>(
    const frontier::Frontier::Options& options, store::Kv& kv, store::SeenSet& seen, const Clock& clock)>;
// The frontier that keeps its queues in the store.
Result<std::unique_ptr<frontier::CrawlFrontier>> open_persistent_frontier(const frontier::Frontier::Options& options,
                                                                          store::Kv& kv, store::SeenSet& seen,
                                                                          const Clock& clock);

// Parts of a crawl that may be others than Caddis's own.
struct Factories {
  FrontierFactory open_frontier = open_persistent_frontier;
  ReaderFactory make_reader = make_inline_reader;
  ProgramsFactory make_programs = make_no_programs;
  frontier::HostClaims* claims = nullptr;  // hosts that other crawls visit, too; null: there are none
};

struct World {
  io::Files& files;
  const Clock& clock;
  store::KvOpener open_kv;
  aio::Loop& loop;
  aio::Blocking& blocking;
  aio::Blocking* sorting = nullptr;  // for work of minutes, beside that of `blocking`; null: there is none
  uint64_t seed = 0;
  std::string pid, hostname;
  std::string full_hostname = "";  // with its domain; empty if it is not known
  std::string address = "";        // under which the machine reaches the internet; empty if it does not
  uint16_t control_port = 0;       // where the control API is to listen; 0 if at no port, or at any
  // Makes the parts of lane `number`. Called once for each lane.
  std::function<Result<visit::Lane::Parts>(unsigned number, const config::Settings& settings)> make_lane;
  unsigned lanes = 1;                       // if the settings do not say
  fetch::FindServer find_server = nullptr;  // null: proxies are named by their addresses
  // Null if it is not to be known, as in a simulated world.
  std::function<aio::ProcessUse()> use = nullptr;
  uint64_t groups_kept = 64;  // so many of the latest can be taken back (repair/group_undo.h)
  // A lane that does not come back to its loop for so long, in whole seconds, stands still.
  std::chrono::seconds lane_patience{10};
  uint64_t index_segment = 64 << 20;  // bytes of the index journal that are sorted at once (index_segments.h)
  Factories factories = {};
};

}  // namespace caddis::crawl
