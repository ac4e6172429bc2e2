#include "caddis/cdx/filtered_lines.h"

#include <string>
#include <utility>

namespace caddis::cdx {
namespace {

// Hidden lines of other URLs that a cursor passes over at once.
constexpr int kPassedAtOnce = 256;

std::string_view key_of(std::string_view line) { return line.substr(0, line.find(' ')); }

}  // namespace

class FilteredLines::Cursor : public LineCursor {
 public:
  Cursor(const FilteredLines& lines, std::unique_ptr<LineCursor> inner, std::string_view key)
      : lines_(lines), inner_(std::move(inner)), key_(key) {}

  bool at_end() const override { return inner_->at_end(); }
  std::string_view line() const override { return inner_->line(); }
  const LineCursor& inner() const { return *inner_; }
  bool stands_on_shown() const { return stands_on_shown_; }

  Result<void> next() override {
    if (at_end()) return {};
    key_ = key_of(line());
    TRY_VOID(inner_->next());
    return pass_over();
  }

  Result<bool> previous() override {
    if (!at_end()) key_ = key_of(line());
    const bool stood_on_shown = stands_on_shown_;
    int moved_by = 0;
    for (int others = 0;;) {
      TRY(const bool moved, inner_->previous());
      if (!moved) break;
      ++moved_by;
      if (is_shown()) return true;
      if (key_of(line()) != key_ && ++others > kPassedAtOnce) return true;
    }
    // There is none before: it stays.
    for (; moved_by > 0; --moved_by) TRY_VOID(inner_->next());
    stands_on_shown_ = stood_on_shown;
    return false;
  }

  Result<void> pass_over() {
    for (int others = 0; !inner_->at_end() && !is_shown();) {
      if (key_of(line()) != key_ && ++others > kPassedAtOnce) break;
      TRY_VOID(inner_->next());
    }
    return {};
  }

 private:
  // Each line is asked for once: decisions are counted.
  bool is_shown() {
    stands_on_shown_ = lines_.shows(inner_->line());
    return stands_on_shown_;
  }

  const FilteredLines& lines_;
  const std::unique_ptr<LineCursor> inner_;
  std::string key_;  // of the URL that it came from
  bool stands_on_shown_ = false;
};

bool FilteredLines::shows(std::string_view line) const {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto shown = asker_->shows_line(line, source_->policy())) return *shown;
  }
  // A line that the source cannot read either is no capture that could be seen: it is passed on, to be told as broken.
  const auto parsed = source_->parse(line);
  return !parsed && is_broken_line(parsed.error());
}

Result<std::unique_ptr<LineCursor>> FilteredLines::seek(std::string_view key) {
  TRY(auto inner, source_->seek(key));
  auto cursor = std::make_unique<Cursor>(*this, std::move(inner), key_of(key));
  TRY_VOID(cursor->pass_over());
  return cursor;
}

std::shared_ptr<LineSource> FilteredLines::ask(const LineQuestion& question) {
  auto answer = source_->ask(question);
  return answer == nullptr ? nullptr : std::make_shared<FilteredLines>(std::move(answer), filter_);
}

Result<Capture> FilteredLines::parse(std::string_view line) const {
  if (!shows(line)) return fail(ErrorCode::not_found, "a capture that is not shown");
  return source_->parse(line);
}

Result<Capture> FilteredLines::capture_at(const LineCursor& cursor) const {
  const auto& own = static_cast<const Cursor&>(cursor);
  if (!own.stands_on_shown()) return fail(ErrorCode::not_found, "a capture that is not shown");
  return source_->capture_at(own.inner());
}

}  // namespace caddis::cdx
