// The frame of commands that make a new archive file of each of many: work is shared among threads, errors and findings
// are told, and each file has its line of figures.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/revisits/file_rewrite.h"
#include "caddis/warc/finding.h"
#include "warc_tools.h"

namespace CLI {
class App;
}

namespace caddis::cli {

// A figure of a report, by its name in JSON.
template <class Report>
struct Figure {
  std::string_view name;
  uint64_t Report::* value;
};

template <class Report>
void add_figures(Report& sum, const Report& more, std::span<const Figure<Report>> figures) {
  for (const auto& figure : figures) sum.*figure.value += more.*figure.value;
}

struct NewArchives {
  std::string_view what;              // the command, as its progress names it
  std::vector<std::string> from, to;  // `to` is as long as those of `from` that become new files, which are the first
  size_t steps = 0;                   // readings of files that are to come, for the progress
  unsigned jobs = 0;
  bool json = false;
};

class NewArchivesJob {
 public:
  explicit NewArchivesJob(NewArchives work);
  NewArchivesJob(const NewArchivesJob&) = delete;
  NewArchivesJob& operator=(const NewArchivesJob&) = delete;

  const std::string& from(size_t i) const { return work_.from[i]; }
  const std::string& to(size_t i) const { return work_.to[i]; }
  const std::vector<std::string>& sources() const { return work_.from; }
  FilesProgress& progress() { return progress_; }

  // Calls `work` for each new file, in threads. An error is told.
  void each(const std::function<Result<void>(size_t)>& work);
  // Threads that are left for the records of each file.
  unsigned threads() const;
  // How a new file is written; its findings are told.
  revisits::RewriteOptions how(size_t i);
  void tell(size_t i, const warc::Finding& finding);
  void unsound() { all_sound_ = false; }
  bool all_sound() const { return all_sound_; }
  uint64_t failed() const { return failed_; }

  // The line of a file: what `text` says of the report, or all figures as JSON. `sum` becomes the sum of all.
  template <class Report>
  void print(size_t i, const Report& report, std::span<const Figure<Report>> figures,
             std::string (*text)(const Report& report), Report& sum) {
    const std::lock_guard lock(output_);
    add_figures(sum, report, figures);
    if (!work_.json) return print_text(i, text(report));
    std::vector<uint64_t> values;
    std::vector<std::string_view> names;
    for (const auto& figure : figures) {
      names.push_back(figure.name);
      values.push_back(report.*figure.value);
    }
    print_json(i, names, values);
  }
  // The line of all, if they are several.
  void print_sum(const std::string& text) const;

 private:
  void print_text(size_t i, const std::string& text) const;
  void print_json(size_t i, const std::vector<std::string_view>& names, const std::vector<uint64_t>& values) const;

  const NewArchives work_;
  FilesProgress progress_;
  std::mutex output_;
  std::atomic<bool> all_sound_ = true;
  std::atomic<uint64_t> failed_ = 0;
};

// "1.2 MB" of bytes, and "34 %" of a whole.
std::string size_text(uint64_t bytes);
std::string percent_text(uint64_t part, uint64_t whole);

// The new files in a folder, which keep their names. ErrorCode::conflict if one is there: said before hours are spent on
// what cannot be written.
Result<std::vector<std::string>> new_files_in(const std::string& folder, const std::vector<std::string>& files);

// The options --jobs and --json.
void add_job_options(CLI::App& command, unsigned& jobs, bool& json);
// Has the command call `run`, which returns false if something is not sound.
void run_on(CLI::App& command, int& exit_code, std::function<Result<bool>()> run);

}  // namespace caddis::cli
