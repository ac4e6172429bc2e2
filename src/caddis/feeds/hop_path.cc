#include "caddis/feeds/hop_path.h"

#include <fmt/format.h>
#include <re2/re2.h>

namespace caddis::feeds {

HopPath::HopPath(std::unique_ptr<const re2::RE2> pattern) : pattern_(std::move(pattern)) {}

HopPath::~HopPath() = default;

Result<std::shared_ptr<const HopPath>> HopPath::create(std::string_view pattern) {
  auto made = std::make_unique<const re2::RE2>(re2::StringPiece(pattern.data(), pattern.size()), re2::RE2::Quiet);
  if (!made->ok())
    return fail(ErrorCode::config, fmt::format("'{}' is no regular expression: {}", pattern, made->error()));
  return std::make_shared<const HopPath>(std::move(made));
}

bool HopPath::allows(std::string_view letters) const {
  return re2::RE2::FullMatch(re2::StringPiece(letters.data(), letters.size()), *pattern_);
}

}  // namespace caddis::feeds
