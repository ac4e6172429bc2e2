// caddis warc break-out
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/io/files.h"
#include "caddis/revisits/break_out.h"
#include "new_archives.h"
#include "warc_tools.h"

namespace caddis::cli {
namespace {

using revisits::BreakOutReport;
using revisits::OriginalPlaces;

struct Options {
  std::vector<std::string> inputs, from;
  std::string into;
  unsigned jobs = 0;
  bool json = false;
};

constexpr Figure<BreakOutReport> kFigures[] = {{"records", &BreakOutReport::records},
                                               {"responses", &BreakOutReport::responses},
                                               {"payload_bytes_put_back", &BreakOutReport::put_back},
                                               {"unresolved", &BreakOutReport::unresolved},
                                               {"bytes_read", &BreakOutReport::read},
                                               {"bytes_written", &BreakOutReport::written}};

std::string report_text(const BreakOutReport& report) {
  std::string text = fmt::format("{}, {} became responses ({} put back), {} -> {}", counted(report.records, "record"),
                                 counted(report.responses, "revisit"), size_text(report.put_back),
                                 size_text(report.read), size_text(report.written));
  if (report.unresolved > 0) text += fmt::format(", {} stay", counted(report.unresolved, "revisit"));
  return text;
}

// Passes over the `files` files for their revisits, over all sources for the originals, and over the files to write the
// new ones. False if a file failed, a revisit stays, or a digest did not hold.
Result<bool> run_job(NewArchivesJob& job, size_t files) {
  OriginalPlaces places;
  const auto progress = [&job](uint64_t bytes) { job.progress().read(bytes); };
  const std::vector<std::string>& sources = job.sources();
  for (size_t i = 0; i < files; ++i) {
    TRY_VOID(revisits::want_originals(io::real_files(), sources[i], places, progress));
    job.progress().file_done();
  }
  for (size_t i = 0; i < sources.size(); ++i) {
    TRY_VOID(revisits::offer_originals(io::real_files(), sources[i], static_cast<uint32_t>(i), places, progress));
    job.progress().file_done();
  }
  BreakOutReport sum;
  job.each([&](size_t i) -> Result<void> {
    TRY(const BreakOutReport report,
        revisits::break_out_file(io::real_files(), job.from(i), job.to(i), {.how = job.how(i)}, places, sources));
    job.print<BreakOutReport>(i, report, kFigures, report_text, sum);
    return {};
  });
  job.print_sum(report_text(sum));
  return job.all_sound();
}

Result<bool> run(const Options& options) {
  TRY(auto sources, archives_at(options.inputs));
  leave_out_open(sources);
  TRY(auto targets, new_files_in(options.into, sources));
  TRY(const auto from, archives_at(options.from));
  std::set<std::string> named(sources.begin(), sources.end());
  for (const std::string& file : from)
    if (named.insert(file).second) sources.push_back(file);
  TRY_VOID(io::real_files().make_dirs(options.into));
  const size_t files = targets.size(), steps = 2 * files + sources.size();
  NewArchivesJob job({.what = "break-out",
                      .from = std::move(sources),
                      .to = std::move(targets),
                      .steps = steps,
                      .jobs = options.jobs,
                      .json = options.json});
  return run_job(job, files);
}

}  // namespace

void add_warc_break_out(CLI::App& warc, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      warc.add_subcommand("break-out", "Make new files that stand alone: revisit records become full responses again");
  command->add_option("FILE", options->inputs, "A collection, or WARC files and folders of them")->required();
  command->add_option("--into", options->into, "The folder for the new files, which keep their names")->required();
  command
      ->add_option("--from", options->from,
                   "Where originals lie that are not in the files: other collections, folders, archive files")
      ->allow_extra_args(false);
  add_job_options(*command, options->jobs, options->json);
  run_on(*command, exit_code, [options] { return run(*options); });
}

}  // namespace caddis::cli
