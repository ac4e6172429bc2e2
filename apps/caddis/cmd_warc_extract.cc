// caddis warc extract
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/base/time_format.h"
#include "caddis/inspect/extract_payloads.h"
#include "caddis/io/files.h"
#include "filter_options.h"
#include "warc_tools.h"

namespace caddis::cli {
namespace {

struct Options {
  std::vector<std::string> inputs;
  std::string output;
  inspect::FilterOptions filter;
  bool decode = false;
};

Result<bool> run(const Options& options) {
  TRY(const auto filter, inspect::RecordFilter::create(options.filter));
  TRY(const auto files, archives_at(options.inputs));
  TRY_VOID(io::real_files().make_dirs(options.output));
  FilesProgress progress("extract", files.size());
  bool sound = true;
  inspect::ExtractReport all;
  for (const std::string& file : files) {
    inspect::ExtractOptions how;
    how.folder = options.output;
    how.decode = options.decode;
    how.progress = [&](uint64_t bytes) { progress.read(bytes); };
    how.written = [](const std::string& name, const warc::Header& header) {
      put(fmt::format("{}\t{}\t{}\n", name, header.get("WARC-Date"), header.target_uri()));
    };
    how.report = [&](const warc::Finding& finding) {
      if (finding.level != warc::Level::error) return;
      sound = false;
      progress.tell(finding_text(file, finding));
    };
    const auto report = inspect::extract_payloads(io::real_files(), file, filter, how);
    progress.file_done();
    if (!report) {
      sound = false;
      progress.tell(fmt::format("caddis: {}: {}\n", file, report.error().message));
      continue;
    }
    all.files += report->files;
    all.bytes += report->bytes;
    all.left_out += report->left_out;
  }
  progress.tell(
      fmt::format("{}, {}{}\n", counted(all.files, "file"), format_size(static_cast<long long>(all.bytes)),
                  all.left_out == 0 ? "" : fmt::format(", {} left out", counted(all.left_out, "damaged record"))));
  return sound && all.left_out == 0;
}

}  // namespace

void add_warc_extract(CLI::App& warc, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      warc.add_subcommand("extract", "Write payloads as files, named by their URLs; prints name, date and URL of each");
  command->add_option("FILE", options->inputs, kArchiveFiles)->required();
  command->add_option("--output", options->output, "The folder for the files")->required();
  command->add_flag("--decode", options->decode, "Without content coding (gzip, br, ...) as well");
  add_filter_options(*command, options->filter);
  command->callback([options, &exit_code] {
    const auto done = run(*options);
    if (!done) complain("", done.error());
    if (!done || !*done) exit_code = done || done.error().code != ErrorCode::config ? 1 : 2;
  });
}

}  // namespace caddis::cli
