// The captures that a digest index takes up: of http and https, of a status, of types that people choose by regular
// expressions as for the DeDuplicator's DigestIndexer.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "caddis/base/error.h"

namespace re2 {
class RE2;
}

namespace caddis::dedup {

struct FilterOptions {
  bool any_status = false;   // 200 alone otherwise
  std::string include_mime;  // regular expression over the whole type; empty for all
  std::string exclude_mime;  // empty for none
};

enum class Verdict { taken, other_protocol, other_status, other_type };

// Any thread.
class CaptureFilter {
 public:
  // ErrorCode::config for an expression that is none.
  static Result<CaptureFilter> create(const FilterOptions& options);
  CaptureFilter(CaptureFilter&&) noexcept;
  ~CaptureFilter();

  // `status` 0 and an empty `mime` are not known, and pass. Parameters of the type do not count.
  Verdict judge(std::string_view url, int status, std::string_view mime) const;

 private:
  CaptureFilter() = default;

  bool any_status_ = false;
  std::unique_ptr<re2::RE2> include_, exclude_;
};

}  // namespace caddis::dedup
