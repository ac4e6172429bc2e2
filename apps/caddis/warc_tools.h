// Shared by the commands of `caddis warc`: their inputs, their findings as text, and work on many files at once. Each
// command is a file cmd_warc_<name>.cc.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/warc/finding.h"
#include "caddis/warc/packer.h"

namespace CLI {
class App;
}

namespace caddis::cli {

void add_warc_check(CLI::App& warc, int& exit_code);
void add_warc_recompress(CLI::App& warc, int& exit_code);
void add_warc_break_out(CLI::App& warc, int& exit_code);
void add_warc_convert(CLI::App& warc, int& exit_code);
void add_warc_dedup(CLI::App& warc, int& exit_code);
void add_warc_extract(CLI::App& warc, int& exit_code);
void add_warc_filter(CLI::App& warc, int& exit_code);
void add_warc_stats(CLI::App& warc, int& exit_code);

inline constexpr const char* kArchiveFiles = "WARC or ARC files, plain, gzip or zstd; folders are searched for them";

// Writes a result. Ends the process if its reader has gone.
void put(std::string_view text);
void complain(std::string_view file, const Error& error);
std::string finding_text(std::string_view file, const warc::Finding& finding);
std::string finding_json(std::string_view file, const warc::Finding& finding);

// The archive files below those folders, each once.
Result<std::vector<std::string>> archives_below(const std::vector<std::string>& folders);
// The files that are named, and those in the folders that are named. A collection's may lie in further folders, too.
Result<std::vector<std::string>> archives_at(const std::vector<std::string>& inputs);

// Calls work(i) for each i below `count`, in `jobs` threads; 0 for as many as there are cores.
unsigned cores(unsigned jobs);
void for_each_of(size_t count, unsigned jobs, const std::function<void(size_t)>& work);

// Leaves out, and names, files that a crawl writes.
void leave_out_open(std::vector<std::string>& files);
// The new file for each. ErrorCode::config if two would become one.
Result<std::vector<std::string>> new_files(const std::vector<std::string>& files,
                                           const std::function<std::string(const std::string& file)>& new_name);

// The packing that the name of a file stands for, as in other tools.
warc::Compression compression_of_file(std::string_view name);
// The packing of a choice: gz, zstd or none.
warc::Compression compression_named(std::string_view choice, bool fast = false);

// "a/x.warc.gz" becomes "x.warc.zst" for zstd.
std::string repacked_name(std::string_view path, warc::Packing packing);

// A line on the terminal that tells how far work on files has come; silent elsewhere. Any thread may call it.
class FilesProgress {
 public:
  FilesProgress(std::string_view what, size_t files);
  FilesProgress(const FilesProgress&) = delete;
  FilesProgress& operator=(const FilesProgress&) = delete;
  // Takes the line away.
  ~FilesProgress();
  // So much of one of the files has been read since the last call.
  void read(uint64_t bytes);
  void file_done();
  // Text in between, on standard error.
  void tell(std::string_view text);

 private:
  void show();

  std::string what_;
  size_t files_;
  bool terminal_;
  std::mutex mutex_;
  std::atomic<uint64_t> bytes_ = 0;
  std::atomic<size_t> done_ = 0;
  std::atomic<int64_t> shown_at_ = 0;  // milliseconds since the begin
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace caddis::cli
