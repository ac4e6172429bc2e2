// caddis warc recompress
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/cdx/indexer.h"
#include "caddis/io/files.h"
#include "caddis/warc/recompress.h"
#include "new_archives.h"
#include "warc_tools.h"

namespace caddis::cli {
namespace {

using warc::RecompressReport;

struct Options {
  std::vector<std::string> inputs;
  std::string to, output, level = "small", dictionary = "none";
  unsigned jobs = 0;
  bool index = false, salvage = false, json = false;
};

warc::Compression compression_of(const Options& options) {
  return compression_named(options.to, options.level == "fast");
}

constexpr Figure<RecompressReport> kFigures[] = {{"records", &RecompressReport::records},
                                                 {"left_out", &RecompressReport::left_out},
                                                 {"bytes_read", &RecompressReport::read},
                                                 {"bytes_written", &RecompressReport::written},
                                                 {"bytes_unpacked", &RecompressReport::bytes},
                                                 {"digests", &RecompressReport::digests},
                                                 {"dictionary_bytes", &RecompressReport::dictionary}};

std::string report_text(const RecompressReport& report) {
  std::string text =
      fmt::format("{}, {} -> {} ({}), {} unpacked, {} verified", counted(report.records, "record"),
                  size_text(report.read), size_text(report.written), percent_text(report.written, report.read),
                  size_text(report.bytes), counted(report.digests, "digest"));
  if (report.dictionary > 0) text += fmt::format(", dictionary of {}", size_text(report.dictionary));
  if (report.left_out > 0) text += fmt::format(", {} left out", counted(report.left_out, "damaged record"));
  return text;
}

// The index of a new file, beside it.
Result<void> write_index(const std::string& archive) {
  io::Files& files = io::real_files();
  std::vector<std::string> lines;
  TRY_VOID(cdx::index_archive(files, archive, io::base_name(archive), [&](std::string_view line) -> Result<void> {
    lines.emplace_back(line);
    return {};
  }));
  std::ranges::sort(lines);
  std::string all;
  for (const std::string& line : lines) all += line + '\n';
  return files.write_atomically(archive + ".cdxj", all);
}

Result<void> recompress_one(const Options& options, NewArchivesJob& job, size_t i, RecompressReport& sum) {
  const std::string& to = job.to(i);
  if (options.index && io::real_files().exists(to + ".cdxj"))
    return fail(ErrorCode::conflict, to + ".cdxj is there already, and nothing is overwritten");
  uint64_t before = 0;
  const warc::RecompressOptions how{.compression = compression_of(options),
                                    .train_dictionary = options.dictionary == "train",
                                    .salvage = options.salvage,
                                    .threads = job.threads(),
                                    .progress = [&](uint64_t done, uint64_t) {
                                      job.progress().read(done - std::min(done, before));
                                      before = std::max(before, done);
                                    }};
  TRY(const auto report, warc::recompress(io::real_files(), job.from(i), to, how));
  for (const warc::Finding& finding : report.findings) {
    if (finding.level == warc::Level::error) job.tell(i, finding);
  }
  if (options.index) TRY_VOID(write_index(to));
  if (report.left_out > 0 || report.is_damaged) job.unsound();
  job.print<RecompressReport>(i, report, kFigures, report_text, sum);
  return {};
}

// False if a file failed, or records were left out.
Result<bool> run(const Options& options) {
  TRY(auto files, archives_at(options.inputs));
  leave_out_open(files);
  if (!options.output.empty()) TRY_VOID(io::real_files().make_dirs(options.output));
  TRY(auto targets, new_files(files, [&](const std::string& file) {
        const std::string folder = options.output.empty() ? io::parent_path(file) : options.output;
        return io::join_path(folder, repacked_name(file, warc::packing_of(compression_of(options))));
      }));
  const size_t steps = files.size();
  NewArchivesJob job({.what = "recompress",
                      .from = std::move(files),
                      .to = std::move(targets),
                      .steps = steps,
                      .jobs = options.jobs,
                      .json = options.json});
  RecompressReport sum;
  job.each([&](size_t i) { return recompress_one(options, job, i, sum); });
  job.print_sum(report_text(sum));
  return job.all_sound();
}

}  // namespace

void add_warc_recompress(CLI::App& warc, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = warc.add_subcommand(
      "recompress", "Pack files anew as gzip, zstd or plain; every record stays byte for byte as it is");
  command->add_option("FILE", options->inputs, kArchiveFiles)->required();
  command->add_option("--to", options->to, "What they become")
      ->required()
      ->check(CLI::IsMember({"gz", "zstd", "none"}));
  command->add_option("--output", options->output,
                      "The folder for the new files; by default each lies beside its old one");
  command->add_option("--level", options->level, "small: as small as it gets; fast: in the shortest time")
      ->check(CLI::IsMember({"fast", "small"}))
      ->capture_default_str();
  command
      ->add_option("--dictionary", options->dictionary,
                   "For zstd. train: a dictionary is learned from the records of each file, and stored in it")
      ->check(CLI::IsMember({"train", "none"}))
      ->capture_default_str();
  add_job_options(*command, options->jobs, options->json);
  command->add_flag("--index", options->index, "Write the index of each new file beside it, as NAME.cdxj");
  command->add_flag("--salvage", options->salvage,
                    "Leave damaged records out; without it a damaged file is refused. The exit code is 1 all the same");
  run_on(*command, exit_code, [options] { return run(*options); });
}

}  // namespace caddis::cli
