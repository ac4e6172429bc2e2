// caddis warc convert
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/counted.h"
#include "caddis/base/random.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/indexer.h"
#include "caddis/convert/convert.h"
#include "caddis/io/files.h"
#include "warc_tools.h"

namespace caddis::cli {
namespace {

struct Options {
  std::vector<std::string> inputs;
  std::string output, to = "gz", url_prefix;
  unsigned jobs = 0;
};

using Conversion = Result<convert::ConvertReport> (*)(io::Files&, const std::string&, const std::string&,
                                                      const convert::ConvertOptions&);
struct Task {
  std::string from, to;
  Conversion convert = nullptr;
};

// "a/x.arc.gz", "a/x.har", "a/x.zip" and "a/x/" become "x.warc.gz".
std::string new_name(std::string_view path, warc::Packing packing) {
  std::string name = repacked_name(path, warc::Packing::plain);
  for (const std::string_view ending : {".arc", ".har", ".zip"}) {
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  return repacked_name(name + ".warc", packing);
}

Result<std::vector<Task>> tasks_of(const Options& options) {
  std::vector<Task> tasks;
  for (const std::string& input : options.inputs) {
    if (input.ends_with(".har")) {
      tasks.push_back({input, "", convert::convert_har});
    } else if (input.ends_with(".zip")) {
      tasks.push_back({input, "",
                       [](io::Files& files, const std::string& from, const std::string& to,
                          const convert::ConvertOptions& how) { return convert::convert_zip(files, from, to, how); }});
    } else if (io::real_files().is_directory(input) && !options.url_prefix.empty()) {
      tasks.push_back({input, "", convert::convert_folder});
    } else {
      TRY(const auto found, archives_at({input}));
      for (const std::string& file : found) {
        if (found.size() == 1 || repacked_name(file, warc::Packing::plain).ends_with(".arc"))
          tasks.push_back({file, "", convert::convert_arc});
      }
    }
  }
  const auto is_zip = [](const std::string& input) { return input.ends_with(".zip"); };
  if (options.url_prefix.empty() && std::ranges::any_of(options.inputs, is_zip))
    return fail(ErrorCode::config, "a zip archive needs a URL for its files to begin with: --url-prefix https://…/");
  if (!options.url_prefix.empty() && !options.url_prefix.ends_with('/'))
    return fail(ErrorCode::config, "--url-prefix has to end with '/': the paths of the files are put behind it");
  std::set<std::string> taken;
  for (Task& task : tasks) {
    const std::string folder = options.output.empty() ? io::parent_path(task.from) : options.output;
    task.to = io::join_path(folder, new_name(task.from, warc::packing_of(compression_named(options.to))));
    if (!taken.insert(task.to).second)
      return fail(ErrorCode::config, fmt::format("two inputs would become {}: name folders of their own", task.to));
  }
  return tasks;
}

bool convert_one(const Options& options, const Task& task, unsigned tasks, FilesProgress& progress) {
  convert::ConvertOptions how{.compression = compression_named(options.to),
                              .threads = std::max(1U, cores(options.jobs) / tasks),
                              .now = system_clock().wall(),
                              .seed = system_seed(),
                              .url_prefix = options.url_prefix,
                              .progress = [&](uint64_t bytes) { progress.read(bytes); }};
  const auto report = task.convert(io::real_files(), task.from, task.to, how);
  progress.file_done();
  if (!report) {
    progress.tell(fmt::format("caddis: {}: {}\n", task.from, report.error().message));
    return false;
  }
  for (const std::string& note : report->notes) progress.tell(fmt::format("caddis: {}: {}\n", task.from, note));
  put(fmt::format("{} -> {}: {}, {}{}\n", task.from, task.to, counted(report->records, "record"),
                  format_size(static_cast<long long>(report->written)),
                  report->left_out == 0 ? "" : fmt::format(", {} left out", report->left_out)));
  return report->left_out == 0 && !report->is_damaged;
}

Result<bool> run(const Options& options) {
  TRY(const auto tasks, tasks_of(options));
  if (!options.output.empty()) TRY_VOID(io::real_files().make_dirs(options.output));
  FilesProgress progress("convert", tasks.size());
  std::atomic<bool> all_done = true;
  for_each_of(tasks.size(), options.jobs, [&](size_t i) {
    if (!convert_one(options, tasks[i], static_cast<unsigned>(tasks.size()), progress)) all_done = false;
  });
  return all_done.load();
}

}  // namespace

void add_warc_convert(CLI::App& warc, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      warc.add_subcommand("convert", "Make WARC 1.1 of ARC files, HAR files, and folders and zip archives of files");
  command
      ->add_option("INPUT", options->inputs,
                   "ARC files; HAR files (*.har), as browsers save them; with --url-prefix, folders and zip archives "
                   "(*.zip) of files")
      ->required();
  command->add_option("--output", options->output,
                      "The folder for the new files; by default each lies beside its input");
  command->add_option("--to", options->to, "How the new files are packed")
      ->check(CLI::IsMember({"gz", "zstd", "none"}))
      ->capture_default_str();
  command->add_option(
      "--url-prefix", options->url_prefix,
      "For folders and zip archives: what the paths of the files are put behind, as https://example.org/");
  command->add_option("--jobs", options->jobs, "How many threads work; 0: one for each core")->capture_default_str();
  command->callback([options, &exit_code] {
    const auto all = run(*options);
    if (!all) complain("", all.error());
    if (!all || !*all) exit_code = all || all.error().code != ErrorCode::config ? 1 : 2;
  });
}

}  // namespace caddis::cli
