#include "caddis/cdx/line_sorter.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <queue>
#include <utility>

#include "caddis/base/strings.h"

namespace caddis::cdx {
namespace {

constexpr size_t kBlock = 1u << 20;
constexpr size_t kReadSize = 1u << 20;
constexpr size_t kWriteSize = 1u << 20;

// The first eight bytes, as a number that sorts as they do.
uint64_t begin_of(std::string_view text) {
  uint64_t begin = 0;
  for (size_t i = 0; i < 8; ++i) begin = begin << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0);
  return begin;
}

// Reads the lines of a run, in large pieces.
class RunReader {
 public:
  explicit RunReader(std::unique_ptr<io::File> file) : file_(std::move(file)) {}

  // False at the end. The line is valid until the next call.
  Result<bool> next() {
    for (;;) {
      const size_t end = buffer_.find('\n', searched_);
      if (end != std::string::npos) {
        line_ = std::string_view(buffer_).substr(at_, end - at_);
        at_ = searched_ = end + 1;
        return true;
      }
      buffer_.erase(0, at_);
      at_ = 0;
      searched_ = buffer_.size();
      buffer_.resize(searched_ + kReadSize);
      TRY(const size_t got, file_->read_at(offset_, buffer_.data() + searched_, kReadSize));
      buffer_.resize(searched_ + got);
      offset_ += got;
      if (got == 0) return false;
    }
  }
  std::string_view line() const { return line_; }

 private:
  const std::unique_ptr<io::File> file_;
  std::string buffer_;
  std::string_view line_;
  size_t at_ = 0, searched_ = 0;  // the next line, and up to where it has no end
  uint64_t offset_ = 0;
};

}  // namespace

// Writes lines in ascending order, identical ones once.
class LineSorter::UniqueWriter {
 public:
  explicit UniqueWriter(io::File& file) : file_(file) {}

  Result<void> add(std::string_view line) {
    taken_ += line.size() + 1;
    if (count_ > 0 && line == last_) return {};
    last_ = line;
    ++count_;
    pending_ += line;
    pending_ += '\n';
    return pending_.size() < kWriteSize ? Result<void>() : flush();
  }
  Result<void> flush() {
    TRY_VOID(file_.append(pending_));
    pending_.clear();
    return {};
  }
  uint64_t count() const { return count_; }
  // Bytes of all lines, also of those that were there already.
  uint64_t taken() const { return taken_; }

 private:
  io::File& file_;
  std::string pending_, last_;
  uint64_t count_ = 0, taken_ = 0;
};

// The file in which the sorted lines come together: from runs, or, if all lines fit into memory, from there.
struct LineSorter::Output {
  explicit Output(std::unique_ptr<io::File> the_file) : file(std::move(the_file)), writer(*file) {}

  const std::unique_ptr<io::File> file;
  UniqueWriter writer;
  std::deque<RunReader> readers;
  using Head = std::pair<std::string_view, size_t>;
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  size_t next_held = 0;
};

LineSorter::LineSorter(io::Files& files, std::string output, size_t memory)
    : files_(files), output_(std::move(output)), memory_(memory) {}

LineSorter::~LineSorter() {
  for (const std::string& run : runs_) (void)files_.remove(run);
}

std::string_view LineSorter::keep(std::string_view line) {
  if (blocks_.empty() || block_left_ < line.size()) {
    block_left_ = std::max(kBlock, line.size());
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_left_));
  }
  const bool is_large = line.size() > kBlock;
  char* const place = blocks_.back().get() + (is_large ? 0 : kBlock - block_left_);
  std::ranges::copy(line, place);
  block_left_ -= is_large ? block_left_ : line.size();
  return {place, line.size()};
}

Result<void> LineSorter::add(std::string_view line) {
  lines_.push_back({begin_of(line), keep(line)});
  held_ += line.size() + sizeof(Line);
  return held_ < memory_ ? Result<void>() : write_run();
}

void LineSorter::let_go() {
  lines_.clear();
  blocks_.clear();
  block_left_ = held_ = 0;
}

// Removes runs of a process that died while it sorted to the same place.
Result<void> LineSorter::remove_other_runs() {
  const std::string folder = io::parent_path(output_), begin = std::string(io::base_name(output_)) + ".run";
  TRY(const auto entries, files_.list(folder));
  for (const io::DirectoryEntry& entry : entries) {
    const std::string path = io::join_path(folder, entry.name);
    const bool is_own =
        std::ranges::any_of(runs_, [&](const std::string& run) { return io::base_name(run) == io::base_name(path); });
    if (entry.name.starts_with(begin) && !is_own) TRY_VOID(files_.remove(path));
  }
  return {};
}

Result<uint64_t> LineSorter::finish() {
  for (bool is_done = false; !is_done;) {
    TRY(is_done, finish_some(UINT64_MAX));
  }
  return finishing_->writer.count();
}

Result<bool> LineSorter::finish_some(uint64_t bytes) {
  if (!finishing_) TRY_VOID(begin_output());
  UniqueWriter& writer = finishing_->writer;
  for (const uint64_t begin = writer.taken(); writer.taken() - begin < bytes;) {
    TRY(const bool had_line, write_next());
    if (had_line) continue;
    finishing_->readers.clear();
    TRY_VOID(writer.flush());
    TRY_VOID(finishing_->file->sync());
    TRY_VOID(files_.rename(output_ + ".tmp", output_));
    TRY_VOID(files_.sync_dir(io::parent_path(output_)));
    return true;
  }
  return false;
}

Result<void> LineSorter::begin_output() {
  TRY_VOID(remove_other_runs());
  const std::string temporary = output_ + ".tmp";
  (void)files_.remove(temporary);
  TRY(auto file, files_.open_append(temporary));
  finishing_ = std::make_unique<Output>(std::move(file));
  if (!runs_.empty() || !sorted_.empty()) return open_runs();
  std::ranges::sort(lines_, std::less());
  return {};
}

Result<void> LineSorter::write_run() {
  if (lines_.empty()) return {};
  std::ranges::sort(lines_, std::less());
  const std::string path = output_ + ".run" + std::to_string(runs_.size());
  (void)files_.remove(path);
  runs_.push_back(path);
  TRY(const auto file, files_.open_append(path));
  UniqueWriter writer(*file);
  for (const Line& line : lines_) TRY_VOID(writer.add(line.text));
  let_go();
  return writer.flush();
}

Result<void> LineSorter::open_runs() {
  TRY_VOID(write_run());
  for (const auto* paths : {&runs_, &sorted_})
    for (const std::string& run : *paths) {
      TRY(auto file, files_.open_read(run));
      finishing_->readers.emplace_back(std::move(file));
      TRY_VOID(advance(finishing_->readers.size() - 1));
    }
  return {};
}

Result<void> LineSorter::advance(size_t run) {
  RunReader& reader = finishing_->readers[run];
  TRY(const bool has_line, reader.next());
  if (has_line) finishing_->heads.emplace(reader.line(), run);
  return {};
}

// False if there was none.
Result<bool> LineSorter::write_next() {
  Output& out = *finishing_;
  if (out.next_held < lines_.size()) {
    TRY_VOID(out.writer.add(lines_[out.next_held++].text));
    return true;
  }
  if (out.heads.empty()) return false;
  const Output::Head head = out.heads.top();
  out.heads.pop();
  TRY_VOID(out.writer.add(head.first));
  TRY_VOID(advance(head.second));
  return true;
}

}  // namespace caddis::cdx
