#include "warc_tools.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <system_error>
#include <thread>

#include "caddis/base/counted.h"
#include "caddis/base/json_text.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/indexer.h"
#include "caddis/collection/archive_folders.h"
#include "caddis/collection/layout.h"
#include "caddis/io/files.h"
#include "tell.h"

namespace caddis::cli {

void put(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) std::_Exit(1);  // the reader has gone
}

void complain(std::string_view file, const Error& error) {
  tell(fmt::format("caddis: {}{}{}\n", file, file.empty() ? "" : ": ", error.message));
}

std::string finding_text(std::string_view file, const warc::Finding& finding) {
  std::string text = fmt::format("{}:{}: {}: {} [{}]\n", file, finding.offset, to_string(finding.level),
                                 finding.message, finding.code);
  if (!finding.repair.empty()) text += fmt::format("    to repair: {}\n", finding.repair);
  return text;
}

std::string finding_json(std::string_view file, const warc::Finding& finding) {
  JsonObject line;
  line.add("file", file).add("offset", finding.offset).add("level", to_string(finding.level)).add("code", finding.code);
  line.add("message", finding.message).add("repair", finding.repair);
  return line.finish() + "\n";
}

Result<std::vector<std::string>> archives_below(const std::vector<std::string>& folders) {
  std::vector<std::string> all;
  std::set<std::string> taken;
  for (const std::string& folder : folders) {
    TRY(const auto found, cdx::find_archives(io::real_files(), folder));
    for (const std::string& file : found) {
      std::error_code error;
      const auto real = std::filesystem::weakly_canonical(file, error);
      if (taken.insert(error ? file : real.string()).second) all.push_back(file);
    }
  }
  return all;
}

Result<std::vector<std::string>> archives_at(const std::vector<std::string>& inputs) {
  std::vector<std::string> all;
  for (const std::string& input : inputs) {
    if (!io::real_files().is_directory(input)) {
      all.push_back(input);  // whoever opens it tells if it is not there
      continue;
    }
    const collection::Layout layout(input);
    std::vector<std::string> folders = {input};
    if (io::real_files().is_directory(layout.archive())) {
      for (const std::string& folder : collection::archive_folders(io::real_files(), layout)) {
        if (io::real_files().exists(folder))
          folders.push_back(folder);
        else
          complain(folder, {ErrorCode::not_found, "this folder of the collection is not there: it is left out"});
      }
    }
    TRY(std::vector<std::string> found, archives_below(folders));
    if (found.empty()) return fail(ErrorCode::not_found, input + ": no WARC or ARC files in this folder");
    std::ranges::move(found, std::back_inserter(all));
  }
  return all;
}

unsigned cores(unsigned jobs) { return jobs > 0 ? jobs : std::max(1U, std::thread::hardware_concurrency()); }

void for_each_of(size_t count, unsigned jobs, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  const auto run = [&] {
    for (size_t i; (i = next++) < count;) work(i);
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < std::min<size_t>(cores(jobs), count); ++i) threads.emplace_back(run);
  run();
}

void leave_out_open(std::vector<std::string>& files) {
  std::erase_if(files, [](const std::string& file) {
    const bool open = file.ends_with(collection::kOpenSuffix);
    if (open) complain(file, {ErrorCode::conflict, "a crawl writes it, or has died: it is left out"});
    return open;
  });
}

Result<std::vector<std::string>> new_files(const std::vector<std::string>& files,
                                           const std::function<std::string(const std::string&)>& new_name) {
  std::vector<std::string> made;
  std::set<std::string> taken;
  for (const std::string& file : files) {
    made.push_back(new_name(file));
    if (!taken.insert(made.back()).second)
      return fail(ErrorCode::config, fmt::format("two files would become {}: name folders of their own", made.back()));
  }
  return made;
}

warc::Compression compression_of_file(std::string_view name) {
  if (name.ends_with(".gz")) return warc::Compression::small;
  return name.ends_with(".zst") ? warc::Compression::zstd_small : warc::Compression::none;
}

warc::Compression compression_named(std::string_view choice, bool fast) {
  if (choice == "gz") return fast ? warc::Compression::fast : warc::Compression::small;
  if (choice == "zstd") return fast ? warc::Compression::zstd_fast : warc::Compression::zstd_small;
  return warc::Compression::none;
}

std::string repacked_name(std::string_view path, warc::Packing packing) {
  std::string name(io::base_name(path));
  for (const std::string_view ending : {".gz", ".zst"}) {
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  if (packing == warc::Packing::plain) return name;
  return name + (packing == warc::Packing::gzip ? ".gz" : ".zst");
}

FilesProgress::FilesProgress(std::string_view what, size_t files)
    : what_(what), files_(files), terminal_(::isatty(STDERR_FILENO) == 1) {}

FilesProgress::~FilesProgress() {
  if (terminal_ && shown_at_ > 0) cli::tell("\r\x1b[K");
}

void FilesProgress::read(uint64_t bytes) {
  bytes_ += bytes;
  if (terminal_) show();
}

void FilesProgress::file_done() {
  ++done_;
  if (terminal_) show();
}

void FilesProgress::show() {
  constexpr int64_t kEvery = 200;
  const auto elapsed = std::chrono::steady_clock::now() - begin_;
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(elapsed).count();
  int64_t before = shown_at_;
  if (now - before < kEvery || !shown_at_.compare_exchange_strong(before, now)) return;
  const auto bytes = static_cast<long long>(bytes_.load());
  const std::lock_guard lock(mutex_);
  cli::tell(fmt::format("\r\x1b[K{}: {} of {}, {} ({}/s)", what_, done_.load(), counted(files_, "file"),
                        format_size(bytes), format_size(bytes * 1000 / std::max<int64_t>(now, 1))));
}

void FilesProgress::tell(std::string_view text) {
  const std::lock_guard lock(mutex_);
  cli::tell(terminal_ && shown_at_ > 0 ? fmt::format("\r\x1b[K{}", text) : std::string(text));
}

}  // namespace caddis::cli
