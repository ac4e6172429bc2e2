#include "caddis/harvestserver/harvest_metrics.h"

#include <functional>
#include <map>
#include <string_view>
#include <vector>

#include "caddis/aio/process_use.h"
#include "caddis/base/version.h"
#include "caddis/control/health.h"
#include "caddis/control/router.h"
#include "caddis/engine/machine.h"
#include "caddis/harvestserver/tally.h"
#include "caddis/metrics/exposition.h"

namespace caddis::harvestserver {
namespace {

using enum metrics::Type;
using sql::Connection;
using sql::Row;
using sql::Values;

using Numbers = std::map<std::string, double, std::less<>>;

// Looked at once for all metrics.
struct Moment {
  Numbers jobs;              // by state
  Numbers waiting, waits;    // by channel: jobs, and seconds since the oldest was made
  Numbers harvesters;        // "alive", "lost"
  Numbers harvester_disks;   // by harvester, of those that are alive
  Numbers harmed, uncopied;  // by store
  double harvests = 0, problems = 0, domains = 0;
  const Tally* tally = nullptr;
  engine::Machine machine;
  aio::ProcessUse process;
};

struct MetricRow {
  metrics::Metric metric;
  void (*tell)(const Moment&, metrics::Exposition&);
};

template <auto Member>
void tell_numbers(const Moment& at, metrics::Exposition& out) {
  for (const auto& [label, number] : at.*Member) out.add(number, label);
}

template <auto Member>
void tell_number(const Moment& at, metrics::Exposition& out) {
  out.add(at.*Member);
}

template <auto Member>
void tell_tally(const Moment& at, metrics::Exposition& out) {
  out.add(static_cast<double>((at.tally->*Member).load()));
}

void tell_generation_seconds(const Moment& at, metrics::Exposition& out) {
  out.add(static_cast<double>(at.tally->generation_millis.load()) / 1000);
}

void tell_version(const Moment&, metrics::Exposition& out) { out.add(1, kVersion); }

void tell_disk(const Moment& at, metrics::Exposition& out) { out.add(static_cast<double>(at.machine.disk_free)); }

void tell_processor_time(const Moment& at, metrics::Exposition& out) {
  out.add(std::chrono::duration<double>(at.process.processor).count());
}

void tell_memory(const Moment& at, metrics::Exposition& out) { out.add(static_cast<double>(at.process.memory)); }

constexpr MetricRow kRows[] = {
    {{"caddis_harvest_info", gauge, "Always 1; the label tells the version of Caddis.", "version"}, tell_version},
    {{"caddis_harvest_jobs", gauge, "Jobs by their state.", "state"}, tell_numbers<&Moment::jobs>},
    {{"caddis_harvest_waiting_jobs", gauge, "Jobs that no harvester has taken, by channel.", "channel"},
     tell_numbers<&Moment::waiting>},
    {{"caddis_harvest_oldest_waiting_seconds", gauge, "The age of the oldest of them; 0 if none waits.", "channel"},
     tell_numbers<&Moment::waits>},
    {{"caddis_harvest_harvesters", gauge, "Harvesters: alive, or lost (not heard of for harvest.lost-after).", "state"},
     tell_numbers<&Moment::harvesters>},
    {{"caddis_harvest_harvester_free_bytes", gauge, "Free bytes of the disk of each harvester that is alive.",
      "harvester"},
     tell_numbers<&Moment::harvester_disks>},
    {{"caddis_harvest_active_harvests", gauge, "Harvests that are active.", ""}, tell_number<&Moment::harvests>},
    {{"caddis_harvest_failed_harvests", gauge, "Harvests that were deactivated since their jobs could not be made.",
      ""},
     tell_number<&Moment::problems>},
    {{"caddis_harvest_domains", gauge, "Domains.", ""}, tell_number<&Moment::domains>},
    {{"caddis_harvest_harmed_files", gauge, "Files that are missing or wrong, by store.", "store"},
     tell_numbers<&Moment::harmed>},
    {{"caddis_harvest_uncopied_files", gauge, "Files that have to be put into a store yet, by store.", "store"},
     tell_numbers<&Moment::uncopied>},
    {{"caddis_harvest_generations_total", counter, "Runs of harvests whose jobs were made.", ""},
     tell_tally<&Tally::generations>},
    {{"caddis_harvest_failed_generations_total", counter, "Runs of harvests whose jobs could not be made.", ""},
     tell_tally<&Tally::failed_generations>},
    {{"caddis_harvest_generation_seconds_total", counter, "Time in which jobs were made.", ""},
     tell_generation_seconds},
    {{"caddis_harvest_generated_jobs_total", counter, "Jobs that were made of harvests.", ""},
     tell_tally<&Tally::generated_jobs>},
    {{"caddis_harvest_requests_total", counter, "Requests of the API that were answered.", ""},
     tell_tally<&Tally::requests>},
    {{"caddis_harvest_failed_requests_total", counter, "Those of them that were answered with 500 and above.", ""},
     tell_tally<&Tally::failed_requests>},
    {{"caddis_harvest_failed_backups_total", counter, "Copies of the database that have failed.", ""},
     tell_tally<&Tally::failed_backups>},
    {{"caddis_harvest_disk_free_bytes", gauge, "Bytes that are free on the disk of the archive.", ""}, tell_disk},
    {{"caddis_harvest_cpu_seconds_total", counter, "Processor time of the process of the server.", ""},
     tell_processor_time},
    {{"caddis_harvest_resident_memory_bytes", gauge, "Memory of the process of the server.", ""}, tell_memory},
};

Result<void> look_at_jobs(Connection& c, int64_t now, Moment& moment) {
  TRY_VOID(c.each("SELECT state, count(*) FROM jobs GROUP BY state", Values(),
                  [&](const Row& row) { moment.jobs[row.text(0)] = static_cast<double>(row.number(1)); }));
  return c.each(
      "SELECT h.name, count(j.id), coalesce(min(j.created), 0) FROM channels h LEFT JOIN jobs j ON j.channel_id = h.id "
      "AND j.state = 'NEW' GROUP BY h.name",
      Values(), [&](const Row& row) {
        moment.waiting[row.text(0)] = static_cast<double>(row.number(1));
        moment.waits[row.text(0)] = row.number(1) == 0 ? 0 : static_cast<double>(now - row.number(2));
      });
}

Result<void> look_at_harvesters(Connection& c, int64_t heard_after, Moment& moment) {
  moment.harvesters = {{"alive", 0}, {"lost", 0}};
  return c.each("SELECT name, seen, free_bytes FROM harvesters", Values(), [&](const Row& row) {
    const bool is_alive = row.number(1) > heard_after;
    ++moment.harvesters[is_alive ? "alive" : "lost"];
    if (is_alive) moment.harvester_disks[row.text(0)] = static_cast<double>(row.number(2));
  });
}

Result<void> look_at_rest(Connection& c, Moment& moment) {
  TRY(const int64_t harvests, c.number("SELECT count(*) FROM definitions WHERE is_active = 1"));
  TRY(const int64_t problems, c.number("SELECT count(*) FROM definitions WHERE is_active = 0 AND problem <> ''"));
  TRY(const int64_t domains, c.number("SELECT count(*) FROM domains"));
  moment.harvests = static_cast<double>(harvests);
  moment.problems = static_cast<double>(problems);
  moment.domains = static_cast<double>(domains);
  return c.each("SELECT store, state, count(*) FROM copies GROUP BY store, state", Values(), [&](const Row& row) {
    const std::string state = row.text(1);
    moment.harmed[row.text(0)] += state == "missing" || state == "wrong" ? static_cast<double>(row.number(2)) : 0;
    moment.uncopied[row.text(0)] += state == "wanted" ? static_cast<double>(row.number(2)) : 0;
  });
}

}  // namespace

Result<std::string> harvest_metrics(const Parts& parts) {
  const int64_t now = parts.now();
  const auto silence = std::chrono::duration_cast<std::chrono::seconds>(parts.settings.harvest.lost_after).count();
  TRY(Moment moment, parts.database.read([&](Connection& c) -> Result<Moment> {
    Moment looked;
    TRY_VOID(look_at_jobs(c, now, looked));
    TRY_VOID(look_at_harvesters(c, now - silence, looked));
    TRY_VOID(look_at_rest(c, looked));
    return looked;
  }));
  moment.tally = parts.tally.get();
  moment.machine = engine::machine_of(parts.store.folder());
  moment.process = aio::process_use();
  metrics::Exposition out;
  for (const MetricRow& row : kRows) {
    out.begin(row.metric);
    row.tell(moment, out);
  }
  return out.finish();
}

aio::Task<http::ServerResponse> tell_harvest_metrics(aio::Loop& loop, aio::Blocking& workers, const Parts& parts) {
  Result<std::string> text;
  std::function<void()> work = [&] { text = harvest_metrics(parts); };
  co_await workers.run(loop, std::move(work));
  if (!text) co_return control::error_response(503, text.error().message);
  http::ServerResponse response(200);
  response.headers.emplace_back("Content-Type", std::string(metrics::kMediaType));
  response.body = *std::move(text);
  co_return response;
}

aio::Task<http::ServerResponse> tell_harvest_readiness(aio::Loop& loop, aio::Blocking& workers, const Parts& parts) {
  std::string database, disk;
  std::function<void()> work = [&] {
    const auto asked = parts.database.read([](Connection& c) { return c.number("SELECT count(*) FROM channels"); });
    if (!asked) database = asked.error().message;
    if (engine::machine_of(parts.store.folder()).is_disk_full()) disk = "the disk of the archive is full";
  };
  co_await workers.run(loop, std::move(work));
  const std::vector<control::Readiness> checks = {{"database", database}, {"disk", disk}};
  co_return control::readiness(checks);
}

std::string harvest_metrics_markdown() {
  std::vector<metrics::Metric> rows;
  for (const MetricRow& row : kRows) rows.push_back(row.metric);
  return "\n## Of a harvest server\n\nA harvester with `--metrics` tells those of an engine, and of its crawl.\n\n" +
         metrics::markdown_table(rows);
}

}  // namespace caddis::harvestserver
