// processors-report: what each step of the visits did, and each extractor; documents-report: the same of binary
// documents by their formats; threads-report: the visits that run, as Heritrix lists its threads.

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/time_format.h"
#include "caddis/crawl/report_source.h"
#include "caddis/reports/text_writer.h"

namespace caddis::crawl {
namespace {

using reports::count;
using reports::figure;
using reports::Row;
using reports::RowCall;
using reports::word;

std::string millis(Duration time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

Result<void> write_steps(const ReportFacts& facts, const RowCall& row) {
  for (const visit::StepReport& step : facts.lanes.steps) {
    const bool is_part = !step.part.empty();
    // Extractors that nothing was for say nothing.
    if (is_part && step.times == 0) continue;
    TRY_VOID(
        row({std::string(step.pipeline), is_part ? fmt::format("{}/{}", step.step, step.part) : std::string(step.step),
             std::to_string(step.times), std::to_string(step.passed_by), std::to_string(step.failed),
             std::to_string(step.links), std::to_string(step.dropped), is_part ? "" : millis(step.time)}));
  }
  return {};
}

Result<void> write_documents(const ReportFacts& facts, const RowCall& row) {
  for (const documents::FormatReport& format : facts.lanes.documents)
    TRY_VOID(row({std::string(format.format), std::to_string(format.documents), std::to_string(format.failed),
                  std::to_string(format.links), std::to_string(format.attachments), millis(format.time)}));
  return {};
}

Result<void> write_visits(const ReportFacts& facts, const RowCall& row) {
  static constexpr std::array<std::string_view, 4> kKinds = {"dns", "robots", "url", "login"};  // by LeaseKind
  for (const visit::RunningVisit& visit : facts.visits)
    TRY_VOID(
        row({std::to_string(visit.lane), std::string(kKinds[static_cast<size_t>(visit.kind)]),
             visit.step.empty() ? "begin" : visit.step, millis(visit.at_step), millis(visit.since_begin), visit.url}));
  return {};
}

Duration duration_in(const std::string& millis) { return std::chrono::milliseconds(std::stoll(millis)); }

// "#3 fetch http://a.example/ ACTIVE for 1s20ms at fetch for 20ms": a line of Heritrix's, without the attempts.
void append_visit(std::string& text, const Row& row) {
  text += fmt::format("#{} {} ", row[0], row[2]);
  reports::append_word(text, row[5]);
  text += fmt::format(" ACTIVE for {} at {} for {}\n", format_duration(duration_in(row[4])), row[2],
                      format_duration(duration_in(row[3])));
}

}  // namespace

void add_visit_reports(const ReportSource& source, ReportList& list) {
  list.push_back({.name = "processors-report",
                  .columns = {word("pipeline"), word("step"), count("visits"), count("passed-by"), count("failed"),
                              count("links"), count("links-dropped"), figure("total-ms")},
                  .rows = [source](const RowCall& row) { return write_steps(source.facts, row); }});
  list.push_back({.name = "documents-report",
                  .columns = {word("format"), count("documents"), count("failed"), count("links"), count("attachments"),
                              figure("total-ms")},
                  .rows = [source](const RowCall& row) { return write_documents(source.facts, row); }});
  list.push_back(
      {.name = "threads-report",
       .columns = {figure("lane"), word("kind"), word("step"), figure("step-ms"), figure("total-ms"), word("url")},
       .rows = [source](const RowCall& row) { return write_visits(source.facts, row); },
       .text_line = append_visit});
}

}  // namespace caddis::crawl
