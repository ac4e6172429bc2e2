// Locks on numbers among processes: each is a byte of one of a few empty files. A lock is of the object, and ends with
// it, also if its process dies; nobody has to clean up.
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::io {

class ByteLocks {
 public:
  enum class Kind : uint8_t { shared, exclusive };

  // Makes the folder and its files if they are not there.
  static Result<ByteLocks> open(const std::string& folder);
  ByteLocks(ByteLocks&& other) noexcept = default;
  ByteLocks(const ByteLocks&) = delete;
  ~ByteLocks();

  // Without waiting. False if others hold it in a way that leaves no room for this one.
  bool lock(uint64_t number, Kind kind) const;
  void unlock(uint64_t number) const;
  // Whether anybody else holds it, in any way.
  bool is_held_by_others(uint64_t number) const;

 private:
  ByteLocks() = default;

  std::vector<int> files_;  // the system walks all locks of a file for each: so there are several
};

}  // namespace caddis::io
