#include "caddis/engine/engine_metrics.h"

#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/aio/process_use.h"
#include "caddis/base/version.h"
#include "caddis/control/health.h"
#include "caddis/engine/machine.h"
#include "caddis/metrics/exposition.h"

namespace caddis::engine {
namespace {

using enum metrics::Type;

constexpr Duration kPatience = std::chrono::seconds(2);  // with each crawl

// Looked at once for all metrics.
struct Moment {
  std::vector<JobSummary> jobs;  // without profiles
  Machine machine;
  aio::ProcessUse process;
};

struct Row {
  metrics::Metric metric;
  void (*tell)(const Moment&, metrics::Exposition&);
};

template <auto Member>
void tell_machine(const Moment& at, metrics::Exposition& out) {
  out.add(static_cast<double>(at.machine.*Member));
}

void tell_states(const Moment& at, metrics::Exposition& out) {
  std::map<std::string_view, uint64_t> states;
  for (const JobSummary& job : at.jobs) ++states[name_of(job.state)];
  for (const auto& [state, number] : states) out.add(static_cast<double>(number), state);
}

void tell_alerts(const Moment& at, metrics::Exposition& out) {
  for (const JobSummary& job : at.jobs) out.add(static_cast<double>(job.alerts), job.name);
}

void tell_version(const Moment&, metrics::Exposition& out) { out.add(1, kVersion); }

void tell_processor_time(const Moment& at, metrics::Exposition& out) {
  out.add(std::chrono::duration<double>(at.process.processor).count());
}

void tell_memory(const Moment& at, metrics::Exposition& out) { out.add(static_cast<double>(at.process.memory)); }

constexpr Row kRows[] = {
    {{"caddis_engine_info", gauge, "Always 1; the label tells the version of Caddis.", "version"}, tell_version},
    {{"caddis_engine_jobs", gauge, "Jobs by their state, profiles left out.", "state"}, tell_states},
    {{"caddis_job_alerts", gauge, "Lines in alerts.log of the latest launch of a job.", "job"}, tell_alerts},
    {{"caddis_engine_processors", gauge, "Processors of the machine.", ""}, tell_machine<&Machine::processors>},
    {{"caddis_engine_memory_bytes", gauge, "Memory of the machine.", ""}, tell_machine<&Machine::memory_total>},
    {{"caddis_engine_memory_available_bytes", gauge, "Memory of the machine that programs may still have.", ""},
     tell_machine<&Machine::memory_available>},
    {{"caddis_engine_disk_bytes", gauge, "Size of the disk of the jobs.", ""}, tell_machine<&Machine::disk_total>},
    {{"caddis_engine_disk_free_bytes", gauge, "Bytes that are free on it.", ""}, tell_machine<&Machine::disk_free>},
    {{"caddis_engine_cpu_seconds_total", counter, "Processor time of the engine's own process.", ""},
     tell_processor_time},
    {{"caddis_engine_resident_memory_bytes", gauge, "Memory of the engine's own process.", ""}, tell_memory},
};

std::string own_metrics(const Jobs& jobs) {
  Moment moment{.jobs = {}, .machine = machine_of(jobs.options().folder), .process = aio::process_use()};
  for (const auto& job : jobs.list())
    if (JobSummary summary = job->summary(); !summary.is_profile) moment.jobs.push_back(std::move(summary));
  metrics::Exposition out;
  for (const Row& row : kRows) {
    out.begin(row.metric);
    row.tell(moment, out);
  }
  return out.finish();
}

std::string all_metrics(const Jobs& jobs) {
  std::vector<metrics::Labelled> crawls;
  for (const auto& job : jobs.list()) {
    if (!is_active(job->summary().state)) continue;
    const control::Question question{"GET", "/metrics"};
    if (auto told = job->ask(question, kPatience)) crawls.push_back({job->name(), *std::move(told)});
  }
  return own_metrics(jobs) + metrics::join_metrics("job", crawls);
}

}  // namespace

aio::Task<http::ServerResponse> tell_engine_metrics(aio::Loop& loop, aio::Blocking& workers, Jobs& jobs) {
  http::ServerResponse response(200);
  response.headers.emplace_back("Content-Type", std::string(metrics::kMediaType));
  std::function<void()> work = [&] { response.body = all_metrics(jobs); };
  co_await workers.run(loop, std::move(work));
  co_return response;
}

http::ServerResponse tell_engine_readiness(const Jobs& jobs) {
  const bool is_full = machine_of(jobs.options().folder).is_disk_full();
  return control::readiness({{"disk", is_full ? "the disk of the jobs is full" : ""}});
}

std::string engine_metrics_markdown() {
  std::vector<metrics::Metric> rows;
  for (const Row& row : kRows) rows.push_back(row.metric);
  return "\n## Of an engine\n\nBehind these stand those of its running crawls, each with the label `job`.\n\n" +
         metrics::markdown_table(rows);
}

}  // namespace caddis::engine
