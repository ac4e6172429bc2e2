// What a crawl has done, counted as visits are committed, and kept with them: the counters are rows of the crawl's
// store, written in the batch of the group that they count, so that after a crash they agree with crawl.log to the
// line.
//
// Belongs to the committer's loop.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/store/kv.h"
#include "caddis/visit/log_entry.h"

namespace caddis::crawl {

struct Tally {
  uint64_t urls = 0, bytes = 0;
  void add(uint64_t size) {
    ++urls;
    bytes += size;
  }
};

struct HostTally {
  uint64_t urls = 0, bytes = 0;       // captured
  uint64_t failed = 0, excluded = 0;  // not captured: failures, robots.txt
  uint64_t slowest_ms = 0;
};

// Hosts whose tallies are no longer kept one by one.
struct OtherHosts {
  uint64_t hosts = 0;  // at most: one that came back is counted anew, and may be among them twice
  HostTally tally;
};

struct SeedFate {
  int status = 0;        // 0: not tried yet
  bool known = false;    // not tried, since its crawl key was seen: as that of another seed, or of a link
  std::string redirect;  // where it led, if it redirected
};

class Statistics {
 public:
  static constexpr size_t kMaxHosts = 100'000;
  static constexpr size_t kMaxMimes = 1'000;
  static constexpr size_t kMaxMimeLength = 100;

  // Of more than `max_hosts` hosts, those with the least activity are summed up in other_hosts().
  explicit Statistics(size_t max_hosts = kMaxHosts) : max_hosts_(max_hosts) {}

  // `redirect`: the Location of a redirecting seed. `is_prerequisite`: DNS and robots.txt count as bytes, not as
  // documents.
  void count(const visit::LogEntry& entry, std::string_view host, bool is_prerequisite, bool is_seed,
             std::string_view redirect);
  void count_rejected(std::string_view rule, uint64_t links);
  // The same for those that somebody else counts.
  void set_rejected(std::string_view rule, uint64_t links);
  void add_seed(const std::string& url);
  // One that is none: no URL, or of another scheme.
  void add_unusable_seed(std::string_view text);
  void note_known_seed(const std::string& url);
  void add_running_time(Duration time);
  void add_warc_bytes(uint64_t bytes) { bump("warc-bytes", bytes); }  // of records, compressed

  // Adds the rows that changed since the last call.
  void stage(store::Batch& batch, store::Family family);
  Result<void> load(store::Kv& kv, store::Family family);

  uint64_t documents() const { return total("documents"); }  // captured, prerequisites not counted
  uint64_t bytes() const { return total("bytes"); }          // received in all
  uint64_t novel_bytes() const { return total("novel-bytes"); }
  uint64_t warc_bytes() const { return total("warc-bytes"); }
  uint64_t failed() const { return total("failed"); }
  uint64_t excluded() const { return total("excluded"); }  // disregarded: robots.txt, scope
  uint64_t prerequisites() const { return total("prerequisites"); }
  Duration running_time() const { return std::chrono::milliseconds(static_cast<int64_t>(total("milliseconds"))); }
  // What servers name types is theirs to invent: long names, and new ones beyond kMaxMimes, are "other".
  const std::map<std::string, Tally>& mimes() const { return mimes_; }
  const std::map<int, Tally>& statuses() const { return statuses_; }
  // Of these, DNS and robots.txt.
  uint64_t prerequisites_of_mime(const std::string& mime) const { return total("prerequisites-of-type-" + mime); }
  uint64_t prerequisites_of_status(int status) const {
    return total("prerequisites-of-status-" + std::to_string(status));
  }
  const std::map<std::string, HostTally>& hosts() const { return hosts_; }
  const OtherHosts& other_hosts() const { return other_hosts_; }
  const std::map<std::string, SeedFate>& seeds() const { return seeds_; }
  const std::map<std::string, uint64_t>& rejected() const { return rejected_; }

 private:
  uint64_t total(const std::string& name) const {
    const auto found = totals_.find(name);
    return found == totals_.end() ? 0 : found->second;
  }
  void bump(const std::string& name, uint64_t by);
  void count_mime(const std::string& mime, uint64_t size, bool is_prerequisite);
  HostTally& host(std::string_view name);
  void sum_up_quiet_hosts();

  const size_t max_hosts_;
  std::map<std::string, uint64_t> totals_;
  std::map<std::string, Tally> mimes_;
  std::map<int, Tally> statuses_;
  std::map<std::string, HostTally> hosts_;
  OtherHosts other_hosts_;
  std::map<std::string, SeedFate> seeds_;
  std::map<std::string, uint64_t> rejected_;
  std::set<std::string> dirty_;    // keys of the rows to write
  std::vector<std::string> gone_;  // keys of the rows to erase before
};

}  // namespace caddis::crawl
