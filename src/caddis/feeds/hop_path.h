// Which URLs are captured with an item of a feed: a regular expression that the whole hop path from the feed must match
// (CrawlRSS's hoppathAllowed).
//
// Immutable, any thread.
#pragma once

#include <memory>
#include <string_view>

#include "caddis/base/error.h"

namespace re2 {
class RE2;
}

namespace caddis::feeds {

class HopPath {
 public:
  // ErrorCode::config if it is no expression.
  static Result<std::shared_ptr<const HopPath>> create(std::string_view pattern);
  explicit HopPath(std::unique_ptr<const re2::RE2> pattern);
  ~HopPath();

  // `letters`: one a hop, "LRE".
  bool allows(std::string_view letters) const;

 private:
  std::unique_ptr<const re2::RE2> pattern_;
};

}  // namespace caddis::feeds
