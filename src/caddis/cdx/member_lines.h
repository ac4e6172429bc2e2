// A source of one member of an aggregate: its captures say whose they are (Capture::member), counted from 1.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/error.h"
#include "caddis/cdx/wrapped_lines.h"

namespace caddis::cdx {

class MemberLines : public WrappedLines {
 public:
  MemberLines(std::shared_ptr<LineSource> source, uint32_t member) : WrappedLines(std::move(source)), member_(member) {}

  Result<Capture> parse(std::string_view line) const override { return of_member(source_->parse(line)); }
  Result<Capture> capture_at(const LineCursor& cursor) const override { return of_member(source_->capture_at(cursor)); }
  std::shared_ptr<LineSource> ask(const LineQuestion& question) override;

 private:
  Result<Capture> of_member(Result<Capture> capture) const;

  const uint32_t member_;
};

}  // namespace caddis::cdx
