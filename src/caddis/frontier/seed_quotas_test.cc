#include "caddis/frontier/seed_quotas.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/fetch_status.h"
#include "caddis/frontier/frontier_fixture.h"

namespace caddis::frontier {
namespace {

// The same with all hosts in memory, and with room for one.
class SeedQuotaTest : public FrontierTest, public ::testing::WithParamInterface<size_t> {
 protected:
  SeedQuotaTest() { options_.hosts_in_memory = GetParam(); }

  // Sheets: the quotas for the seeds of a domain.
  void open_with(const QuotaSettings& quota, std::map<std::string, QuotaSettings> sheets = {}) {
    options_.quota = quota;
    options_.reach = {};
    for (const auto& [domain, own] : sheets) {
      HostRules rules = options_.rules();
      rules.quota = own;
      options_.reach.include(rules);
    }
    options_.rules_of = [this, sheets](const std::string& host) -> std::shared_ptr<const HostRules> {
      const auto found = sheets.find(host);
      if (found == sheets.end()) return nullptr;
      auto rules = std::make_shared<HostRules>(options_.rules());
      rules->quota = found->second;
      return rules;
    };
    reopen();
  }
  void add_pages(const std::string& origin, const std::string& seed, int pages) {
    std::vector<ScheduledUrl> found;
    for (int page = 0; page < pages; ++page) {
      found.push_back(scheduled(fmt::format("{}/{}-{}", origin, seed.substr(8, 1), page), "L"));
      found.back().candidate.seed = seed;
    }
    add(std::move(found));
    commit();
  }
  void answer(const Lease& lease) {
    if (lease.kind != LeaseKind::url || lease.given_up != 0) {
      settle(lease, lease.given_up);
      return;
    }
    Disposition done;
    done.lease = lease;
    done.status = 200;
    done.bytes = 100;
    done.fetch_time = 2s;
    frontier_->finish(done);
  }
  struct Seen {
    std::map<std::string, int> visits, given_up;  // by seed; and by seed and reason
    size_t most_at_once = 0;
    int lookups = 0;
    bool operator==(const Seen&) const = default;
  };
  // Until nothing is left to do; visits overlap.
  Seen run() {
    Seen seen;
    std::vector<Lease> running;
    for (int step = 0; !(frontier_->is_empty() && running.empty()) && step < 20'000; ++step) {
      while (auto lease = next()) {
        if (lease->kind != LeaseKind::url) {
          ++seen.lookups;
        } else if (lease->given_up != 0) {
          EXPECT_EQ(lease->given_up, status::kBlockedByQuota);
          ++seen.given_up[lease->candidate.seed + " " + lease->why];
        } else {
          ++seen.visits[lease->candidate.seed];
        }
        running.push_back(*std::move(lease));
      }
      seen.most_at_once = std::max(seen.most_at_once, running.size());
      if (!running.empty() && step % 2 == 0) {
        answer(running.front());
        running.erase(running.begin());
      }
      clock_.advance(1s);
      if (step % 3 == 0) commit();
    }
    EXPECT_TRUE(frontier_->is_empty());
    EXPECT_EQ(frontier_->stats().queued, 0u);
    commit();
    return seen;
  }

  const std::string a_ = "https://a.example/", b_ = "https://www.b.example:8443/news";
};

TEST_P(SeedQuotaTest, CountsWhatEachSeedLedToWhereverThatIs) {
  open_with({.seed_domain_successes = 7});
  for (const char* host : {"http://x.test", "http://y.test", "http://z.test"}) {
    add_pages(host, a_, 5);
    add_pages(host, b_, 2);
  }
  const Seen seen = run();
  EXPECT_EQ(seen.visits, (std::map<std::string, int>{{a_, 7}, {b_, 6}})) << "exact, though visits overlap";
  EXPECT_EQ(seen.given_up, (std::map<std::string, int>{{a_ + " Q:seed-domain-successes", 8}}));
  if (GetParam() > 1) EXPECT_GT(seen.most_at_once, 2u);
  // The counters stand in rows.
  reopen();
  add_pages("http://w.test", a_, 3);
  const Seen later = run();
  EXPECT_EQ(later.given_up, (std::map<std::string, int>{{a_ + " Q:seed-domain-successes", 3}}));
  EXPECT_EQ(later.visits.size() + static_cast<size_t>(later.lookups), 0u) << "nobody looks a host up for nothing";
  set_quotas({.seed_domain_successes = 9});
  add_pages("http://w.test", b_, 1);
  add_pages("http://v.test", a_, 3);
  EXPECT_EQ(run().visits, (std::map<std::string, int>{{a_, 2}, {b_, 1}}));
}

TEST_P(SeedQuotaTest, OfBytesAndOfTime) {
  open_with({.seed_domain_bytes = 350});
  add_pages("http://x.test", a_, 6);
  Seen seen = run();
  EXPECT_EQ(seen.visits[a_], 4);
  EXPECT_EQ(seen.given_up[a_ + " Q:seed-domain-bytes"], 2);
  open_with({.seed_domain_time = 20s});
  add_pages("http://y.test", a_, 10);
  seen = run();
  // Four visits of two seconds each have been before, and robots.txt took a tenth of one each time.
  EXPECT_EQ(seen.visits[a_], 6);
  EXPECT_EQ(seen.given_up[a_ + " Q:seed-domain-time"], 4);
}

TEST_P(SeedQuotaTest, OfHosts) {
  open_with({.seed_domain_hosts = 2});
  for (int host = 0; host < 5; ++host) {
    add_pages(fmt::format("http://h{}.test", host), a_, 2);
    add_pages(fmt::format("http://h{}.test", host), b_, host < 2 ? 1 : 0);
  }
  const Seen seen = run();
  EXPECT_EQ(seen.visits, (std::map<std::string, int>{{a_, 4}, {b_, 2}}));
  EXPECT_EQ(seen.given_up, (std::map<std::string, int>{{a_ + " Q:seed-domain-hosts", 6}}));
}

TEST_P(SeedQuotaTest, ASheetForADomainHoldsForItsSeeds) {
  open_with({}, {{"b.example", {.seed_domain_successes = 1}}});
  add_pages("http://x.test", a_, 3);
  add_pages("http://x.test", b_, 3);
  const Seen seen = run();
  EXPECT_EQ(seen.visits, (std::map<std::string, int>{{a_, 3}, {b_, 1}}));
  EXPECT_EQ(seen.given_up, (std::map<std::string, int>{{b_ + " Q:seed-domain-successes", 2}}));
}

INSTANTIATE_TEST_SUITE_P(HostsInMemory, SeedQuotaTest, ::testing::Values(100'000, 1));

}  // namespace
}  // namespace caddis::frontier
