#include "caddis/dedup/row_sorter.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <queue>

#include "caddis/dedup/bytes.h"

namespace caddis::dedup {
namespace {

constexpr size_t kMost = UINT32_MAX;
constexpr size_t kReadSize = 512 << 10;
constexpr size_t kWriteSize = 4 << 20;

uint64_t prefix_of(std::string_view row) {
  char first[8] = {};
  row.copy(first, sizeof first);
  return std::byteswap(get_number<uint64_t>(first));
}

// The rows of a run, one by one.
class RunReader {
 public:
  static Result<std::unique_ptr<RunReader>> open(io::Files& files, const std::string& path) {
    TRY(auto file, files.open_read(path));
    auto reader = std::unique_ptr<RunReader>(new RunReader(path, std::move(file)));
    TRY_VOID(reader->next());
    return reader;
  }

  bool at_end() const { return at_end_; }
  std::string_view row() const { return row_; }
  uint64_t prefix() const { return prefix_; }
  Result<void> next() {
    TRY_VOID(want(sizeof(uint32_t)));
    if (buffer_.size() == used_) {
      at_end_ = true;
      return {};
    }
    if (buffer_.size() - used_ < sizeof(uint32_t)) return cut();
    const auto size = get_number<uint32_t>(buffer_.data() + used_);
    TRY_VOID(want(sizeof size + size));
    if (buffer_.size() - used_ < sizeof size + size) return cut();
    row_ = std::string_view(buffer_).substr(used_ + sizeof size, size);
    prefix_ = prefix_of(row_);
    used_ += sizeof size + size;
    return {};
  }

 private:
  RunReader(std::string path, std::unique_ptr<io::File> file) : path_(std::move(path)), file_(std::move(file)) {}

  std::unexpected<Error> cut() const { return fail(ErrorCode::corrupt, path_ + " was cut meanwhile; build again"); }
  // At least so many bytes behind `used_`, fewer at the end of the file.
  Result<void> want(size_t size) {
    if (buffer_.size() - used_ >= size) return {};
    buffer_.erase(0, used_);
    used_ = 0;
    while (buffer_.size() < size) {
      const size_t before = buffer_.size();
      buffer_.resize(before + std::max(kReadSize, size));
      TRY(const size_t got, file_->read_at(offset_, buffer_.data() + before, buffer_.size() - before));
      buffer_.resize(before + got);
      offset_ += got;
      if (got == 0) break;
    }
    return {};
  }

  std::string path_;
  std::unique_ptr<io::File> file_;
  std::string buffer_;
  size_t used_ = 0;
  uint64_t offset_ = 0;
  std::string_view row_;
  uint64_t prefix_ = 0;
  bool at_end_ = false;
};

struct Later {
  bool operator()(const RunReader* a, const RunReader* b) const {
    return a->prefix() != b->prefix() ? a->prefix() > b->prefix() : a->row() > b->row();
  }
};

}  // namespace

RowSorter::RowSorter(io::Files& files, std::string path, size_t memory)
    : files_(files), path_(std::move(path)), memory_(std::min(memory, kMost)) {}

RowSorter::~RowSorter() {
  for (const std::string& run : runs_) (void)files_.remove(run);
}

Result<void> RowSorter::add(std::string_view row) {
  if (rows_.size() + row.size() > kMost) TRY_VOID(write_run());
  references_.push_back({prefix_of(row), static_cast<uint32_t>(rows_.size()), static_cast<uint32_t>(row.size())});
  rows_ += row;
  return rows_.size() + references_.size() * sizeof(Reference) < memory_ ? Result<void>() : write_run();
}

void RowSorter::sort() {
  std::ranges::sort(references_, [this](const Reference& a, const Reference& b) {
    return a.prefix != b.prefix ? a.prefix < b.prefix : row(a) < row(b);
  });
}

Result<void> RowSorter::write_run() {
  if (references_.empty()) return {};
  sort();
  const std::string path = path_ + std::to_string(runs_.size());
  (void)files_.remove(path);
  runs_.push_back(path);
  TRY(const auto file, files_.open_append(path));
  std::string pending;
  for (const Reference& reference : references_) {
    put_number(pending, reference.size);
    pending += row(reference);
    if (pending.size() < kWriteSize) continue;
    TRY_VOID(file->append(pending));
    pending.clear();
  }
  rows_.clear();
  references_.clear();
  return file->append(pending);
}

Result<void> RowSorter::merge(const std::function<Result<void>(std::string_view row)>& use) {
  std::vector<std::unique_ptr<RunReader>> readers;
  std::priority_queue<RunReader*, std::vector<RunReader*>, Later> heads;
  for (const std::string& run : runs_) {
    TRY(auto reader, RunReader::open(files_, run));
    heads.push(reader.get());
    readers.push_back(std::move(reader));
  }
  while (!heads.empty()) {
    RunReader* const first = heads.top();
    heads.pop();
    TRY_VOID(use(first->row()));
    TRY_VOID(first->next());
    if (!first->at_end()) heads.push(first);
  }
  return {};
}

Result<void> RowSorter::drain(const std::function<Result<void>(std::string_view row)>& use) {
  if (runs_.empty()) {
    sort();
    for (const Reference& reference : references_) TRY_VOID(use(row(reference)));
  } else {
    TRY_VOID(write_run());
    rows_.shrink_to_fit();
    references_.shrink_to_fit();
    TRY_VOID(merge(use));
  }
  rows_ = {};
  references_ = {};
  for (const std::string& run : runs_) (void)files_.remove(run);
  runs_.clear();
  return {};
}

}  // namespace caddis::dedup
