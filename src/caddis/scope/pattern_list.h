// Several regular expressions of users, searched for in a URL at once. Internal to scope; keeps RE2 out of the headers.
//
// Linear time whatever the patterns (RE2). Immutable, any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::scope {

// Whether a text is an expression that a list takes. ErrorCode::config says why not.
Result<void> check_pattern(std::string_view pattern);

class PatternList {
 public:
  // `setting` is the name for errors: "exclude[2]: missing ): (/a".
  static Result<PatternList> create(std::string_view setting, const std::vector<std::string>& patterns);
  PatternList();
  ~PatternList();
  PatternList(PatternList&&) noexcept;
  PatternList& operator=(PatternList&&) noexcept;

  bool empty() const { return patterns_.empty(); }
  // The first pattern found in `url`; empty where none is.
  std::string_view find(std::string_view url) const;

 private:
  struct Compiled;
  std::vector<std::string> patterns_;
  std::unique_ptr<const Compiled> compiled_;
  bool only_queries_ = false;  // nothing is found that does not begin with a question mark
};

}  // namespace caddis::scope
