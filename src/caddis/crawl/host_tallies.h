// The captures and failures of each host. If there are more hosts than fit, those with the least activity are summed up.
//
// Part of Statistics: its thread, its rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/store/kv.h"

namespace caddis::crawl {

struct HostTally {
  uint64_t urls = 0, bytes = 0;       // captured
  uint64_t failed = 0, excluded = 0;  // not captured: failures, robots.txt
  uint64_t slowest_ms = 0;
  // Captured, but no new payload: known by its digest; or a server said that nothing has changed.
  uint64_t repeated = 0, repeated_bytes = 0;
  uint64_t unchanged = 0, unchanged_bytes = 0;

  uint64_t novel() const { return urls - repeated - unchanged; }
  uint64_t novel_bytes() const { return bytes - repeated_bytes - unchanged_bytes; }
  // Adds those of another host.
  void add(const HostTally& other);
  uint64_t activity() const { return urls + failed + excluded; }
};

// Hosts whose tallies are no longer kept one by one.
struct OtherHosts {
  uint64_t hosts = 0;  // at most: one that came back is counted anew, and may be among them twice
  HostTally tally;
};

class HostTallies {
 public:
  static constexpr char kRow = 'h', kOthersRow = 'o';

  explicit HostTallies(size_t max_hosts) : max_hosts_(max_hosts) {}

  // The tally of a host, to be changed at once; sums up others if it is one too many.
  HostTally& of(std::string_view host);
  const std::map<std::string, HostTally>& all() const { return hosts_; }
  const OtherHosts& others() const { return others_; }

  // Adds the rows that changed since the last call.
  void stage(store::Batch& batch, store::Family family);
  // A row of either kind, as `stage` wrote it; `name` without the letter of the kind.
  void load(char kind, std::string_view name, std::string_view value);

 private:
  void sum_up_quiet_hosts();

  const size_t max_hosts_;
  std::map<std::string, HostTally> hosts_;
  OtherHosts others_;
  std::set<std::string> changed_;  // hosts
  bool others_changed_ = false;
  std::vector<std::string> gone_;  // hosts whose rows are to be erased
};

}  // namespace caddis::crawl
