#include "caddis/crawl/report_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/time_format.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/progress_series.h"
#include "caddis/crawl/report_names.h"
#include "caddis/crawl/report_plots.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/writer_loss.h"
#include "caddis/reports/report_files.h"
#include "caddis/reports/report_writer.h"

namespace caddis::crawl {
namespace {

// The reports of which the page draws the largest rows.
struct Drawn {
  std::string_view report, title, name, value;
  reports::Unit unit;
};
constexpr std::array<Drawn, 4> kDrawn = {
    {{"responsecode-report", "Statuses, by URLs", "rescode", "urls", reports::Unit::number},
     {"mimetype-report", "Media types, by bytes", "mime-types", "bytes", reports::Unit::bytes},
     {"domains-report", "Registered domains, by bytes", "domain", "bytes", reports::Unit::bytes},
     {"hosts-report", "Hosts, by URLs", "host", "urls", reports::Unit::number}}};

std::string path_of(const collection::Launch& launch, std::string_view name, reports::Format format) {
  return fmt::format("{}/{}.{}", launch.reports(), name, reports::ending_of(format));
}

std::string page_of(const collection::Launch& launch) { return launch.reports() + "/index.html"; }

std::vector<reports::Format> missing_forms(io::Files& files, const collection::Launch& launch, std::string_view name) {
  std::vector<reports::Format> missing;
  for (const reports::Format format : reports::kFormats)
    if (!files.exists(path_of(launch, name, format))) missing.push_back(format);
  return missing;
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

void add_figures(const Statistics& statistics, const ReportFacts& facts, reports::ReportPage& page) {
  const auto size = [](uint64_t bytes) {
    return reports::short_number(static_cast<double>(bytes), reports::Unit::bytes);
  };
  page.add_figure("Documents", grouped(statistics.documents()));
  page.add_figure("Received", size(statistics.bytes()));
  page.add_figure("New payload", size(statistics.novel_bytes()));
  page.add_figure("Failed", grouped(statistics.failed()));
  page.add_figure("Excluded", grouped(statistics.excluded()));
  page.add_figure("Waiting", grouped(facts.frontier.queued));
  page.add_figure("Hosts", grouped(statistics.hosts().all().size() + statistics.hosts().others().hosts));
  page.add_figure("Running time", format_duration(statistics.running_time()));
}

}  // namespace

ReportSet::ReportSet(io::Files& files, const collection::Launch& launch, store::Kv& kv, ReportFacts facts)
    : files_(files), launch_(launch), kv_(kv), facts_(std::move(facts)) {}

Result<std::unique_ptr<ReportSet>> ReportSet::open(io::Files& files, const collection::Launch& launch, store::Kv& kv,
                                                   ReportFacts facts) {
  std::unique_ptr<ReportSet> set(new ReportSet(files, launch, kv, std::move(facts)));
  TRY_VOID(set->statistics_.load(kv, kStatistics));
  TRY(auto losses, rows_of(kv, kLossRow));
  for (auto& [key, text] : losses) set->facts_.losses.emplace_back("lost by the disk", std::move(text));
  TRY(const auto writers, rows_of(kv, kWriterFailedRow));
  for (const auto& [name, row] : writers) {
    const WriterLoss loss = WriterLoss::read(row);
    set->facts_.losses.emplace_back("captures left out by the writer " + name,
                                    fmt::format("{}, since {}", loss.captures, loss.why));
  }
  TRY_VOID(each_seed_fate(kv, kStatistics, [&](std::string_view url, const SeedFate& fate) -> Result<void> {
    set->seeds_.count(url, fate);
    return {};
  }));
  set->make();
  return set;
}

void ReportSet::make() {
  const ReportSource source{statistics_, kv_, facts_, files_, launch_, seeds_};
  ReportList made;
  for (const auto add :
       {add_summary_report, add_site_reports, add_seed_reports, add_kind_reports, add_repeat_reports, add_feed_reports,
        add_queue_reports, add_visit_reports, add_finding_reports, add_manifest_report})
    add(source, made);
  for (const ReportName& one : kReportNames) {
    const auto found = std::ranges::find(made, one.name, &reports::Report::name);
    if (found == made.end()) continue;
    found->title = one.title;
    list_.push_back(std::move(*found));
  }
}

const reports::Report* ReportSet::find(std::string_view name) const {
  const auto found = std::ranges::find(list_, name, &reports::Report::name);
  return found == list_.end() ? nullptr : &*found;
}

bool has_all_reports(io::Files& files, const collection::Launch& launch) {
  return files.exists(page_of(launch)) && std::ranges::all_of(kReportNames, [&](const ReportName& one) {
           return missing_forms(files, launch, one.name).empty();
         });
}

void remove_reports(io::Files& files, const collection::Launch& launch) {
  if (files.exists(page_of(launch))) (void)files.remove(page_of(launch));
  for (const ReportName& one : kReportNames)
    for (const reports::Format format : reports::kFormats)
      if (const std::string path = path_of(launch, one.name, format); files.exists(path)) (void)files.remove(path);
}

Result<void> ReportSet::write(bool only_missing) const {
  const bool has_page = only_missing && files_.exists(page_of(launch_));
  reports::ReportPage page(launch_.name, facts_.status, facts_.now);
  add_figures(statistics_, facts_, page);
  TRY(const auto series, read_series(kv_));
  add_time_plots(series, page);
  for (const reports::Report& report : list_) {
    std::vector<reports::Format> forms(reports::kFormats.begin(), reports::kFormats.end());
    if (only_missing) forms = missing_forms(files_, launch_, report.name);
    if (has_page && forms.empty()) continue;
    const reports::RowCall to_table = page.add_table(report);
    const auto drawn = std::ranges::find(kDrawn, report.name, &Drawn::report);
    std::optional<LargestRows> largest;
    if (drawn != kDrawn.end())
      largest.emplace(std::string(drawn->title), drawn->unit, report, drawn->name, drawn->value);
    TRY_VOID(reports::write_files(
        files_, launch_.reports(), report,
        [&](const reports::Row& row) {
          if (largest) largest->add(row);
          return to_table(row);
        },
        forms));
    if (largest) largest->add_to(page);
  }
  return has_page ? Result<void>() : write_page(page);
}

Result<void> ReportSet::write_page(reports::ReportPage& page) const {
  page.add_link("../crawl.yaml", "crawl.yaml");
  if (files_.exists(launch_.logs())) {
    TRY(const auto logs, files_.list(launch_.logs()));
    for (const io::DirectoryEntry& log : logs)
      if (!log.is_directory) page.add_link("../logs/" + log.name, log.name);
  }
  return files_.write_atomically(page_of(launch_), page.html());
}

}  // namespace caddis::crawl
