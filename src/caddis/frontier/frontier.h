// The frontier: which URLs wait, and which of them may be visited now. A façade: LeaseDispatcher leases, Settlement and
// Intake take back what came of it, FrontierAdmin looks and operates; they share the parts in frontier_parts.h. All
// state that must survive goes through `stage` into the batch of a group: the frontier never writes by itself.
//
// Not thread-safe: it belongs to the crawl's loop. It reads from the store while it works: what it needs next is nearly
// always in the store's memory. See README.md for the invariants.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "caddis/base/fetch_status.h"
#include "caddis/frontier/crawl_frontier.h"
#include "caddis/frontier/fetch_permits.h"
#include "caddis/frontier/frontier_admin.h"
#include "caddis/frontier/frontier_options.h"
#include "caddis/frontier/host_rows.h"
#include "caddis/store/kv.h"
#include "caddis/store/seen.h"

namespace caddis::frontier {

class LeaseDispatcher;
class Intake;
class Settlement;

class Frontier final : public CrawlFrontier {
 public:
  using Options = FrontierOptions;

  // `kv` and `seen` must outlive the frontier. After a restart every host waits one delay.
  static Result<std::unique_ptr<Frontier>> open(const Options& options, const Families& families, store::Kv& kv,
                                                store::SeenSet& seen, const Clock& clock);
  ~Frontier() override;

  Result<std::optional<Lease>> next() override;
  std::optional<SteadyTime> next_due() const override;
  bool is_reviewing() const override;
  bool is_empty() const override;
  uint64_t visiting() const override;

  Outcome finish(const Disposition& disposition) override;
  Result<ScheduleResult> schedule(std::vector<ScheduledUrl> urls) override;
  Result<std::vector<uint64_t>> remember(std::span<const uint64_t> fingerprints) override;
  Result<std::vector<uint64_t>> mark(std::span<const uint64_t> marks) override;
  void keep_dropped() override;
  std::vector<DroppedUrl> take_dropped() override;
  uint64_t stage(store::Batch& batch) override;
  void committed(uint64_t stage) override;
  bool wants_commit() const override;
  Stats stats() const override;

  FrontierAdmin& admin() override { return admin_; }
  FetchPermits& permits() override { return permits_; }

 private:
  explicit Frontier(std::unique_ptr<FrontierParts> parts);

  std::unique_ptr<FrontierParts> parts_;
  std::unique_ptr<LeaseDispatcher> dispatcher_;
  std::unique_ptr<Settlement> settlement_;
  std::unique_ptr<Intake> intake_;
  FrontierAdmin admin_;
  FetchPermits permits_;
};

}  // namespace caddis::frontier
