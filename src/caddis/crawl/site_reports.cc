// hosts-report, domains-report and groups-report: the same columns, Heritrix's first; and the hosts that answered
// slowest.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/crawl/report_source.h"
#include "caddis/crawl/site_tallies.h"
#include "caddis/crawl/stop_reason.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {
namespace {

using reports::count;
using reports::figure;
using reports::Row;
using reports::RowCall;
using reports::word;

std::vector<reports::Column> columns_of(std::string name) {
  return {count("urls"),
          count("bytes"),
          word(std::move(name)),
          count("robots"),
          count("remaining"),
          count("novel-urls"),
          count("novel-bytes"),
          count("dup-by-hash-urls"),
          count("dup-by-hash-bytes"),
          count("not-modified-urls"),
          count("not-modified-bytes"),
          count("excluded"),
          count("failed"),
          figure("slowest-ms"),
          word("stop-reason")};
}

Row row_of(std::string_view name, const FetchTally& tally, uint64_t remaining, std::string stop) {
  const auto text = [](uint64_t number) { return std::to_string(number); };
  return {text(tally.urls),
          text(tally.bytes),
          std::string(name),
          text(tally.given_up.robots),
          text(remaining),
          text(tally.novel()),
          text(tally.novel_bytes()),
          text(tally.repeated),
          text(tally.repeated_bytes),
          text(tally.unchanged),
          text(tally.unchanged_bytes),
          text(tally.excluded),
          text(tally.failed),
          text(tally.slowest_ms),
          std::move(stop)};
}

// Writes rows, and knows which URLs that wait are in none of them.
class SiteRows {
 public:
  // `is_known`: whatever waits is in `waiting`.
  SiteRows(const ReportFacts& facts, const WaitingByName& waiting, bool is_known, const RowCall& row)
      : facts_(facts), waiting_(waiting), is_known_(is_known), row_(row), left_(facts.frontier.queued) {}

  Result<void> add(std::string_view name, const FetchTally& tally) {
    const auto found = waiting_.find(name);
    return add(name, tally, found == waiting_.end() ? nullptr : &found->second);
  }
  Result<void> add(std::string_view name, const FetchTally& tally, const Waiting* waiting) {
    const uint64_t remaining = waiting == nullptr ? 0 : waiting->urls;
    left_ -= std::min(left_, remaining);
    return row_(row_of(name, tally, remaining, stop_reason(tally, waiting, is_known_, facts_)));
  }
  // The URLs that wait at names that have no row, and in no queue yet.
  Result<void> add_others(std::string_view name) {
    if (left_ == 0) return {};
    const Waiting waiting{left_, {}};
    return add(name, {}, &waiting);
  }

