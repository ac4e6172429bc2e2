// caddis warc dedup
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"
#include "caddis/dedup/index_key.h"
#include "caddis/dedup/names.h"
#include "caddis/io/files.h"
#include "caddis/revisits/dedup_files.h"
#include "caddis/revisits/known_payloads.h"
#include "caddis/url/key_policy.h"
#include "new_archives.h"
#include "warc_tools.h"

namespace caddis::cli {
namespace {

using revisits::DedupOptions;
using revisits::DedupReport;
using revisits::KnownPayloads;

struct Options {
  std::vector<std::string> inputs, against, leave_out;
  std::string into, strategy = "url-preferred", min_size = "1", memory = "512MB", key_policy;
  unsigned jobs = 0;
  bool json = false;
};

constexpr Figure<DedupReport> kFigures[] = {
    {"records", &DedupReport::records},      {"payloads", &DedupReport::payloads},
    {"revisits", &DedupReport::revisits},    {"payload_bytes_saved", &DedupReport::saved},
    {"uncertain", &DedupReport::uncertain},  {"bytes_read", &DedupReport::read},
    {"bytes_written", &DedupReport::written}};

std::string report_text(const DedupReport& report) {
  return fmt::format("{}, {} of {} became revisits ({} of payloads), {} -> {} ({})", counted(report.records, "record"),
                     report.revisits, counted(report.payloads, "payload"), size_text(report.saved),
                     size_text(report.read), size_text(report.written), percent_text(report.written, report.read));
}

Result<dedup::DedupSettings> settings_of(const Options& options) {
  dedup::DedupSettings settings;
  TRY(settings.strategy, dedup::strategy_from_name(options.strategy));
  TRY(settings.min_size, parse_size(options.min_size));
  for (const std::string& type : options.leave_out) {
    const size_t slash = type.find('/');
    if (slash == 0 || slash == std::string::npos || slash + 1 == type.size())
      return fail(ErrorCode::config,
                  fmt::format("--leave-out: '{}' is no type: write it as in text/html, or image/* for all images",
                              visible(type, kQuoted)));
  }
  settings.leave_out = options.leave_out;
  return settings;
}

// One pass over all files, and another that writes the new ones. False if a file failed, or a digest did not hold.
Result<bool> run_job(NewArchivesJob& job, const dedup::DedupSettings& settings, KnownPayloads& known) {
  const auto options_of = [&](size_t i) { return DedupOptions{.which = settings, .how = job.how(i)}; };
  job.each([&](size_t i) { return revisits::learn_payloads(io::real_files(), job.from(i), options_of(i), known); });
  if (!job.all_sound()) return fail(ErrorCode::corrupt, "no file is made: mend or leave out those that are named");
  TRY_VOID(known.finish());
  DedupReport sum;
  job.each([&](size_t i) -> Result<void> {
    TRY(const DedupReport report, revisits::dedup_file(io::real_files(), job.from(i), job.to(i), options_of(i), known));
    job.print<DedupReport>(i, report, kFigures, report_text, sum);
    return {};
  });
  job.print_sum(report_text(sum));
  if (job.failed() > 0)
    job.progress().tell(fmt::format("caddis: of {}; revisits may refer to records of theirs: keep the old files\n",
                                    counted(job.failed(), "file there is no new one", "files there are no new ones")));
  return job.all_sound();
}

Result<bool> run(const Options& options) {
  io::Files& disk = io::real_files();
  TRY(const auto settings, settings_of(options));
  TRY(const auto memory, parse_size(options.memory));
  constexpr long long kLeast = 1 << 20;
  if (memory < kLeast) return fail(ErrorCode::config, "--memory: at least 1MiB is needed");
  TRY(auto files, archives_at(options.inputs));
  leave_out_open(files);
  TRY(auto targets, new_files_in(options.into, files));
  TRY_VOID(disk.make_dirs(options.into));
  revisits::KnownPayloadsOptions how{.strategy = settings.strategy, .memory = static_cast<size_t>(memory)};
  if (!options.key_policy.empty()) {
    TRY(const url::KeyPolicy policy, url::KeyPolicy::parse(options.key_policy));
    how.key = dedup::index_key_by(policy);
  }
  TRY(const auto known, KnownPayloads::create(disk, options.into, std::move(how)));
  for (const std::string& place : options.against) TRY_VOID(known->add_elsewhere(place));
  const size_t steps = 2 * files.size();
  NewArchivesJob job({.what = "dedup",
                      .from = std::move(files),
                      .to = std::move(targets),
                      .steps = steps,
                      .jobs = options.jobs,
                      .json = options.json});
  return run_job(job, settings, *known);
}

}  // namespace

void add_warc_dedup(CLI::App& warc, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = warc.add_subcommand(
      "dedup",
      "Make new files in which payloads that repeat are revisit records; all else stays byte for byte as it is");
  command->add_option("FILE", options->inputs, "WARC files, plain, gzip or zstd; folders are searched for them")
      ->required();
  command->add_option("--into", options->into, "The folder for the new files, which keep their names")->required();
  command
      ->add_option("--against", options->against,
                   "Also what others hold: collections, folders of archives, digest indexes (caddis dedup build), CDXJ "
                   "files. Their files must be kept: revisits refer to them")
      ->allow_extra_args(false);
  command
      ->add_option("--strategy", options->strategy,
                   "What a payload repeats: the same payload of the same URL (url), of a URL with the same key in the "
                   "index (canonical), of any URL (any), of the same URL before others (url-preferred)")
      ->check(CLI::IsMember({"url", "canonical", "url-preferred", "any"}))
      ->capture_default_str();
  command
      ->add_option(
          "--key-policy", options->key_policy,
          "The rules of the keys of URLs, for canonical and url-preferred: 'ia-surt -strip-www-n'. Without it, "
          "ia-surt; in a digest index of --against, its own")
      ->type_name("NOTATION");
  command->add_option("--min-size", options->min_size, "Smaller payloads stay, as in 1KB")->capture_default_str();
  command->add_option("--leave-out", options->leave_out, "Payloads of these types stay, as in text/html or image/*")
      ->allow_extra_args(false);
  command
      ->add_option("--memory", options->memory, "About so much is held; what is more is sorted on disk, in that folder")
      ->capture_default_str();
  add_job_options(*command, options->jobs, options->json);
  run_on(*command, exit_code, [options] { return run(*options); });
}

}  // namespace caddis::cli
