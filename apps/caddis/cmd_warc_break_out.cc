// caddis warc break-out
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/base/json_text.h"
#include "caddis/base/time_format.h"
#include "caddis/io/files.h"
#include "caddis/revisits/break_out.h"
#include "warc_tools.h"

namespace caddis::cli {
namespace {

using revisits::BreakOutOptions;
using revisits::BreakOutReport;
using revisits::OriginalPlaces;

struct Options {
  std::vector<std::string> inputs, from;
  std::string into;
  unsigned jobs = 0;
  bool json = false;
};

std::string size(uint64_t bytes) { return format_size(static_cast<long long>(bytes)); }

std::string report_text(const BreakOutReport& report) {
  std::string text = fmt::format("{}, {} became responses ({} put back), {} -> {}",
                                 counted(report.file.records, "record"), counted(report.responses, "revisit"),
                                 size(report.put_back), size(report.file.read), size(report.file.written));
  if (report.unresolved > 0) text += fmt::format(", {} stay", counted(report.unresolved, "revisit"));
  return text;
}

std::string report_json(const std::string& from, const std::string& to, const BreakOutReport& report) {
  JsonObject line;
  line.add("file", from).add("output", to).add("records", report.file.records).add("responses", report.responses);
  line.add("payload_bytes_put_back", report.put_back).add("unresolved", report.unresolved);
  line.add("bytes_read", report.file.read).add("bytes_written", report.file.written);
  return line.finish() + "\n";
}

void add(BreakOutReport& sum, const BreakOutReport& more) {
  sum.file.records += more.file.records;
  sum.file.read += more.file.read;
  sum.file.written += more.file.written;
  sum.responses += more.responses;
  sum.put_back += more.put_back;
  sum.unresolved += more.unresolved;
}

// Passes over the files for their revisits, over all sources for the originals, and over the files to write the new ones.
class Job {
 public:
  // The first of `sources` are the files.
  Job(const Options& options, std::vector<std::string> sources, std::vector<std::string> targets)
      : options_(options),
        sources_(std::move(sources)),
        targets_(std::move(targets)),
        progress_("break-out", 2 * targets_.size() + sources_.size()) {}
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // False if a file failed, a revisit stays, or a digest did not hold.
  Result<bool> run() {
    const auto progress = [this](uint64_t bytes) { progress_.read(bytes); };
    for (size_t i = 0; i < targets_.size(); ++i) {
      TRY_VOID(revisits::want_originals(io::real_files(), sources_[i], places_, progress));
      progress_.file_done();
    }
    for (size_t i = 0; i < sources_.size(); ++i) {
      TRY_VOID(revisits::offer_originals(io::real_files(), sources_[i], static_cast<uint32_t>(i), places_, progress));
      progress_.file_done();
    }
    for_each_of(targets_.size(), options_.jobs, [this](size_t i) {
      if (const auto done = rewrite(i); !done) {
        progress_.tell(fmt::format("caddis: {}: {}\n", sources_[i], done.error().message));
        all_sound_ = false;
      }
      progress_.file_done();
    });
    if (!options_.json && targets_.size() > 1)
      put(fmt::format("{}: {}\n", counted(targets_.size(), "file"), report_text(sum_)));
    return all_sound_.load();
  }

 private:
  Result<void> rewrite(size_t i) {
    const unsigned all = cores(options_.jobs);
    const BreakOutOptions how{
        .how = {.compression = compression_of_file(targets_[i]),
                .threads = std::max(1U, all / static_cast<unsigned>(std::min<size_t>(all, targets_.size()))),
                .report =
                    [&](const warc::Finding& finding) {
                      all_sound_ = false;
                      progress_.tell(finding_text(sources_[i], finding));
                    },
                .progress = [this](uint64_t bytes) { progress_.read(bytes); }}};
    TRY(const BreakOutReport report,
        revisits::break_out_file(io::real_files(), sources_[i], targets_[i], how, places_, sources_));
    const std::lock_guard lock(output_);
    add(sum_, report);
    put(options_.json ? report_json(sources_[i], targets_[i], report)
                      : fmt::format("{} -> {}: {}\n", sources_[i], targets_[i], report_text(report)));
    return {};
  }

  const Options& options_;
  std::vector<std::string> sources_, targets_;
  OriginalPlaces places_;
  FilesProgress progress_;
  std::mutex output_;
  BreakOutReport sum_;
  std::atomic<bool> all_sound_ = true;
};

Result<bool> run(const Options& options) {
  TRY(auto sources, archives_at(options.inputs));
  leave_out_open(sources);
  TRY(auto targets,
      new_files(sources, [&](const std::string& file) { return io::join_path(options.into, io::base_name(file)); }));
  for (const std::string& target : targets) {
    if (io::real_files().exists(target))
      return fail(ErrorCode::conflict, target + " is there already, and nothing is overwritten");
  }
  TRY(const auto from, archives_at(options.from));
  std::set<std::string> named(sources.begin(), sources.end());
  for (const std::string& file : from)
    if (named.insert(file).second) sources.push_back(file);
  TRY_VOID(io::real_files().make_dirs(options.into));
  return Job(options, std::move(sources), std::move(targets)).run();
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
  command->add_option("--jobs", options->jobs, "How many threads work; 0: one for each core")->capture_default_str();
  command->add_flag("--json", options->json, "One JSON object for each file");
  command->callback([options, &exit_code] {
    const auto sound = run(*options);
    if (!sound) complain("", sound.error());
    if (!sound || !*sound) exit_code = sound || sound.error().code != ErrorCode::config ? 1 : 2;
  });
}

}  // namespace caddis::cli