 private:
  const ReportFacts& facts_;
  const WaitingByName& waiting_;
  const bool is_known_;
  const RowCall& row_;
  uint64_t left_;
};

constexpr size_t kMostSorted = 100'000;

struct Site {
  std::string name;
  FetchTally tally;
};
using SiteCall = std::function<Result<void>(std::string_view name, const FetchTally& tally)>;

// Calls for the hosts of the crawl, most URLs first; by name if they are more than kMostSorted.
Result<void> each_host(const ReportSource& source, const SiteCall& call) {
  std::vector<Site> sites;
  bool is_sorted = true;
  const auto gather = [&](std::string_view name, const FetchTally& tally) -> Result<void> {
    is_sorted = sites.size() < kMostSorted;
    if (is_sorted) sites.emplace_back(std::string(name), tally);
    return is_sorted ? Result<void>() : fail(ErrorCode::limit, "");
  };
  const auto gathered = each_tally<FetchTally>(source.kv, kStatistics, SiteTallies::kHostRow, "", gather);
  if (!is_sorted) return each_tally<FetchTally>(source.kv, kStatistics, SiteTallies::kHostRow, "", call);
  TRY_VOID(gathered);
  std::ranges::sort(sites, [](const Site& a, const Site& b) {
    return a.tally.urls != b.tally.urls ? a.tally.urls > b.tally.urls : a.name < b.name;
  });
  for (const Site& site : sites) TRY_VOID(call(site.name, site.tally));
  return {};
}

Result<void> write_hosts(const ReportSource& source, const RowCall& row) {
  SiteRows sites(source.facts, source.facts.hosts, source.facts.knows_hosts, row);
  TRY_VOID(each_host(source, [&](std::string_view host, const FetchTally& tally) { return sites.add(host, tally); }));
  for (const auto& [host, waiting] : source.facts.hosts) {
    TRY(const auto known, source.kv.get(kStatistics, SiteTallies::kHostRow + host));
    if (!known) TRY_VOID(sites.add(host, {}, &waiting));
  }
  return sites.add_others("other-hosts");
}

Result<void> write_domains(const ReportSource& source, const RowCall& row) {
  SiteRows sites(source.facts, source.facts.domains, source.facts.knows_domains, row);
  auto waiting = source.facts.domains.begin();
  const auto add_waiting = [&](std::optional<std::string_view> before) -> Result<void> {
    for (; waiting != source.facts.domains.end() && (!before || waiting->first < *before); ++waiting)
      TRY_VOID(sites.add(waiting->first, {}, &waiting->second));
    return {};
  };
  const auto add = [&](std::string_view domain, const FetchTally& tally) -> Result<void> {
    TRY_VOID(add_waiting(domain));
    if (waiting != source.facts.domains.end() && waiting->first == domain) ++waiting;
    return sites.add(domain, tally);
  };
  TRY_VOID(each_tally<FetchTally>(source.kv, kStatistics, SiteTallies::kDomainRow, "", add));
  TRY_VOID(add_waiting(std::nullopt));
  return sites.add_others("other-domains");
}

// Groups with several hosts first; a host in none is its own.
Result<void> write_groups(const ReportSource& source, const RowCall& row) {
  std::map<std::string, FetchTally, std::less<>> groups;
  WaitingByName waiting;
  const auto group_of = [&](std::string_view host) -> const std::string* {
    const auto found = source.facts.groups.find(host);
    return found == source.facts.groups.end() ? nullptr : &found->second;
  };
  for (const auto& [host, one] : source.facts.hosts) {
    const std::string* const group = group_of(host);
    Waiting& sum = waiting[group == nullptr ? host : *group];
    sum.urls += one.urls;
    if (!one.why.empty()) sum.why = one.why;
  }
  SiteRows sites(source.facts, waiting, source.facts.knows_hosts, row);
  TRY_VOID(each_host(source, [&](std::string_view host, const FetchTally& tally) -> Result<void> {
    if (const std::string* const group = group_of(host)) groups[*group].add(tally);
    return {};
  }));
  for (const auto& [group, tally] : groups) TRY_VOID(sites.add(group, tally));
  TRY_VOID(each_host(source, [&](std::string_view host, const FetchTally& tally) -> Result<void> {
    return group_of(host) == nullptr ? sites.add(host, tally) : Result<void>();
  }));
  return sites.add_others("other-groups");
}

Result<void> write_slow_hosts(const ReportSource& source, const RowCall& row) {
  constexpr size_t kMost = 100;
  std::vector<Site> slowest;
  const auto add = [&](std::string_view host, const FetchTally& tally) -> Result<void> {
    const bool is_full = slowest.size() == kMost;
    if (tally.slowest_ms == 0 || (is_full && slowest.back().tally.slowest_ms >= tally.slowest_ms)) return {};
    const auto place =
        std::ranges::find_if(slowest, [&](const Site& site) { return site.tally.slowest_ms < tally.slowest_ms; });
    slowest.emplace(place, std::string(host), tally);
    if (is_full) slowest.pop_back();
    return {};
  };
  TRY_VOID(each_tally<FetchTally>(source.kv, kStatistics, SiteTallies::kHostRow, "", add));
  for (const auto& [host, tally] : slowest) {
    const auto waiting = source.facts.hosts.find(host);
    TRY_VOID(row({std::to_string(tally.slowest_ms), std::to_string(tally.urls), std::to_string(tally.failed),
                  std::to_string(waiting == source.facts.hosts.end() ? 0 : waiting->second.urls), host}));
  }
  return {};
}

using Rows = Result<void> (*)(const ReportSource& source, const RowCall& row);

reports::Report make(const ReportSource& source, std::string name, std::vector<reports::Column> columns, Rows rows) {
  return {.name = std::move(name), .columns = std::move(columns), .rows = [source, rows](const RowCall& row) {
            return rows(source, row);
          }};
}

}  // namespace

void add_site_reports(const ReportSource& source, ReportList& list) {
  list.push_back(make(source, "hosts-report", columns_of("host"), write_hosts));
  list.push_back(make(source, "domains-report", columns_of("domain"), write_domains));
  list.push_back(make(source, "groups-report", columns_of("group"), write_groups));
  list.push_back(make(source, "slow-hosts-report",
                      {figure("slowest-ms"), count("urls"), count("failed"), count("remaining"), word("host")},
                      write_slow_hosts));
}

}  // namespace caddis::crawl
