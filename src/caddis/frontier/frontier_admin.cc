#include "caddis/frontier/frontier_admin.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/base/strings.h"
#include "caddis/frontier/chunk.h"
#include "caddis/frontier/frontier_parts.h"
#include "caddis/frontier/waiting_walk.h"

namespace caddis::frontier {

Result<std::vector<QueueReport>> FrontierAdmin::all_queues(QueueOrder order, size_t limit) {
  constexpr size_t kSpare = 10'000;
  std::vector<QueueReport> reports = queues(order, limit);
  const auto add = [&](Host& host) {
    reporter_.add_queues(host, false, reports);
    if (reports.size() > limit + kSpare) QueueReporter::keep_top(reports, order, limit);
  };
  TRY_VOID(parts_.storage.table.each_outside(add, "", std::numeric_limits<size_t>::max()));
  QueueReporter::keep_top(reports, order, limit);
  return reports;
}

Result<QueuePage> FrontierAdmin::some_queues(QueueOrder order, size_t limit, const std::string& cursor, size_t rows) {
  QueuePage page;
  const auto from = from_hex(cursor);
  if (!from) return fail(ErrorCode::parse, fmt::format("'{}' is no marker: give the one of the answer before", cursor));
  if (cursor.empty()) page.queues = queues(order, limit);
  const auto add = [&](Host& host) { reporter_.add_queues(host, false, page.queues); };
  TRY(const std::string next, parts_.storage.table.each_outside(add, *from, rows));
  QueueReporter::keep_top(page.queues, order, limit);
  page.cursor = to_hex(next);
  return page;
}

Result<HostReport> FrontierAdmin::explain_host(const std::string& name) {
  Storage& storage = parts_.storage;
  if (const Host* host = storage.table.find(name)) return reporter_.report(*host, true);
  Host outside = storage.table.blank(name);
  parts_.policies.rules.renew(outside);
  HostReport answer;
  answer.name = name;
  answer.sheets = parts_.policies.rules.of(outside).sheets;
  TRY(const bool known, storage.rows.read_whole(outside));
  if (known) answer = reporter_.report(outside, false);
  TRY_VOID(storage.deferred.each(name, [&](const DeferredChunk& chunk) -> Result<void> {
    TRY(const auto urls, decode_chunk(chunk.chunk));
    answer.in_inbox += urls.size();
    answer.known = true;
    return {};
  }));
  TRY(const uint64_t held, parts_.held.count(name));
  answer.in_inbox += held;
  answer.known |= held > 0;
  return answer;
}

Result<UrlReport> FrontierAdmin::explain_url(const ScheduledUrl& url) {
  UrlReport report;
  TRY(report.seen, parts_.seen.contains(url.fingerprint));
  TRY(report.host, explain_host(url.host));
  if (const auto lease = lease_of(url.candidate.url)) {
    report.visiting = true;
    report.visiting_for = lease->since;
  }
  std::string place;
  uint64_t ahead = 0;
  const auto see = [&](const WaitingUrl& waits) {
    std::string here = waits.where + waits.origin + static_cast<char>(waits.priority);
    if (here != place) ahead = 0;
    place = std::move(here);
    if (waits.candidate.url == url.candidate.url) {
      report.waits.push_back(waits);
      report.waits.back().ahead = ahead;
    }
    ++ahead;
    return true;
  };
  WaitingWalk walk(parts_.storage, parts_.identity, parts_.clock.wall(), url.host, see);
  TRY_VOID(walk.run());
  return report;
}

Result<WaitingPage> FrontierAdmin::waiting(const WaitingQuery& query) {
  WaitingPage page;
  const auto see = [&](const WaitingUrl& url) {
    if (query.match && !query.match(url.candidate)) return true;
    if (!query.only_count && page.urls.size() >= query.limit) return false;
    ++page.matched;
    if (!query.only_count) page.urls.push_back(url);
    return true;
  };
  WaitingWalk walk(parts_.storage, parts_.identity, parts_.clock.wall(), query.host, see);
  TRY_VOID(walk.start_at(query.cursor, query.nearest ? &page.moved : nullptr));
  TRY_VOID(walk.run(query.rows));
  if (walk.has_stopped()) page.cursor = walk.cursor();
  return page;
}

std::optional<LeaseInfo> FrontierAdmin::lease_of(const std::string& url) const {
  std::optional<LeaseInfo> found;
  parts_.leases.each([&](uint64_t id, const OpenLease& lease) {
    if (lease.url == url)
      found = LeaseInfo{id, lease.kind, lease.queue->host->partition, parts_.clock.steady() - lease.began};
  });
  return found;
}

Result<HostOverrides> FrontierAdmin::overrides(const std::string& name) {
  if (const Host* host = parts_.storage.table.find(name)) return host->overrides;
  Host outside = parts_.storage.table.blank(name);
  TRY_VOID(parts_.storage.rows.read(outside));
  return outside.overrides;
}

uint64_t FrontierAdmin::outstanding(const std::string& seed) const { return parts_.storage.origins.outstanding(seed); }

std::vector<std::string> FrontierAdmin::take_notices() { return std::exchange(parts_.notices, {}); }

}  // namespace caddis::frontier
