#include "caddis/cdx/line_source.h"

#include "caddis/cdx/line.h"

namespace caddis::cdx {
namespace {

class FileCursor : public LineCursor {
 public:
  FileCursor(SortedFile& file, std::atomic<bool>& disordered) : file_(file), disordered_(disordered) {}

  Result<void> stand_at(uint64_t offset) {
    at_ = offset;
    TRY(next_, file_.read_line(at_, line_));
    return {};
  }
  bool at_end() const override { return at_ >= file_.size(); }
  std::string_view line() const override { return line_; }
  Result<void> next() override {
    before_.swap(line_);
    TRY_VOID(stand_at(next_));
    if (!at_end() && line_ < before_) disordered_ = true;
    return {};
  }
  Result<bool> previous() override {
    if (at_ <= file_.begin()) return false;
    TRY(const uint64_t before, file_.line_before(at_));
    TRY_VOID(stand_at(before));
    return true;
  }

 private:
  SortedFile& file_;
  std::atomic<bool>& disordered_;
  uint64_t at_ = 0;
  uint64_t next_ = 0;
  std::string line_, before_;
};

// Holds a copy of its line: others may add lines at any time.
class MemoryCursor : public LineCursor {
 public:
  MemoryCursor(const MemoryLines::Lines& lines, std::shared_mutex& mutex, std::string_view key)
      : lines_(lines), mutex_(mutex) {
    const std::shared_lock lock(mutex_);
    stand_at(lines_.lower_bound(key));
  }

  bool at_end() const override { return at_end_; }
  std::string_view line() const override { return line_; }
  Result<void> next() override {
    const std::shared_lock lock(mutex_);
    if (!at_end_) stand_at(lines_.upper_bound(line_));
    return {};
  }
  Result<bool> previous() override {
    const std::shared_lock lock(mutex_);
    const auto here = at_end_ ? lines_.end() : lines_.lower_bound(line_);
    if (here == lines_.begin()) return false;
    stand_at(std::prev(here));
    return true;
  }

 private:
  void stand_at(MemoryLines::Lines::const_iterator place) {
    at_end_ = place == lines_.end();
    if (!at_end_) line_ = *place;
  }

  const MemoryLines::Lines& lines_;
  std::shared_mutex& mutex_;
  std::string line_;
  bool at_end_ = false;
};

}  // namespace

std::vector<std::shared_ptr<LineSource>> asked(std::vector<std::shared_ptr<LineSource>> sources,
                                               const LineQuestion& question) {
  for (std::shared_ptr<LineSource>& source : sources)
    if (auto answer = source->ask(question)) source = std::move(answer);
  return sources;
}

bool LineCursor::is_before(std::string_view bound) const {
  const std::string_view known = head();
  const int order = known.compare(bound.substr(0, known.size()));
  if (order != 0 || bound.size() <= known.size()) return order < 0;
  return line() < bound;
}

bool LineCursor::starts_with(std::string_view prefix) const {
  const std::string_view known = head();
  return known.starts_with(prefix.substr(0, known.size())) &&
         (prefix.size() <= known.size() || line().starts_with(prefix));
}

Result<std::unique_ptr<LineCursor>> FileLines::seek(std::string_view key) {
  auto cursor = std::make_unique<FileCursor>(*file_, disordered_);
  TRY(const uint64_t offset, file_->lower_bound(key));
  TRY_VOID(cursor->stand_at(offset));
  return cursor;
}

Result<FileLines::Count> FileLines::count_lines(uint64_t bytes) {
  const std::scoped_lock lock(count_mutex_);
  if (count_) return *count_;
  Count count;
  uint64_t at = file_->begin();
  for (std::string line; at < file_->size() && at - file_->begin() < bytes; ++count.lines) {
    TRY(at, file_->read_line(at, line));
  }
  if (at < file_->size()) {
    count.exact = false;
    count.lines =
        static_cast<uint64_t>(static_cast<double>(count.lines) * static_cast<double>(file_->size() - file_->begin()) /
                              static_cast<double>(at - file_->begin()));
  }
  count_ = count;
  return count;
}

Result<Capture> FileLines::parse(std::string_view line) const {
  auto capture = file_->header().empty() ? parse_line(line) : parse_cdx_line(line, file_->header());
  if (!capture && broken_) broken_->note(file_->path(), line, capture.error(), [&] { return place_of(line); });
  return capture;
}

std::string FileLines::place_of(std::string_view line) const {
  const auto at = file_->lower_bound(line);
  std::string there;
  return at && file_->read_line(*at, there) && there == line ? "byte " + std::to_string(*at) : std::string();
}

void MemoryLines::add(std::string_view line) {
  const std::unique_lock lock(mutex_);
  lines_.emplace(line);
}

size_t MemoryLines::size() const {
  const std::shared_lock lock(mutex_);
  return lines_.size();
}

Result<std::unique_ptr<LineCursor>> MemoryLines::seek(std::string_view key) {
  return std::make_unique<MemoryCursor>(lines_, mutex_, key);
}

Result<Capture> MemoryLines::parse(std::string_view line) const { return parse_line(line); }

}  // namespace caddis::cdx
