// Shared by the tests of the frontier: one over a store in memory, and visits that end as they are told.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "caddis/frontier/frontier.h"
#include "caddis/store/memory_kv.h"
#include "caddis/url/crawl_schemes.h"

namespace caddis::frontier {

using namespace std::chrono_literals;

inline constexpr Families kFamilies = {0, 1, 2, 3, 4, 5, 6, 7};
inline const std::vector<std::string> kNames = {"hosts", "chunks", "retries", "robots",
                                                "inbox", "due",    "totals",  "held"};

// A frontier over a store in memory that can be closed and opened again as after a death.
class FrontierTest : public ::testing::Test {
 protected:
  FrontierTest() { open(); }

  void open() {
    frontier_.reset();
    kv_ = *disk_.open(kNames);
    options_.identity.key = {1, 2};
    options_.user_agent = "caddis";
    frontier_ = *Frontier::open(options_, kFamilies, *kv_, seen_, clock_);
  }
  void reopen() {
    frontier_.reset();
    kv_.reset();
    open();
  }
  // Settings that change while the crawl runs; a reopened frontier has those of before.
  void set_politeness(const PolitenessSettings& politeness) {
    HostRules rules = options_.rules();
    rules.politeness = politeness;
    frontier_->admin().set_rules(std::move(rules), options_.reach, options_.sheet_quotas);
  }
  void set_quotas(const QuotaSettings& quotas) {
    HostRules rules = options_.rules();
    rules.quota = quotas;
    frontier_->admin().set_rules(std::move(rules), options_.reach, options_.sheet_quotas);
  }
  void commit() {
    store::Batch batch;
    const uint64_t stage = frontier_->stage(batch);
    ASSERT_TRUE(kv_->write(batch, store::Durability::synced));
    frontier_->committed(stage);
  }
  ScheduledUrl scheduled(const std::string& url, const std::string& hops = "", const std::string& via = "") {
    ScheduledUrl made;
    made.candidate.url = url;
    made.candidate.hops = hops;
    made.candidate.via = via;
    made.candidate.is_seed = hops.empty();
    const url::Url parsed = *url::Url::parse(url);
    made.origin = origin_of(parsed);
    made.host = url::crawl_host(parsed);
    made.fingerprint = options_.identity.fingerprint(url, options_.identity.partition(made.host));
    return made;
  }
  size_t add(std::vector<ScheduledUrl> scheduled_urls) {
    return frontier_->schedule(std::move(scheduled_urls))->new_fingerprints.size();
  }
  std::optional<Lease> next() { return *frontier_->next(); }
  // The next lease, after waiting until it is due.
  std::optional<Lease> next_whenever() {
    for (int i = 0; i < 1000; ++i) {
      if (auto lease = next()) return lease;
      const auto due = frontier_->next_due();
      if (!due) return std::nullopt;
      clock_.advance(std::max(Duration(1ms), *due - clock_.steady()));
    }
    return std::nullopt;
  }
  Outcome settle(const Lease& lease, int status = 200) {
    Disposition done;
    done.lease = lease;
    done.status = status;
    done.fetch_time = 100ms;
    if (lease.given_up != 0) done.touched_host = false;
    if (lease.kind == LeaseKind::dns) {
      done.addresses = HostAddresses{{"192.0.2.1"}, clock_.wall() + 6h};
      done.touched_host = false;
    }
    if (lease.kind == LeaseKind::robots) done.robots = RobotsText{"", clock_.wall() + 24h};
    return frontier_->finish(done);
  }
  Outcome fail_host(const Lease& lease, int status = -2) {
    Disposition done;
    done.lease = lease;
    done.verdict = Verdict::host_failed;
    done.status = status;
    return frontier_->finish(done);
  }
  // Takes everything to its end and gives the URLs in the order in which they were settled, prerequisites included.
  std::vector<std::string> run_dry() {
    std::vector<std::string> urls;
    while (auto lease = next_whenever()) {
      urls.push_back(lease->candidate.url);
      settle(*lease);
    }
    return urls;
  }

  ManualClock clock_;
  store::MemoryKvDisk disk_;
  store::SeenSet seen_;
  Frontier::Options options_;
  std::unique_ptr<store::Kv> kv_;
  std::unique_ptr<Frontier> frontier_;
};

}  // namespace caddis::frontier
