#include "caddis/cdx/key_slice.h"

#include <algorithm>
#include <utility>

namespace caddis::cdx {

class KeySlice::Cursor : public LineCursor {
 public:
  Cursor(const KeySlice& slice, std::unique_ptr<LineCursor> inner) : slice_(slice), inner_(std::move(inner)) {
    stand();
  }

  bool at_end() const override { return line_.empty(); }
  std::string_view line() const override { return line_; }
  Result<void> next() override {
    if (!at_end()) TRY_VOID(inner_->next());
    stand();
    return {};
  }
  Result<bool> previous() override {
    TRY(const bool moved, inner_->previous());
    if (!moved) return false;
    if (inner_->line() < slice_.begin_) {
      TRY_VOID(inner_->next());
      return false;
    }
    stand();
    return true;
  }

 private:
  void stand() {
    line_.clear();
    if (inner_->at_end()) return;
    const std::string_view line = inner_->line();
    if (line < slice_.begin_ || line >= slice_.end_) return;
    line_ = slice_.shown_;
    line_ += line.substr(slice_.key_.size());
  }

  const KeySlice& slice_;
  const std::unique_ptr<LineCursor> inner_;
  std::string line_;  // empty at the end
};

KeySlice::KeySlice(std::shared_ptr<LineSource> source, std::string key, const url::KeyPeriod& period, std::string shown)
    : source_(std::move(source)),
      key_(std::move(key)),
      shown_(std::move(shown)),
      begin_(key_ + ' ' + period.from),
      end_(period.to.empty() ? key_ + '!' : key_ + ' ' + period.to) {}

Result<std::unique_ptr<LineCursor>> KeySlice::seek(std::string_view key) {
  std::string place = end_;
  if (key.starts_with(shown_))
    place = std::clamp(key_ + std::string(key.substr(shown_.size())), begin_, std::max(begin_, end_));
  else if (key < shown_)
    place = begin_;
  TRY(auto inner, source_->seek(place));
  return std::make_unique<Cursor>(*this, std::move(inner));
}

}  // namespace caddis::cdx
