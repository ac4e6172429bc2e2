// The captures of one key in one source, between two timestamps, under another key: so that sources whose keys are made
// by different policies stand in one row. A slice may be read by any thread; a cursor by one at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/cdx/line_source.h"
#include "caddis/url/key_policy.h"

namespace caddis::cdx {

class KeySlice : public LineSource {
 public:
  // The lines of `key` in the source appear with `shown` in its place.
  KeySlice(std::shared_ptr<LineSource> source, std::string key, const url::KeyPeriod& period, std::string shown);

  Result<std::unique_ptr<LineCursor>> seek(std::string_view key) override;
  Result<Capture> parse(std::string_view line) const override { return source_->parse(line); }
  bool disordered() const override { return source_->disordered(); }

 private:
  class Cursor;

  const std::shared_ptr<LineSource> source_;
  const std::string key_, shown_;
  const std::string begin_, end_;  // lines of the source
};

}  // namespace caddis::cdx
