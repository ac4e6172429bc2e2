// frontier-summary-report and frontier-nonempty-report: what waits, and why.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/time_format.h"
#include "caddis/crawl/report_source.h"
#include "caddis/frontier/queue_state.h"
#include "caddis/frontier/quota.h"
#include "caddis/reports/text_writer.h"

namespace caddis::crawl {
namespace {

using frontier::QueueState;
using reports::count;
using reports::figure;
using reports::Row;
using reports::RowCall;
using reports::word;

// Heritrix's five kinds of queues that hold URLs. Queues of hosts that are not resident are told by their own state.
enum class QueueKind : uint8_t { in_process, ready, snoozed, retired };

QueueKind kind_of(QueueState state) {
  switch (state) {
    case QueueState::being_visited:
      return QueueKind::in_process;
    case QueueState::ready:
    case QueueState::host_busy:
    case QueueState::group_busy:
    case QueueState::address_busy:
    case QueueState::job_busy:
      return QueueKind::ready;
    case QueueState::blocked:
    case QueueState::retired:
    case QueueState::retired_by_setting:
    case QueueState::over_quota:
      return QueueKind::retired;
    default:
      return QueueKind::snoozed;
  }
}

uint64_t queues_of(const ReportFacts& facts, QueueKind kind) {
  uint64_t sum = 0;
  for (const auto& state : facts.states.states)
    if (kind_of(state.state) == kind) sum += state.queues;
  return sum;
}

std::vector<Row> figures(const ReportSource& source) {
  const ReportFacts& facts = source.facts;
  const Statistics& statistics = source.statistics;
  const frontier::Stats& stats = facts.frontier;
  std::vector<Row> rows;
  const auto add = [&](std::string section, std::string name, uint64_t value, uint64_t urls = 0) {
    rows.push_back({std::move(section), std::move(name), std::to_string(value), urls == 0 ? "" : std::to_string(urls)});
  };
  const uint64_t captured = statistics.documents() + statistics.prerequisites();
  add("STATS", "Discovered", stats.seen);
  add("STATS", "Queued", stats.queued);
  add("STATS", "Finished", captured + statistics.failed() + statistics.excluded());
  add("STATS", "Successfully", captured);
  add("STATS", "Failed", statistics.failed());
  add("STATS", "Disregarded", statistics.excluded());
  const uint64_t in_process = queues_of(facts, QueueKind::in_process), ready = queues_of(facts, QueueKind::ready),
                 snoozed = queues_of(facts, QueueKind::snoozed), retired = queues_of(facts, QueueKind::retired);
  const uint64_t active = in_process + ready + snoozed;
  add("QUEUES", "Already included size", stats.seen);
  add("QUEUES", "pending", stats.held);
  add("QUEUES", "All class queues map size", stats.queues);
  add("QUEUES", "Active queues", active);
  add("QUEUES", "In-process", in_process);
  add("QUEUES", "Ready", ready);
  add("QUEUES", "Snoozed", snoozed);
  add("QUEUES", "Retired queues", retired);
  add("QUEUES", "Exhausted queues", stats.queues - std::min(stats.queues, active + retired));
  add("HOSTS", "Hosts", stats.hosts);
  add("HOSTS", "In memory", stats.hosts_in_memory);
  add("HOSTS", "Suspended after failures", stats.hosts_aside);
  add("HOSTS", "Given up", stats.hosts_given_up);
  for (const auto& state : facts.states.states)
    add("WAITING", std::string(frontier::to_string(state.state)), state.queues, state.urls);
  return rows;
}

// As wide as Heritrix has it.
size_t indent_of(std::string_view name) {
  if (name == "Successfully" || name == "Failed" || name == "Disregarded") return 2;
  if (name == "pending") return 15;
  if (name == "Active queues") return 13;
  if (name == "In-process") return 20;
  if (name == "Ready") return 25;
  if (name == "Snoozed") return 23;
  if (name == "Retired queues") return 12;
  if (name == "Exhausted queues") return 10;
  return 1;
}

void append_figure(std::string& text, const Row& row, std::string& section) {
  if (section != row[0]) {
    text += fmt::format("\n -----===== {} =====-----\n", row[0]);
    section = row[0];
  }
  const std::string name = std::string(indent_of(row[1]), ' ') + row[1] + ":";
  text += fmt::format("{:<{}} {}", name, row[0] == "STATS" ? 15 : 27, row[2]);
  if (!row[3].empty()) text += fmt::format(" ({} URLs)", row[3]);
  text += '\n';
}

Row row_of(const frontier::QueueReport& queue) {
  const auto visits = std::max<uint64_t>(1, queue.usage.responses);
  const auto cost = static_cast<double>(queue.usage.cost) / static_cast<double>(visits);
  return {queue.origin,
          "",
          std::to_string(queue.queued),
          std::to_string(queue.queued + queue.finished),
          "",
          fmt::format("{:.1f}", cost),
          "",
          queue.wait > Duration(0) ? format_duration(queue.wait) : "",
          std::to_string(queue.usage.cost),
          std::to_string(queue.failures),
          "",
          "",
          std::string(frontier::to_string(queue.state)),
          queue.over == frontier::Quota::none ? "" : std::string(frontier::to_string(queue.over)),
          std::to_string(queue.usage.successes),
          std::to_string(queue.usage.bytes)};
}

constexpr size_t kQueueColumns = 16;

Result<void> write_queues(const ReportFacts& facts, const RowCall& row) {
  for (const frontier::QueueReport& queue : facts.queues) TRY_VOID(row(row_of(queue)));
  if (facts.queues_left_out == 0) return {};
  Row others(kQueueColumns);
  others[0] = fmt::format("{} other queues", facts.queues_left_out);
  others[2] = std::to_string(facts.urls_left_out);
  others[12] = "not listed";
  return row(others);
}

constexpr std::string_view kLegend =
    "queue precedence currentSize totalEnqueues sessionBalance lastCost(averageCost) lastDequeueTime wakeTime "
    "totalSpend/totalBudget errorCount lastPeekUri lastQueuedUri state\n";

// Heritrix's twelve fields, and the state.
void append_queue(std::string& text, const Row& row, bool& has_legend) {
  if (!std::exchange(has_legend, true)) text += kLegend;
  const auto add = [&](std::string_view cell) {
    reports::append_word(text, cell);
    text += ' ';
  };
  const auto phrase = [](std::string words) {
    std::ranges::replace(words, ' ', '-');
    return words;
  };
  add(phrase(row[0]));
  for (size_t i = 1; i < 5; ++i) add(row[i]);
  add(fmt::format("-({})", row[5]));
  add(row[6]);
  add(row[7]);
  add(row[8] + "/-");
  for (size_t i = 9; i < 12; ++i) add(row[i]);
  reports::append_word(text, phrase(row[12]));
  text += '\n';
}

}  // namespace

void add_queue_reports(const ReportSource& source, ReportList& list) {
  const auto section = std::make_shared<std::string>();
  list.push_back({.name = "frontier-summary-report",
                  .columns = {word("section"), word("name"), count("value"), count("urls")},
                  .rows = [source, section](const RowCall& row) -> Result<void> {
                    section->clear();
                    for (const Row& one : figures(source)) TRY_VOID(row(one));
                    return {};
                  },
                  .text_line = [section](std::string& text, const Row& row) { append_figure(text, row, *section); }});
  const auto has_legend = std::make_shared<bool>(false);
  list.push_back(
      {.name = "frontier-nonempty-report",
       .columns = {word("queue"), figure("precedence"), figure("currentSize"), figure("totalEnqueues"),
                   figure("sessionBalance"), figure("averageCost"), word("lastDequeueTime"), word("wakeTime"),
                   figure("totalSpend"), figure("errorCount"), word("lastPeekUri"), word("lastQueuedUri"),
                   word("state"), word("over-quota"), count("urls"), count("bytes")},
       .rows = [source, has_legend](const RowCall& row) -> Result<void> {
         *has_legend = false;
         return write_queues(source.facts, row);
       },
       .text_line = [has_legend](std::string& text, const Row& row) { append_queue(text, row, *has_legend); }});
}

}  // namespace caddis::crawl
