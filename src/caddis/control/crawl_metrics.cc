#include "caddis/control/crawl_metrics.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "caddis/aio/process_use.h"
#include "caddis/base/version.h"
#include "caddis/control/frontier_reports.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/io/files.h"
#include "caddis/metrics/exposition.h"

namespace caddis::control {
namespace {

using metrics::Exposition;
using enum metrics::Type;

// Looked at once for all metrics, so that they are of one moment.
struct Moment {
  crawl::CrawlStatus status;
  const crawl::Statistics& statistics;
  aio::ProcessUse process;
  std::optional<uint64_t> free_disk;
};

struct Row {
  metrics::Metric metric;
  void (*tell)(const Moment&, Exposition&);
};

void tell_states(const Moment& at, Exposition& out) {
  using crawl::RunState;
  for (const RunState state :
       {RunState::running, RunState::empty, RunState::paused, RunState::stopping, RunState::ended})
    out.add(at.status.state == state ? 1 : 0, crawl::name_of(state));
}

// "2xx" of answers over HTTP, "failed" of what has a negative status, "other" of lookups and the like.
std::string class_of(int status) {
  if (status < 0) return "failed";
  return status >= 100 && status < 600 ? fmt::format("{}xx", status / 100) : "other";
}

void tell_classes(const Moment& at, Exposition& out) {
  std::map<std::string, uint64_t> classes;
  for (const auto& [status, tally] : at.statistics.statuses()) classes[class_of(status)] += tally.urls;
  for (const auto& [name, urls] : classes) out.add(static_cast<double>(urls), name);
}

void tell_queue_states(const Moment& at, Exposition& out) {
  for (const auto& one : at.status.waits.states) out.add(static_cast<double>(one.queues), to_string(one.state));
}

void tell_lateness(const Moment& at, Exposition& out) {
  out.add(seconds(at.status.late.median), "0.5").add(seconds(at.status.late.p99), "0.99");
}

void tell_limits(const Moment& at, Exposition& out) {
  for (const crawl::LimitUse& one : at.status.limits) out.add(one.limit, one.name);
}

void tell_limits_used(const Moment& at, Exposition& out) {
  for (const crawl::LimitUse& one : at.status.limits) out.add(one.used, one.name);
}

void tell_free_disk(const Moment& at, Exposition& out) {
  if (at.free_disk) out.add(static_cast<double>(*at.free_disk));
}

template <auto Member>
void tell(const Moment& at, Exposition& out) {
  out.add(static_cast<double>(at.status.*Member));
}

using S = crawl::CrawlStatus;

constexpr Row kRows[] = {
    {{"caddis_build_info", gauge, "Always 1; the label tells the version of Caddis.", "version"},
     [](const Moment&, Exposition& out) { out.add(1, kVersion); }},
    {{"caddis_crawl_state", gauge, "1 for the state that the crawl is in, 0 for the others.", "state"}, tell_states},
    {{"caddis_crawl_waiting", gauge, "1 while the crawl stands still for a reason that GET /status tells.", ""},
     [](const Moment& at, Exposition& out) { out.add(at.status.waits_for.empty() ? 0 : 1); }},
    {{"caddis_running_seconds_total", counter, "Time that the crawl has run, pauses left out.", ""},
     [](const Moment& at, Exposition& out) { out.add(seconds(at.status.elapsed)); }},
    {{"caddis_documents_total", counter, "Documents that were captured, without lookups and robots.txt.", ""},
     tell<&S::documents>},
    {{"caddis_received_bytes_total", counter, "Bytes that were received.", ""}, tell<&S::bytes>},
    {{"caddis_novel_bytes_total", counter, "Bytes that were received, and are no repetition.", ""},
     tell<&S::novel_bytes>},
    {{"caddis_warc_bytes_total", counter, "Bytes written to WARC files.", ""}, tell<&S::warc_bytes>},
    {{"caddis_visits_total", counter,
      "Visits that have ended, by the class of their status; lookups are `other`, statuses below 0 `failed`.",
      "status"},
     tell_classes},
    {{"caddis_failed_total", counter, "URLs that could not be captured.", ""}, tell<&S::failed>},
    {{"caddis_excluded_total", counter, "URLs that were not visited by a decision: robots.txt, scope, quotas.", ""},
     tell<&S::excluded>},
    {{"caddis_documents_per_second", gauge, "Documents a second, lately.", ""}, tell<&S::documents_per_second>},
    {{"caddis_received_bytes_per_second", gauge, "Bytes a second, lately.", ""}, tell<&S::bytes_per_second>},
    {{"caddis_queued_urls", gauge, "URLs that wait, and those that are being visited.", ""}, tell<&S::queued>},
    {{"caddis_queued_retired_urls", gauge, "URLs that wait in retired queues.", ""}, tell<&S::queued_retired>},
    {{"caddis_queued_over_quota_urls", gauge, "URLs that wait in queues whose quota is used up.", ""},
     tell<&S::queued_over_quota>},
    {{"caddis_seen_urls", gauge, "URLs that were ever accepted.", ""}, tell<&S::seen>},
    {{"caddis_running_visits", gauge, "Visits that run.", ""}, tell<&S::visiting>},
    {{"caddis_active_hosts", gauge, "Hosts whose queues are in memory.", ""}, tell<&S::active_hosts>},
    {{"caddis_hosts_aside", gauge, "Hosts that are set aside after many failures.", ""}, tell<&S::hosts_aside>},
    {{"caddis_queues", gauge, "Queues that hold URLs, by what they wait for.", "state"}, tell_queue_states},
    {{"caddis_late_seconds", gauge,
      "How long after the moment that politeness allows visits begin, by quantile; much of it tells that the machine "
      "is too small.",
      "quantile"},
     tell_lateness},
    {{"caddis_backlog_bytes", gauge, "Bytes that wait to be written.", ""}, tell<&S::backlog>},
    {{"caddis_limit_used", gauge, "How much of a limit is used: documents, bytes or seconds.", "limit"},
     tell_limits_used},
    {{"caddis_limit", gauge, "The limits that are set.", "limit"}, tell_limits},
    {{"caddis_standing_lanes", gauge, "Threads that do not come back from a visit: a fault.", ""},
     [](const Moment& at, Exposition& out) { out.add(static_cast<double>(at.status.standing.size())); }},
    {{"caddis_checkpoints", gauge, "Checkpoints that can be gone back to.", ""},
     [](const Moment& at, Exposition& out) { out.add(static_cast<double>(at.status.checkpoints.size())); }},
    {{"caddis_disk_free_bytes", gauge, "Bytes that are free on the disk of the collection.", ""}, tell_free_disk},
    {{"process_cpu_seconds_total", counter, "Processor time of the process of the crawl.", ""},
     [](const Moment& at, Exposition& out) { out.add(seconds(at.process.processor)); }},
    {{"process_resident_memory_bytes", gauge, "Memory of the process of the crawl.", ""},
     [](const Moment& at, Exposition& out) { out.add(static_cast<double>(at.process.memory)); }},
};

}  // namespace

aio::Task<Result<http::ServerResponse>> tell_metrics(crawl::Operator& crawl, Call) {
  const crawl::CrawlState& state = crawl.state();
  Moment now{crawl.status(), state.statistics, aio::process_use(), std::nullopt};
  if (const auto free = state.files.free_space(state.launch.folder())) now.free_disk = *free;
  Exposition out;
  for (const Row& row : kRows) {
    out.begin(row.metric);
    row.tell(now, out);
  }
  http::ServerResponse answer(200);
  answer.headers.emplace_back("Content-Type", metrics::kMediaType);
  answer.body = out.finish();
  co_return answer;
}

std::string metrics_markdown() {
  const std::string page =
      "# Metrics\n\n"
      "`GET /metrics` of a crawl's control API tells these, as Prometheus reads them.\n"
      "An engine tells those of all of its running jobs, each with the label `job`, and its own beside them\n"
      "([operating.md](operating.md)). A harvest server has numbers of its own.\n"
      "This page is made by `caddis schema --metrics`.\n\n";
  std::vector<metrics::Metric> rows;
  for (const Row& row : kRows) rows.push_back(row.metric);
  return page + metrics::markdown_table(rows);
}

}  // namespace caddis::control
