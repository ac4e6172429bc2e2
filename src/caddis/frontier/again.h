// Which URLs are fetched again later, because of the status they were captured with: "5xx after 1h, 2 times".
//
//   rule     = statuses " after " duration [ ", " number " times" ]     ; once where no number is given
//   statuses = status [ "-" status ] | digit "xx"                       ; "503", "500-599", "5xx", "-2"
//
// The first rule that a status falls under counts. Immutable once parsed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::frontier {

struct AgainRule {
  int first = 0, last = 0;  // statuses
  Duration after{};
  uint32_t times = 1;
  bool operator==(const AgainRule&) const = default;
};
Result<AgainRule> parse_again_rule(std::string_view text);

class Again {
 public:
  // ErrorCode::config names the rule that cannot be read.
  static Result<Again> parse(const std::vector<std::string>& rules);
  // How long to wait before a URL is fetched again that was captured with `status`, after it was fetched again so often
  // before.
  std::optional<Duration> after(int status, uint32_t times_before) const;
  Duration longest() const;

 private:
  std::vector<AgainRule> rules_;
};

}  // namespace caddis::frontier
