// caddis warc filter
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/base/time_format.h"
#include "caddis/inspect/copy_matching.h"
#include "caddis/io/files.h"
#include "filter_options.h"
#include "warc_tools.h"

namespace caddis::cli {
namespace {

struct Options {
  std::vector<std::string> inputs;
  std::string output;
  inspect::FilterOptions filter;
  bool with_concurrent = false;
  unsigned jobs = 0;
};

Result<bool> run(const Options& options) {
  TRY(const auto filter, inspect::RecordFilter::create(options.filter));
  TRY(const auto files, archives_at(options.inputs));
  TRY(const auto out,
      warc::ArchiveFile::create(
          io::real_files(), options.output,
          {.compression = compression_of_file(options.output), .threads = cores(options.jobs), .dictionary = {}}));
  FilesProgress progress("filter", files.size());
  bool sound = true;
  inspect::CopyOptions how;
  how.with_concurrent = options.with_concurrent;
  how.progress = [&](uint64_t bytes) { progress.read(bytes); };
  how.report = [&](const std::string& file, const warc::Finding& finding) {
    if (finding.level != warc::Level::error) return;
    sound = false;
    progress.tell(finding_text(file, finding));
  };
  TRY(const auto report, inspect::copy_matching(io::real_files(), files, filter, *out, how));
  if (report.copied == 0) {
    progress.tell("caddis: no record matches, and no file is made\n");
    return false;
  }
  TRY_VOID(out->finish());
  TRY_VOID(out->commit());
  put(fmt::format("{}: {} of {}, {}\n", options.output, report.copied, counted(report.read, "record"),
                  format_size(static_cast<long long>(out->size()))));
  return sound && report.left_out == 0;
}

}  // namespace

void add_warc_filter(CLI::App& warc, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = warc.add_subcommand("filter", "Copy the records that match into a file, byte for byte");
  command->add_option("FILE", options->inputs, kArchiveFiles)->required();
  command
      ->add_option("--output", options->output,
                   "The new file. Its name tells how it is packed: .warc.gz, .warc.zst or .warc")
      ->required();
  add_filter_options(*command, options->filter);
  command->add_flag("--with-concurrent", options->with_concurrent,
                    "Also what belongs to the records that match: requests, metadata, the warcinfo record they name");
  command->add_option("--jobs", options->jobs, "How many threads pack records; 0: one for each core")
      ->capture_default_str();
  command->callback([options, &exit_code] {
    const auto done = run(*options);
    if (!done) complain("", done.error());
    if (!done || !*done) exit_code = done || done.error().code != ErrorCode::config ? 1 : 2;
  });
}

}  // namespace caddis::cli
