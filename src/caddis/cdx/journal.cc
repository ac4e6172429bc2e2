#include "caddis/cdx/journal.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "caddis/cdx/line.h"
#include "caddis/store/streams.h"

namespace caddis::cdx {
namespace {

constexpr size_t kReadSize = 1u << 20;

// Gives each complete line of a file from `offset` to `limit`, and the offset behind the last of them.
Result<uint64_t> each_line(io::Files& files, const std::string& path, uint64_t offset,
                           const std::function<Result<void>(std::string_view)>& use, uint64_t limit = UINT64_MAX) {
  TRY(const auto file, files.open_read(path));
  std::string buffer, chunk(kReadSize, '\0');
  uint64_t read_at = offset;
  for (;;) {
    const auto wanted = static_cast<size_t>(std::min<uint64_t>(chunk.size(), limit - read_at));
    TRY(const size_t got, file->read_at(read_at, chunk.data(), wanted));
    if (got == 0) return offset;
    read_at += got;
    buffer.append(chunk, 0, got);
    size_t start = 0;
    for (size_t end; (end = buffer.find('\n', start)) != std::string::npos; start = end + 1)
      TRY_VOID(use(std::string_view(buffer).substr(start, end - start)));
    offset += start;
    buffer.erase(0, start);
    if (buffer.size() > kMaxLine) return fail(ErrorCode::limit, path + ": a line longer than 4 MiB; is this an index?");
  }
}

bool is_capture_line(std::string_view line) { return !line.empty() && line.front() != '!' && line.front() != ' '; }

// Writes lines in ascending order, identical ones once.
class UniqueWriter {
 public:
  explicit UniqueWriter(io::File& file) : file_(file) {}

  Result<void> add(std::string_view line) {
    if (count_ > 0 && line == last_) return {};
    last_ = line;
    ++count_;
    pending_ += line;
    pending_ += '\n';
    return pending_.size() < kReadSize ? Result<void>() : flush();
  }
  Result<void> flush() {
    TRY_VOID(file_.append(pending_));
    pending_.clear();
    return {};
  }
  uint64_t count() const { return count_; }

 private:
  io::File& file_;
  std::string pending_, last_;
  uint64_t count_ = 0;
};

class Sorter {
 public:
  Sorter(io::Files& files, std::string output, const SortLimits& limits)
      : files_(files), output_(std::move(output)), limits_(limits) {}
  ~Sorter() {
    for (const std::string& run : runs_) (void)files_.remove(run);
  }

  Result<void> add(std::string_view line) {
    lines_.emplace_back(line);
    held_ += line.size() + sizeof(std::string);
    return held_ < limits_.memory ? Result<void>() : write_run();
  }

  Result<uint64_t> finish() {
    const std::string temporary = output_ + ".tmp";
    (void)files_.remove(temporary);
    TRY(const auto file, files_.open_append(temporary));
    UniqueWriter writer(*file);
    if (runs_.empty()) {
      std::ranges::sort(lines_);
      for (const std::string& line : lines_) TRY_VOID(writer.add(line));
    } else {
      TRY_VOID(write_run());
      TRY_VOID(merge_runs(writer));
    }
    TRY_VOID(writer.flush());
    TRY_VOID(file->sync());
    TRY_VOID(files_.rename(temporary, output_));
    TRY_VOID(files_.sync_dir(io::parent_path(output_)));
    return writer.count();
  }

 private:
  Result<void> write_run() {
    if (lines_.empty()) return {};
    std::ranges::sort(lines_);
    const std::string path = output_ + ".run" + std::to_string(runs_.size());
    (void)files_.remove(path);
    runs_.push_back(path);
    TRY(const auto file, files_.open_append(path));
    UniqueWriter writer(*file);
    for (const std::string& line : lines_) TRY_VOID(writer.add(line));
    lines_.clear();
    held_ = 0;
    return writer.flush();
  }

