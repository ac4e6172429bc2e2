#include "caddis/store/seen_task.h"

#include <algorithm>
#include <utility>

namespace caddis::store {

namespace {

constexpr size_t kValuesAtOnce = 64 * 1024;
constexpr size_t kValuesInStep = 1024 * 1024;

// The runs are few: the smallest of their heads is found by looking at all.
class Merge {
 public:
  explicit Merge(const std::vector<std::shared_ptr<const SeenRun>>& runs) {
    for (const auto& run : runs) heads_.push_back({SeenRunScan(run), {}});
  }
  Result<size_t> read(std::span<uint64_t> out) {
    if (!begun_) {
      for (size_t i = heads_.size(); i-- > 0;) TRY_VOID(refill(i));
      begun_ = true;
    }
    size_t filled = 0;
    while (filled < out.size() && !heads_.empty()) {
      size_t least = 0;
      for (size_t i = 1; i < heads_.size(); ++i)
        if (heads_[i].values.front() < heads_[least].values.front()) least = i;
      out[filled++] = heads_[least].values.front();
      heads_[least].values = heads_[least].values.subspan(1);
      if (heads_[least].values.empty()) TRY_VOID(refill(least));
    }
    return filled;
  }

 private:
  struct Head {
    SeenRunScan scan;
    std::span<const uint64_t> values;  // never empty between two calls
  };
  Result<void> refill(size_t index) {
    TRY(heads_[index].values, heads_[index].scan.next());
    if (heads_[index].values.empty()) heads_.erase(heads_.begin() + static_cast<std::ptrdiff_t>(index));
    return {};
  }

  std::vector<Head> heads_;
  bool begun_ = false;
};

}  // namespace

SeenSource table_source(std::shared_ptr<const SeenTable> table) {
  return [table = std::move(table), position = SeenTable::Position()](std::span<uint64_t> out) mutable {
    return Result<size_t>(table->read(position, out));
  };
}

SeenSource merged_source(const std::vector<std::shared_ptr<const SeenRun>>& runs) {
  return [merge = std::make_shared<Merge>(runs)](std::span<uint64_t> out) { return merge->read(out); };
}

Result<bool> SeenRunTask::step() {
  if (!writer_) {
    TRY(writer_, SeenRunWriter::create(files_, folder_, number_, values_));
  }
  buffer_.resize(kValuesAtOnce);
  for (size_t done = 0; done < kValuesInStep; done += kValuesAtOnce) {
    TRY(const size_t got, source_(buffer_));
    TRY_VOID(writer_->add(std::span(buffer_).first(got)));
    if (got > 0) continue;
    TRY_VOID(writer_->finish());
    TRY(run_, SeenRun::open(files_, folder_, number_, values_));
    return true;
  }
  TRY_VOID(writer_->sync());
  return false;
}

Result<bool> SeenFilterTask::step() {
  for (size_t done = 0; done < kValuesInStep;) {
    TRY(const auto values, scan_.next());
    if (values.empty()) return true;
    if (filter_)
      for (const uint64_t value : values) filter_->add(value);
    done += values.size();
  }
  return false;
}

Result<bool> SeenRemoveTask::step() {
  if (!paths_.empty()) {
    (void)files_.remove(paths_.back());
    paths_.pop_back();
  }
  return paths_.empty();
}

}  // namespace caddis::store
