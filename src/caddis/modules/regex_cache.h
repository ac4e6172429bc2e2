// The regular expressions of one script, compiled once. One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include <re2/re2.h>

#include "caddis/base/error.h"

namespace caddis::modules {

class RegexCache {
 public:
  static constexpr size_t kMost = 100;         // then all are forgotten
  static constexpr size_t kLongest = 4096;     // bytes of an expression
  static constexpr int64_t kMemory = 2 << 20;  // of one that is compiled

  // The reference holds until the next call. ErrorCode::config for a text that is no expression.
  Result<const re2::RE2*> of(std::string_view text);

 private:
  std::unordered_map<std::string, std::unique_ptr<re2::RE2>> compiled_;
};

}  // namespace caddis::modules