  Result<void> merge_runs(UniqueWriter& writer) {
    std::vector<std::unique_ptr<SortedFile>> sources;
    std::vector<uint64_t> next;
    using Head = std::pair<std::string, size_t>;
    std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
    const auto advance = [&](size_t i) -> Result<void> {
      if (next[i] >= sources[i]->size()) return {};
      std::string line;
      TRY(next[i], sources[i]->read_line(next[i], line));
      heads.emplace(std::move(line), i);
      return {};
    };
    for (const std::string& run : runs_) {
      TRY(auto source, SortedFile::open(files_, run));
      sources.push_back(std::move(source));
      next.push_back(0);
      TRY_VOID(advance(sources.size() - 1));
    }
    while (!heads.empty()) {
      const Head head = heads.top();
      heads.pop();
      TRY_VOID(writer.add(head.first));
      TRY_VOID(advance(head.second));
    }
    return {};
  }

  io::Files& files_;
  std::string output_;
  SortLimits limits_;
  std::vector<std::string> lines_;
  std::vector<std::string> runs_;
  size_t held_ = 0;
};

}  // namespace

Result<void> each_capture_line(io::Files& files, const std::vector<std::string>& inputs,
                               const std::function<Result<void>(std::string_view line)>& use) {
  for (const std::string& input : inputs) {
    if (!files.exists(input)) continue;
    const auto read = each_line(
        files, input, 0, [&](std::string_view line) { return is_capture_line(line) ? use(line) : Result<void>(); });
    if (!read) return pass(read.error(), "reading " + input);
  }
  return {};
}

Result<void> each_capture_line(io::Files& files, const store::LogParts& journal,
                               const std::function<Result<void>(std::string_view line)>& use) {
  for (const auto& [path, length] : journal.parts) {
    if (!files.exists(path)) continue;
    const auto read = each_line(
        files, path, 0, [&](std::string_view line) { return is_capture_line(line) ? use(line) : Result<void>(); },
        length);
    if (!read) return pass(read.error(), "reading " + path);
  }
  return {};
}

Result<uint64_t> sort_files(io::Files& files, const std::vector<std::string>& inputs, const std::string& output,
                            const SortLimits& limits) {
  Sorter sorter(files, output, limits);
  TRY_VOID(each_capture_line(files, inputs, [&](std::string_view line) {
    return !limits.keep || limits.keep(line) ? sorter.add(line) : Result<void>();
  }));
  auto written = sorter.finish();
  if (!written) return pass(std::move(written).error(), "writing " + output);
  return written;
}

Result<bool> JournalReader::go_on(const std::vector<std::string>& found) {
  if (found.size() < parts_.size()) return false;
  for (size_t i = 0; i < found.size(); ++i) {
    if (i == parts_.size()) {
      const uint64_t begin = i < indexed_.size() ? indexed_[i] : 0;
      parts_.push_back({found[i], begin, begin});
    }
    Part& part = parts_[i];
    if (part.path != found[i]) return false;
    TRY(const auto file, files_.open_read(part.path));
    TRY(const uint64_t size, file->size());
    if (size < part.end) return false;
    if (size == part.end) continue;
    TRY(part.end, each_line(files_, part.path, part.end, [&](std::string_view line) -> Result<void> {
          if (is_capture_line(line)) lines_->add(line);
          return {};
        }));
  }
  return true;
}

Result<void> JournalReader::refresh(const std::vector<uint64_t>& indexed) {
  TRY(const auto found, store::log_parts(files_, path_));
  if (indexed == indexed_) {
    TRY(const bool went_on, go_on(found));
    if (went_on) return {};
  }
  lines_ = std::make_shared<MemoryLines>();
  parts_.clear();
  indexed_ = indexed;
  TRY(const bool whole, go_on(found));
  if (whole) return {};
  // Shorter than what was indexed: another journal than the index was made of.
  lines_ = std::make_shared<MemoryLines>();
  parts_.clear();
  indexed_.clear();
  TRY_VOID(go_on(found));
  indexed_ = indexed;
  return {};
}

}  // namespace caddis::cdx
