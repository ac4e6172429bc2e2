// caddis report [NAME] [COLLECTION]: a report of a crawl as text, JSON or CSV. A crawl that runs makes it now; of one
// that has ended the file is shown; if there is none, or the crawl died, it is made from the state. Files are written
// by --write alone, and never in place of those of an end.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "asked_crawl.h"
#include "caddis/base/output.h"
#include "caddis/base/percent.h"
#include "caddis/collection/launch.h"
#include "caddis/control/control_client.h"
#include "caddis/crawl/report_names.h"
#include "caddis/crawl/stopped_crawl.h"
#include "caddis/io/files.h"
#include "caddis/reports/report.h"
#include "caddis/reports/report_writer.h"
#include "caddis/store/rocks_kv.h"
#include "job_logs.h"
#include "report_command.h"
#include "tell.h"

namespace caddis::cli {
namespace {

constexpr size_t kRowsOfRunning = 100'000;
constexpr Duration kPatience = std::chrono::minutes(10);

struct ReportArguments {
  std::string name, collection = ".", format = "text", launch;
  bool write = false, is_collection = false;
};

void list_names() {
  for (const crawl::ReportName& one : crawl::kReportNames) fmt::print("{:<26} {}\n", one.name, one.title);
}

// "hosts" for "hosts-report". ErrorCode::config with what there is.
Result<std::string> report_named(const std::string& name) {
  for (const std::string& full : reports::names_meant(name))
    if (crawl::is_report(full)) return full;
  return fail(ErrorCode::config, fmt::format("there is no report '{}'; caddis report lists them", name));
}

// A file of any size, to standard output.
Result<void> show(const std::string& path) {
  constexpr size_t kPiece = 1 << 20;
  TRY(const auto file, io::real_files().open_read(path));
  std::string piece(kPiece, '\0');
  for (uint64_t at = 0;;) {
    TRY(const size_t got, file->read_at(at, piece.data(), piece.size()));
    if (got == 0) return {};
    std::fwrite(piece.data(), 1, got, stdout);
    at += got;
  }
}

std::string file_of(const collection::Launch& launch, const std::string& name, reports::Format format) {
  return fmt::format("{}/{}.{}", launch.reports(), name, reports::ending_of(format));
}

// A report of a job of a harvest server, out of its metadata file.
Result<void> show_of_job(const harvest::ArchivedJob& job, const std::string& name, reports::Format format) {
  const std::string wanted = fmt::format("{}.{}", name, reports::ending_of(format));
  std::string others;
  JobLogs unpacked;
  TRY(const auto launch, unpacked.open(job, [&](std::string_view kind, std::string_view file) {
    if (kind != "reports") return false;
    others += fmt::format("{}{}", others.empty() ? "" : ", ", file);
    return file == wanted;
  }));
  const std::string path = file_of(launch, name, format);
  if (io::real_files().exists(path)) return show(path);
  return fail(ErrorCode::not_found,
              fmt::format("{} of job {} has no {}; it has {}", fmt::join(job.metadata_files, " and "), job.number,
                          wanted, others.empty() ? "no report" : others));
}

// The job that is meant; nothing if it is a crawl of the collection itself.
Result<std::optional<harvest::ArchivedJob>> job_of(const ReportArguments& arguments) {
  TRY(const auto jobs, JobLogs::list(arguments.collection));
  if (jobs.empty()) return std::optional<harvest::ArchivedJob>();
  if (const auto* const job = JobLogs::find(jobs, arguments.launch)) return std::optional(*job);
  TRY(const auto all, collection::launches(io::real_files(), collection::Layout(arguments.collection)));
  if (!all.empty()) return std::optional<harvest::ArchivedJob>();
  if (arguments.launch.empty()) return std::optional(jobs.back());
  return fail(ErrorCode::not_found,
              fmt::format("there is no job '{}' in {}; there are {} to {}, by number or as {}", arguments.launch,
                          arguments.collection, jobs.front().number, jobs.back().number, jobs.back().launch));
}

Result<collection::Launch> launch_of(const ReportArguments& arguments) {
  io::Files& files = io::real_files();
  if (arguments.launch.empty()) return control::latest_crawl_in(files, arguments.collection);
  TRY(const auto all, collection::launches(files, collection::Layout(arguments.collection)));
  std::string names;
  for (const collection::Launch& one : all) {
    if (one.name == arguments.launch) return one;
    names += (names.empty() ? "" : ", ") + one.name;
  }
  return fail(ErrorCode::config, fmt::format("there is no launch '{}' in {}: {}", arguments.launch,
                                             arguments.collection, names.empty() ? "it has none" : names));
}

// The answer of the crawl; ErrorCode::not_found if it does not run.
Result<control::ReportAnswer> ask(const collection::Launch& launch, const std::string& name,
                                  const std::string& format) {
  const std::string query = query_of({{"format", format}, {"limit", std::to_string(kRowsOfRunning)}});
  return control::ask_for_report(
      launch.control_socket(),
      {.method = "GET", .target = fmt::format("/reports/{}?{}", percent_encoded(name), query), .body = ""}, kPatience);
}

// An ended crawl has all of its reports, unless its end failed or somebody has removed some.
std::string why_it_is_missing(io::Files& files, const collection::Launch& launch, const std::string& path) {
  const auto others = files.list(launch.reports());
  if (!crawl::recorded_end(files, launch) || !others || others->empty())
    return "caddis report: the crawl has not written it at its end: it is made from its state\n";
  return fmt::format(
      "caddis report: {} is not there any more, though the crawl has written its reports: somebody has removed it. The "
      "report is made from its state; --write writes what is missing into the folder\n",
      path);
}

Result<void> print_report(const ReportArguments& arguments, const std::string& name, reports::Format format) {
  TRY(const auto job, job_of(arguments));
  if (job) return show_of_job(*job, name, format);
  TRY(const collection::Launch launch, launch_of(arguments));
  const auto answer = ask(launch, name, arguments.format);
  if (answer) {
    std::fwrite(answer->text.data(), 1, answer->text.size(), stdout);
    if (answer->is_cut)
      tell(fmt::format(
          "caddis report: these are the first {} rows; --write writes all of them into the launch's folder\n",
          kRowsOfRunning));
    return {};
  }
  const ErrorCode code = answer.error().code;
  if (code != ErrorCode::not_found && code != ErrorCode::denied) return std::unexpected(answer.error());
  io::Files& files = io::real_files();
  const std::string path = file_of(launch, name, format);
  if (crawl::recorded_end(files, launch) && files.exists(path)) return show(path);
  tell(why_it_is_missing(files, launch, path));
  return crawl::make_report_of_stopped(files, system_clock(), store::rocks_opener(), launch,
                                       {.name = name, .format = format}, [](std::string_view bytes) -> Result<void> {
                                         std::fwrite(bytes.data(), 1, bytes.size(), stdout);
                                         return {};
                                       });
}

Result<void> write_all(const ReportArguments& arguments) {
  TRY(const auto job, job_of(arguments));
  if (job)
    return fail(ErrorCode::unsupported,
                fmt::format("the reports of job {} lie in {}, where they stay as they are: caddis "
                            "report NAME shows one",
                            job->number, fmt::join(job->metadata_files, " and ")));
  TRY(const collection::Launch launch, launch_of(arguments));
  const auto answer =
      control::ask(launch.control_socket(), {.method = "POST", .target = "/reports", .body = ""}, kPatience);
  if (!answer && answer.error().code != ErrorCode::not_found) return std::unexpected(answer.error());
  if (!answer)
    TRY_VOID(crawl::write_reports_of_stopped(io::real_files(), system_clock(), store::rocks_opener(), launch));
  fmt::print("{}\n", launch.reports());
  return {};
}

// "caddis report archive/" is about a collection, as is "caddis report archive/ seeds-report".
void sort_out(ReportArguments& arguments) {
  if (arguments.name.empty() || report_named(arguments.name)) return;
  if (!io::real_files().is_directory(arguments.name)) return;
  if (!arguments.is_collection)
    arguments.collection = std::exchange(arguments.name, {});
  else if (report_named(arguments.collection))
    std::swap(arguments.name, arguments.collection);
}

Result<void> run(ReportArguments& arguments) {
  const auto format = reports::format_named(arguments.format);
  if (!format) return fail(ErrorCode::config, fmt::format("--format {}: text, json or csv", arguments.format));
  sort_out(arguments);
  if (arguments.write) return write_all(arguments);
  if (arguments.name.empty()) {
    list_names();
    return {};
  }
  TRY(const std::string name, report_named(arguments.name));
  return print_report(arguments, name, *format);
}

}  // namespace

void add_report_commands(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "report",
      "A report of a crawl, running or ended: seeds, hosts, domains, types, queues, visits, …; without a "
      "name, which there are");
  auto arguments = std::make_shared<ReportArguments>();
  command->add_option("name", arguments->name, "The report: hosts-report, or hosts");
  auto* collection =
      command->add_option("collection,--collection", arguments->collection, "The folder of the collection");
  collection->capture_default_str();
  command->add_option("--format", arguments->format, "text (Heritrix's form), json or csv (RFC 4180)")
      ->capture_default_str();
  command->add_option("--launch", arguments->launch,
                      "The name of a launch, or the number of a job of a harvest server (default: the latest)");
  command->add_flag(
      "--write", arguments->write,
      "Write all reports into the launch's folder now, with index.html, and print that folder; of a crawl that "
      "has ended, those that are missing");
  command->footer(
      "A running crawl shows at most 100,000 rows; --write has all. The exit code is 0 if the report was shown or "
      "written, "
      "2 if not.");
  command->callback([arguments, collection, &exit_code] {
    arguments->is_collection = collection->count() > 0;
    const auto done = run(*arguments);
    if (done) return;
    tell(fmt::format("caddis report: {}\n", done.error().message));
    exit_code = 2;
  });
}

}  // namespace caddis::cli
