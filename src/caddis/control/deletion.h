// Deletes what waits in a running crawl, or counts it first, part by part, as the control API does it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "caddis/base/error.h"

namespace caddis::control {

// Asks for the part at a marker; the body of the answer. ErrorCode::conflict if the marker no longer holds.
using AskPart = std::function<Result<std::string>(const std::string& marker)>;

// One way through what waits. If a marker no longer holds, a deletion begins again, as long as it deletes something; a count
// begins anew, a few times.
class PartWalk {
 public:
  enum class Does : uint8_t { remove, count };
  // How far it is, so that it can be gone on with by another one.
  struct Place {
    std::string marker;
    uint64_t urls = 0;
  };

  explicit PartWalk(Does does) : does_(does) {}
  PartWalk(Does does, Place place) : does_(does), place_(std::move(place)) {}
  // One part. True if it was the last. After an error nothing is left to do.
  Result<bool> step(const AskPart& ask);
  const Place& place() const { return place_; }

 private:
  Result<bool> begin_again(const Error& why);

  Does does_;
  Place place_;
  uint64_t since_ = 0;  // URLs since it has begun again
  int in_vain_ = 0;     // beginnings
};

// Returns how many URLs were deleted.
Result<uint64_t> delete_in_parts(const AskPart& ask);
// Returns how many would be deleted.
Result<uint64_t> count_in_parts(const AskPart& ask);

}  // namespace caddis::control
