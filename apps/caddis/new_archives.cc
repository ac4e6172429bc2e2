#include "new_archives.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/counted.h"
#include "caddis/base/json_text.h"
#include "caddis/base/time_format.h"
#include "caddis/io/files.h"

namespace caddis::cli {

NewArchivesJob::NewArchivesJob(NewArchives work) : work_(std::move(work)), progress_(work_.what, work_.steps) {}

void NewArchivesJob::each(const std::function<Result<void>(size_t)>& work) {
  for_each_of(work_.to.size(), work_.jobs, [&](size_t i) {
    if (const auto done = work(i); !done) {
      progress_.tell(fmt::format("caddis: {}: {}\n", work_.from[i], done.error().message));
      all_sound_ = false;
      ++failed_;
    }
    progress_.file_done();
  });
}

unsigned NewArchivesJob::threads() const {
  const unsigned all = cores(work_.jobs);
  return std::max(1U, all / static_cast<unsigned>(std::clamp<size_t>(work_.to.size(), 1, all)));
}

void NewArchivesJob::tell(size_t i, const warc::Finding& finding) {
  progress_.tell(finding_text(work_.from[i], finding));
}

revisits::RewriteOptions NewArchivesJob::how(size_t i) {
  return {.compression = compression_of_file(work_.to[i]),
          .threads = threads(),
          .report =
              [this, i](const warc::Finding& finding) {
                unsound();
                tell(i, finding);
              },
          .progress = [this](uint64_t bytes) { progress_.read(bytes); }};
}

void NewArchivesJob::print_text(size_t i, const std::string& text) const {
  put(fmt::format("{} -> {}: {}\n", work_.from[i], work_.to[i], text));
}

void NewArchivesJob::print_json(size_t i, const std::vector<std::string_view>& names,
                                const std::vector<uint64_t>& values) const {
  JsonObject line;
  line.add("file", work_.from[i]).add("output", work_.to[i]);
  for (size_t at = 0; at < names.size(); ++at) line.add(names[at], values[at]);
  put(line.finish() + "\n");
}

void NewArchivesJob::print_sum(const std::string& text) const {
  if (!work_.json && work_.to.size() > 1) put(fmt::format("{}: {}\n", counted(work_.to.size(), "file"), text));
}

std::string size_text(uint64_t bytes) { return format_size(static_cast<long long>(bytes)); }

std::string percent_text(uint64_t part, uint64_t whole) {
  return fmt::format("{:.0f} %", whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

Result<std::vector<std::string>> new_files_in(const std::string& folder, const std::vector<std::string>& files) {
  TRY(auto made, new_files(files, [&](const std::string& file) { return io::join_path(folder, io::base_name(file)); }));
  for (const std::string& file : made) {
    if (io::real_files().exists(file))
      return fail(ErrorCode::conflict, file + " is there already, and nothing is overwritten");
  }
  return made;
}

void add_job_options(CLI::App& command, unsigned& jobs, bool& json) {
  command.add_option("--jobs", jobs, "How many threads work; 0: one for each core")->capture_default_str();
  command.add_flag("--json", json, "One JSON object for each file");
}

void run_on(CLI::App& command, int& exit_code, std::function<Result<bool>()> run) {
  command.callback([run = std::move(run), &exit_code] {
    const auto sound = run();
    if (!sound) complain("", sound.error());
    if (!sound || !*sound) exit_code = sound || sound.error().code != ErrorCode::config ? 1 : 2;
  });
}

}  // namespace caddis::cli
