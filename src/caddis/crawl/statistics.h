// Counters of what a crawl has done, counted as visits are committed, and kept with them: the counters are rows of the
// crawl's store, written in the batch of the group that they count, so that after a crash they agree with crawl.log to
// the line.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/commit/participant.h"
#include "caddis/crawl/crawl_state_listener.h"
#include "caddis/crawl/host_tallies.h"
#include "caddis/crawl/repeat_tallies.h"
#include "caddis/crawl/seed_fates.h"
#include "caddis/crawl/visit_listeners.h"
#include "caddis/store/kv.h"
#include "caddis/visit/log_entry.h"

namespace caddis::crawl {

class Statistics final : public commit::CommitParticipant, public DispositionListener, public CrawlStateListener {
 public:
  static constexpr size_t kMaxHosts = 100'000;
  static constexpr size_t kMaxMimes = 1'000;
  static constexpr size_t kMaxMimeLength = 100;

  // If there are more than `max_hosts` hosts, those with the least activity are summed up.
  explicit Statistics(size_t max_hosts = kMaxHosts) : hosts_(max_hosts) {}

  // `redirect`: the Location of a redirecting seed. `is_prerequisite`: DNS and robots.txt count as bytes, not as
  // documents.
  void count(const visit::LogEntry& entry, std::string_view host, bool is_prerequisite, bool is_seed,
             std::string_view redirect);
  void count_rejected(std::string_view rule, uint64_t links);
  // The same for links that somebody else counts.
  void set_rejected(std::string_view rule, uint64_t links);

  void on_final(visit::VisitResult& result) override;
  void on_deleted(const visit::LoggedVisit& record) override;
  void on_running_time(Duration passed) override;
  void stage(commit::CommitGroup& group) override;

  // Adds the rows that changed since the last call.
  void stage(store::Batch& batch, store::Family family);
  Result<void> load(store::Kv& kv, store::Family family);

  // A counter by its name in the store; 0 if there is none.
  uint64_t total(const std::string& name) const {
    const auto found = totals_.find(name);
    return found == totals_.end() ? 0 : found->second;
  }

  uint64_t documents() const { return total("documents"); }  // captured, prerequisites not counted
  uint64_t bytes() const { return total("bytes"); }          // received in all
  uint64_t novel_bytes() const { return total("novel-bytes"); }
  uint64_t warc_bytes() const { return total("warc-bytes"); }
  // Documents of which only a part was searched for links (extract.max-length).
  uint64_t read_in_part() const { return total("read-in-part"); }
  uint64_t failed() const { return total("failed"); }
  uint64_t excluded() const { return total("excluded"); }  // disregarded: robots.txt, scope
  uint64_t seeds_named() const { return total("seeds"); }  // as far as they are staged
  uint64_t prerequisites() const { return total("prerequisites"); }
  Duration running_time() const { return std::chrono::milliseconds(static_cast<int64_t>(total("milliseconds"))); }
  // Names of types are for servers to invent: long ones, and new ones beyond kMaxMimes, are "other".
  const std::map<std::string, Tally>& mimes() const { return mimes_; }
  const std::map<int, Tally>& statuses() const { return statuses_; }
  // DNS and robots.txt among them.
  uint64_t prerequisites_of_mime(const std::string& mime) const { return total("prerequisites-of-type-" + mime); }
  uint64_t prerequisites_of_status(int status) const {
    return total("prerequisites-of-status-" + std::to_string(status));
  }
  const RepeatTallies& repeats() const { return repeats_; }
  const HostTallies& hosts() const { return hosts_; }
  SeedFates& seeds() { return seeds_; }
  const std::map<std::string, uint64_t>& rejected() const { return rejected_; }

 private:
  void bump(const std::string& name, uint64_t by);

  std::map<std::string, uint64_t> totals_;
  std::map<std::string, Tally> mimes_;
  std::map<int, Tally> statuses_;
  RepeatTallies repeats_;
  HostTallies hosts_;
  SeedFates seeds_;
  std::map<std::string, uint64_t> rejected_;
  std::set<std::string> dirty_;  // keys of the rows to write, but for those of hosts and seeds
};

}  // namespace caddis::crawl
