// caddis warc dedup
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/base/json_text.h"
#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"
#include "caddis/dedup/names.h"
#include "caddis/io/files.h"
#include "caddis/revisits/dedup_files.h"
#include "warc_tools.h"

namespace caddis::cli {
namespace {

using revisits::DedupOptions;
using revisits::DedupReport;
using revisits::KnownPayloads;

struct Options {
  std::vector<std::string> inputs, against, leave_out;
  std::string into, strategy = "url-preferred", min_size = "1", memory = "512MB";
  unsigned jobs = 0;
  bool json = false;
};

std::string size(uint64_t bytes) { return format_size(static_cast<long long>(bytes)); }

std::string percent(uint64_t part, uint64_t whole) {
  return fmt::format("{:.0f} %", whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string report_text(const DedupReport& report) {
  return fmt::format("{}, {} of {} became revisits ({} of payloads), {} -> {} ({})",
                     counted(report.file.records, "record"), report.revisits, counted(report.payloads, "payload"),
                     size(report.saved), size(report.file.read), size(report.file.written),
                     percent(report.file.written, report.file.read));
}

std::string report_json(const std::string& from, const std::string& to, const DedupReport& report) {
  JsonObject line;
  line.add("file", from).add("output", to).add("records", report.file.records).add("payloads", report.payloads);
  line.add("revisits", report.revisits).add("payload_bytes_saved", report.saved).add("uncertain", report.uncertain);
  line.add("bytes_read", report.file.read).add("bytes_written", report.file.written);
  return line.finish() + "\n";
}

void add(DedupReport& sum, const DedupReport& more) {
  sum.file.records += more.file.records;
  sum.file.read += more.file.read;
  sum.file.written += more.file.written;
  sum.payloads += more.payloads;
  sum.revisits += more.revisits;
  sum.saved += more.saved;
  sum.uncertain += more.uncertain;
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

// One pass over all files, and another that writes the new ones.
class Job {
 public:
  Job(const Options& options, const dedup::DedupSettings& settings, std::vector<std::string> files,
      std::vector<std::string> targets, KnownPayloads& known)
      : options_(options),
        settings_(settings),
        files_(std::move(files)),
        targets_(std::move(targets)),
        known_(known),
        progress_("dedup", 2 * files_.size()) {}
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // False if a file failed, or a digest did not hold.
  Result<bool> run() {
    each_file([this](size_t i) -> Result<void> {
      return revisits::learn_payloads(io::real_files(), files_[i], how_of(i), known_);
    });
    if (!all_sound_) return fail(ErrorCode::corrupt, "no file is made: mend or leave out those that are named");
    TRY_VOID(known_.finish());
    each_file([this](size_t i) { return rewrite(i); });
    if (!options_.json && files_.size() > 1)
      put(fmt::format("{}: {}\n", counted(files_.size(), "file"), report_text(sum_)));
    if (failed_ > 0)
      progress_.tell(fmt::format("caddis: of {}; revisits may refer to records of theirs: keep the old files\n",
                                 counted(failed_, "file there is no new one", "files there are no new ones")));
    return all_sound_.load();
  }

 private:
  void each_file(const std::function<Result<void>(size_t)>& work) {
    for_each_of(files_.size(), options_.jobs, [&](size_t i) {
      if (const auto done = work(i); !done) {
        progress_.tell(fmt::format("caddis: {}: {}\n", files_[i], done.error().message));
        all_sound_ = false;
        ++failed_;
      }
      progress_.file_done();
    });
  }

  DedupOptions how_of(size_t i) {
    const unsigned all = cores(options_.jobs);
    return {.which = settings_,
            .how = {.compression = compression_of_file(targets_[i]),
                    .threads = std::max(1U, all / static_cast<unsigned>(std::min<size_t>(all, files_.size()))),
                    .report =
                        [this, i](const warc::Finding& finding) {
                          all_sound_ = false;
                          progress_.tell(finding_text(files_[i], finding));
                        },
                    .progress = [this](uint64_t bytes) { progress_.read(bytes); }}};
  }

  Result<void> rewrite(size_t i) {
    TRY(const DedupReport report, revisits::dedup_file(io::real_files(), files_[i], targets_[i], how_of(i), known_));
    const std::lock_guard lock(output_);
    add(sum_, report);
    put(options_.json ? report_json(files_[i], targets_[i], report)
                      : fmt::format("{} -> {}: {}\n", files_[i], targets_[i], report_text(report)));
    return {};
  }

  const Options& options_;
  const dedup::DedupSettings& settings_;
  std::vector<std::string> files_, targets_;
  KnownPayloads& known_;
  FilesProgress progress_;
  std::mutex output_;
  DedupReport sum_;
  std::atomic<bool> all_sound_ = true;
  std::atomic<uint64_t> failed_ = 0;
};

Result<bool> run(const Options& options) {
  io::Files& disk = io::real_files();
  TRY(const auto settings, settings_of(options));
  TRY(const auto memory, parse_size(options.memory));
  constexpr long long kLeast = 1 << 20;
  if (memory < kLeast) return fail(ErrorCode::config, "--memory: at least 1MiB is needed");
  TRY(auto files, archives_at(options.inputs));
  leave_out_open(files);
  TRY(auto targets,
      new_files(files, [&](const std::string& file) { return io::join_path(options.into, io::base_name(file)); }));
  // Told before hours are spent on what cannot be written.
  for (const std::string& target : targets) {
    if (disk.exists(target)) return fail(ErrorCode::conflict, target + " is there already, and nothing is overwritten");
  }
  TRY_VOID(disk.make_dirs(options.into));
  TRY(const auto known, KnownPayloads::create(disk, options.into, settings.strategy, static_cast<size_t>(memory)));
  for (const std::string& place : options.against) TRY_VOID(known->add_elsewhere(place));
  return Job(options, settings, std::move(files), std::move(targets), *known).run();
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
  command->add_option("--min-size", options->min_size, "Smaller payloads stay, as in 1KB")->capture_default_str();
  command->add_option("--leave-out", options->leave_out, "Payloads of these types stay, as in text/html or image/*")
      ->allow_extra_args(false);
  command
      ->add_option("--memory", options->memory, "About so much is held; what is more is sorted on disk, in that folder")
      ->capture_default_str();
  command->add_option("--jobs", options->jobs, "How many threads work; 0: one for each core")->capture_default_str();
  command->add_flag("--json", options->json, "One JSON object for each file");
  command->callback([options, &exit_code] {
    const auto sound = run(*options);
    if (!sound) complain("", sound.error());
    if (!sound || !*sound) exit_code = sound || sound.error().code != ErrorCode::config ? 1 : 2;
  });
}

}  // namespace caddis::cli
