// Another source without the lines that a filter hides.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/cdx/capture_filter.h"
#include "caddis/cdx/wrapped_lines.h"

namespace caddis::cdx {

class FilteredLines : public WrappedLines {
 public:
  FilteredLines(std::shared_ptr<LineSource> source, const CaptureFilter& filter)
      : WrappedLines(std::move(source)), filter_(filter), asker_(filter.ask()) {}

  // The cursor stands on lines that are shown, and on those that nobody can read: `capture_at` tells of them. Where it passes over many
  // hidden lines of other URLs than the one it came from, it stands still on a hidden one, of which `capture_at` then gives nothing: so
  // that a search through much that is hidden goes on in slices, as any other.
  Result<std::unique_ptr<LineCursor>> seek(std::string_view key) override;
  Result<Capture> parse(std::string_view line) const override;
  Result<Capture> capture_at(const LineCursor& cursor) const override;
  std::shared_ptr<LineSource> ask(const LineQuestion& question) override;

 private:
  class Cursor;

  bool shows(std::string_view line) const;

  const CaptureFilter& filter_;
  mutable std::mutex mutex_;  // of asker_
  const std::unique_ptr<CaptureFilter::Asker> asker_;
};

}  // namespace caddis::cdx
