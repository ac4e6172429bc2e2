// A source of one member of an aggregate: its captures say whose they are (Capture::member), counted from 1.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/error.h"
#include "caddis/cdx/line_source.h"

namespace caddis::cdx {

class MemberLines : public LineSource {
 public:
  MemberLines(std::shared_ptr<LineSource> source, uint32_t member) : source_(std::move(source)), member_(member) {}

  Result<std::unique_ptr<LineCursor>> seek(std::string_view key) override { return source_->seek(key); }
  Result<Capture> parse(std::string_view line) const override;
  bool disordered() const override { return source_->disordered(); }
  const url::KeyPolicy& policy() const override { return source_->policy(); }
  std::string resolved(std::string key) const override { return source_->resolved(std::move(key)); }
  std::shared_ptr<LineSource> ask(const LineQuestion& question) override;
  std::string problem() const override { return source_->problem(); }

 private:
  const std::shared_ptr<LineSource> source_;
  const uint32_t member_;
};

}  // namespace caddis::cdx
