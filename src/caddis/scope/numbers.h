// Numbers as rules name them: "> 20", "<= 5", "404", "500..599", several of them. Internal to scope.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::scope {

class NumberSet {
 public:
  // Sizes may be written as such: "> 20MB". ErrorCode::config says how a set is written.
  static Result<NumberSet> parse(std::string_view text);
  bool contains(int64_t number) const;
  // The greatest number of a set that is written "> N", from which on the set begins; nothing else has such a bound.
  bool is_greater_than() const { return ranges_.size() == 1 && ranges_[0].to == kGreatest && ranges_[0].from > 0; }
  int64_t bound() const { return ranges_[0].from - 1; }

 private:
  static constexpr int64_t kGreatest = std::numeric_limits<int64_t>::max();
  struct Range {
    int64_t from = 0, to = kGreatest;
  };
  static Result<Range> parse_range(std::string_view word);

  std::vector<Range> ranges_;
};

}  // namespace caddis::scope
