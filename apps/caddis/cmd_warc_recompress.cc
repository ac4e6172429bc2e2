// caddis warc recompress
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/base/json_text.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/indexer.h"
#include "caddis/io/files.h"
#include "caddis/warc/recompress.h"
#include "warc_tools.h"

namespace caddis::cli {
namespace {

struct Options {
  std::vector<std::string> inputs;
  std::string to, output, level = "small", dictionary = "none";
  unsigned jobs = 0;
  bool index = false, salvage = false, json = false;
};

warc::Compression compression_of(const Options& options) {
  return compression_named(options.to, options.level == "fast");
}

std::string size(uint64_t bytes) { return format_size(static_cast<long long>(bytes)); }

std::string report_text(const std::string& from, const std::string& to, const warc::RecompressReport& report) {
  std::string text = fmt::format("{} -> {}: {}, {} -> {} ({:.0f} %), {} unpacked, {} verified", from, to,
                                 counted(report.records, "record"), size(report.read), size(report.written),
                                 100.0 * static_cast<double>(report.written) / static_cast<double>(report.read),
                                 size(report.bytes), counted(report.digests, "digest"));
  if (report.dictionary > 0) text += fmt::format(", dictionary of {}", size(report.dictionary));
  if (report.left_out > 0) text += fmt::format(", {} left out", counted(report.left_out, "damaged record"));
  return text + "\n";
}

std::string report_json(const std::string& from, const std::string& to, const warc::RecompressReport& report) {
  JsonObject line;
  line.add("file", from).add("output", to).add("records", report.records).add("left_out", report.left_out);
  line.add("bytes_read", report.read).add("bytes_written", report.written).add("bytes_unpacked", report.bytes);
  line.add("digests", report.digests).add("dictionary_bytes", report.dictionary);
  return line.finish() + "\n";
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

class Job {
 public:
  Job(const Options& options, std::vector<std::string> files, std::vector<std::string> targets)
      : options_(options),
        files_(std::move(files)),
        targets_(std::move(targets)),
        progress_("recompress", files_.size()) {}
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // False if a file failed, or records were left out.
  bool run() {
    for_each_of(files_.size(), options_.jobs, [this](size_t i) {
      const auto sound = recompress_one(i);
      if (!sound) progress_.tell(fmt::format("caddis: {}: {}\n", files_[i], sound.error().message));
      if (!sound || !*sound) all_sound_ = false;
      progress_.file_done();
    });
    return all_sound_;
  }

 private:
  Result<bool> recompress_one(size_t i) {
    const std::string &from = files_[i], &to = targets_[i];
    if (options_.index && io::real_files().exists(to + ".cdxj"))
      return fail(ErrorCode::conflict, to + ".cdxj is there already, and nothing is overwritten");
    // Few files leave cores for the records of each.
    const unsigned all = cores(options_.jobs);
    uint64_t before = 0;
    warc::RecompressOptions how{
        .compression = compression_of(options_),
        .train_dictionary = options_.dictionary == "train",
        .salvage = options_.salvage,
        .threads = std::max(1U, all / static_cast<unsigned>(std::min<size_t>(all, files_.size()))),
        .progress = [&](uint64_t done, uint64_t) {
          progress_.read(done - std::min(done, before));
          before = std::max(before, done);
        }};
    TRY(const auto report, warc::recompress(io::real_files(), from, to, how));
    for (const warc::Finding& finding : report.findings) {
      if (finding.level == warc::Level::error) progress_.tell(finding_text(from, finding));
    }
    if (options_.index) TRY_VOID(write_index(to));
    const std::lock_guard lock(output_);
    put(options_.json ? report_json(from, to, report) : report_text(from, to, report));
    return report.left_out == 0 && !report.is_damaged;
  }

  const Options& options_;
  std::vector<std::string> files_, targets_;
  FilesProgress progress_;
  std::mutex output_;
  std::atomic<bool> all_sound_ = true;
};

Result<bool> run(const Options& options) {
  TRY(auto files, archives_at(options.inputs));
  leave_out_open(files);
  if (!options.output.empty()) TRY_VOID(io::real_files().make_dirs(options.output));
  TRY(auto targets, new_files(files, [&](const std::string& file) {
        const std::string folder = options.output.empty() ? io::parent_path(file) : options.output;
        return io::join_path(folder, repacked_name(file, warc::packing_of(compression_of(options))));
      }));
  return Job(options, std::move(files), std::move(targets)).run();
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
  command->add_option("--jobs", options->jobs, "How many threads work; 0: one for each core")->capture_default_str();
  command->add_flag("--index", options->index, "Write the index of each new file beside it, as NAME.cdxj");
  command->add_flag("--salvage", options->salvage,
                    "Leave damaged records out; without it a damaged file is refused. The exit code is 1 all the same");
  command->add_flag("--json", options->json, "One JSON object for each file");
  command->callback([options, &exit_code] {
    const auto sound = run(*options);
    if (!sound) complain("", sound.error());
    if (!sound || !*sound) exit_code = sound || sound.error().code != ErrorCode::config ? 1 : 2;
  });
}

}  // namespace caddis::cli
