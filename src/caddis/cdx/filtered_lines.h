// Another source without the lines that a filter hides.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/cdx/capture_filter.h"
#include "caddis/cdx/line_source.h"

namespace caddis::cdx {

class FilteredLines : public LineSource {
 public:
  FilteredLines(std::shared_ptr<LineSource> source, const CaptureFilter& filter)
      : source_(std::move(source)), filter_(filter), asker_(filter.ask()) {}

  // The cursor stands on lines that are shown. Where it passes over many hidden lines of other URLs than the one it came
  // from, it stands still on a hidden one, which `parse` then refuses: so that a search through much that is hidden goes
  // on in slices, as any other.
  Result<std::unique_ptr<LineCursor>> seek(std::string_view key) override;
  Result<Capture> parse(std::string_view line) const override;
  bool disordered() const override { return source_->disordered(); }
  const url::KeyPolicy& policy() const override { return source_->policy(); }
  std::string resolved(std::string key) const override { return source_->resolved(std::move(key)); }
  std::shared_ptr<LineSource> ask(const LineQuestion& question) override;
  std::string problem() const override { return source_->problem(); }

 private:
  class Cursor;

  bool shows(std::string_view line) const;

  const std::shared_ptr<LineSource> source_;
  const CaptureFilter& filter_;
  mutable std::mutex mutex_;  // of asker_
  const std::unique_ptr<CaptureFilter::Asker> asker_;
};

}  // namespace caddis::cdx
