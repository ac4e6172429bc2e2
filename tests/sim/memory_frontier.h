// A frontier that holds everything in memory, and knows nothing of budgets, quotas, precedences and retries: the proof
// that a crawl runs on any frontier::CrawlFrontier. What it held is lost at the end of the process.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caddis/frontier/frontier.h"

namespace caddis::sim {

class MemoryFrontier final : public frontier::CrawlFrontier {
 public:
  // `admin`: a frontier over an empty store, of which an operator sees that nothing waits.
  MemoryFrontier(frontier::Identity identity, store::SeenSet& seen, const Clock& clock,
                 std::unique_ptr<frontier::CrawlFrontier> admin)
      : identity_(identity), seen_(seen), clock_(clock), admin_(std::move(admin)) {}

  Result<std::optional<frontier::Lease>> next() override {
    for (auto& [name, origin] : origins_)
      if (!origin.is_leased && !origin.urls.empty() && origin.due <= clock_.steady()) return lease(name, origin);
    return std::optional<frontier::Lease>();
  }
  std::optional<SteadyTime> next_due() const override {
    std::optional<SteadyTime> due;
    for (const auto& [name, origin] : origins_)
      if (!origin.is_leased && !origin.urls.empty()) due = due ? std::min(*due, origin.due) : origin.due;
    return due;
  }
  bool is_reviewing() const override { return false; }
  bool is_empty() const override { return stats().queued == 0; }
  uint64_t visiting() const override { return leases_.size(); }

  frontier::Outcome finish(const frontier::Disposition& done) override {
    const auto lease = leases_.extract(done.lease.id);
    Origin& origin = *lease.mapped();
    origin.is_leased = false;
    if (done.touched_host) origin.due = clock_.steady() + kDelay;
    if (done.verdict == frontier::Verdict::returned) return frontier::Outcome::again;
    if (done.addresses) origin.addresses = done.addresses->addresses;
    if (done.robots) origin.robots = std::make_shared<const robots::Robots>(robots::Robots::parse(done.robots->text));
    const bool failed = done.verdict != frontier::Verdict::settled;
    if (failed && ++origin.failures < kTries) return frontier::Outcome::again;
    if (done.lease.kind == frontier::LeaseKind::url) origin.urls.pop_front();
    if (failed && done.lease.kind != frontier::LeaseKind::url) origin.urls.clear();
    origin.failures = 0;
    return frontier::Outcome::final;
  }

  Result<frontier::ScheduleResult> schedule(std::vector<frontier::ScheduledUrl> urls) override {
    frontier::ScheduleResult result;
    for (frontier::ScheduledUrl& url : urls) {
      bool is_new = false;
      TRY_VOID(seen_.insert_batch(std::span(&url.fingerprint, 1), std::span(&is_new, 1)));
      if (is_new) result.new_fingerprints.push_back(url.fingerprint);
      const bool accepted = is_new || url.candidate.force;
      result.answers.push_back(accepted ? frontier::ScheduleAnswer::accepted : frontier::ScheduleAnswer::duplicate);
      if (!accepted) continue;
      Origin& origin = origins_[url.origin];
      origin.host = url.host;
      origin.urls.push_back(std::move(url.candidate));
    }
    return result;
  }
  Result<std::vector<uint64_t>> remember(std::span<const uint64_t>) override { return std::vector<uint64_t>(); }
  uint64_t stage(store::Batch&) override { return ++stage_; }
  void committed(uint64_t) override {}
  bool wants_commit() const override { return false; }
  frontier::Stats stats() const override {
    frontier::Stats stats{.visiting = leases_.size(), .seen = seen_.size(), .queues = origins_.size()};
    for (const auto& [name, origin] : origins_) stats.queued += origin.urls.size();
    return stats;
  }
  frontier::FrontierAdmin& admin() override { return admin_->admin(); }
  frontier::FetchPermits& permits() override { return admin_->permits(); }

 private:
  static constexpr Duration kDelay = std::chrono::seconds(1);
  static constexpr uint32_t kTries = 6;
  struct Origin {
    std::string host;
    std::deque<frontier::Candidate> urls;
    std::vector<std::string> addresses;
    std::shared_ptr<const robots::Robots> robots;
    SteadyTime due{};
    uint32_t failures = 0;
    bool is_leased = false;
  };

  frontier::Lease lease(const std::string& name, Origin& origin) {
    using frontier::LeaseKind;
    frontier::Lease lease;
    lease.id = ++last_lease_;
    lease.kind = origin.addresses.empty() ? LeaseKind::dns : origin.robots ? LeaseKind::url : LeaseKind::robots;
    lease.origin = name;
    lease.host = origin.host;
    lease.partition = identity_.partition(origin.host);
    lease.candidate = origin.urls.front();
    lease.attempt = origin.failures + 1;
    if (!origin.addresses.empty()) lease.address = origin.addresses.front();
    lease.robots = origin.robots;
    if (lease.kind != LeaseKind::url) {
      lease.candidate.via = lease.candidate.url;
      lease.candidate.url = lease.kind == LeaseKind::dns ? "dns:" + origin.host : name + "/robots.txt";
      lease.candidate.hops += 'P';
      lease.candidate.is_seed = false;
    }
    origin.is_leased = true;
    leases_.emplace(lease.id, &origin);
    return lease;
  }

  frontier::Identity identity_;
  store::SeenSet& seen_;
  const Clock& clock_;
  std::unique_ptr<frontier::CrawlFrontier> admin_;
  std::map<std::string, Origin> origins_;
  std::unordered_map<uint64_t, Origin*> leases_;
  uint64_t last_lease_ = 0, stage_ = 0;
};

}  // namespace caddis::sim
