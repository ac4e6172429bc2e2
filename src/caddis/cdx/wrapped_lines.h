// A source that shows another one in its own way: what it does not do otherwise, the other does.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/cdx/line_source.h"

namespace caddis::cdx {

class WrappedLines : public LineSource {
 public:
  Result<std::unique_ptr<LineCursor>> seek(std::string_view key) override { return source_->seek(key); }
  bool disordered() const override { return source_->disordered(); }
  const url::KeyPolicy& policy() const override { return source_->policy(); }
  std::string resolved(std::string key) const override { return source_->resolved(std::move(key)); }
  std::string problem() const override { return source_->problem(); }

 protected:
  explicit WrappedLines(std::shared_ptr<LineSource> source) : source_(std::move(source)) {}

  const std::shared_ptr<LineSource> source_;
};

}  // namespace caddis::cdx
