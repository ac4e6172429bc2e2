#include "caddis/cdx/line_source.h"

#include "caddis/cdx/line.h"

namespace caddis::cdx {
namespace {

class FileCursor : public LineCursor {
 public:
  explicit FileCursor(SortedFile& file) : file_(file) {}

  Result<void> stand_at(uint64_t offset) {
    at_ = offset;
    TRY(next_, file_.read_line(at_, line_));
    return {};
  }
  bool at_end() const override { return at_ >= file_.size(); }
  std::string_view line() const override { return line_; }
  Result<void> next() override { return stand_at(next_); }
  Result<bool> previous() override {
    if (at_ <= file_.begin()) return false;
    TRY(const uint64_t before, file_.line_before(at_));
    TRY_VOID(stand_at(before));
    return true;
  }

 private:
  SortedFile& file_;
  uint64_t at_ = 0;
  uint64_t next_ = 0;
  std::string line_;
};

class MemoryCursor : public LineCursor {
 public:
  using Lines = std::set<std::string, std::less<>>;
  MemoryCursor(const Lines& lines, std::string_view key) : lines_(lines), at_(lines.lower_bound(key)) {}

  bool at_end() const override { return at_ == lines_.end(); }
  std::string_view line() const override { return *at_; }
  Result<void> next() override {
    ++at_;
    return {};
  }
  Result<bool> previous() override {
    if (at_ == lines_.begin()) return false;
    --at_;
    return true;
  }

 private:
  const Lines& lines_;
  Lines::const_iterator at_;
};

}  // namespace

Result<std::unique_ptr<LineCursor>> FileLines::seek(std::string_view key) {
  auto cursor = std::make_unique<FileCursor>(*file_);
  TRY(const uint64_t offset, file_->lower_bound(key));
  TRY_VOID(cursor->stand_at(offset));
  return cursor;
}

Result<Capture> FileLines::parse(std::string_view line) const {
  return file_->header().empty() ? parse_line(line) : parse_cdx_line(line, file_->header());
}

void MemoryLines::add(std::string_view line) {
  if (lines_.emplace(line).second) bytes_ += line.size();
}

void MemoryLines::clear() {
  lines_.clear();
  bytes_ = 0;
}

Result<std::unique_ptr<LineCursor>> MemoryLines::seek(std::string_view key) {
  return std::make_unique<MemoryCursor>(lines_, key);
}

Result<Capture> MemoryLines::parse(std::string_view line) const { return parse_line(line); }

}  // namespace caddis::cdx
