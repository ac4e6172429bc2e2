// A walk over the URLs that wait: chunks, then retries, then letters, each by key. Internal to the frontier.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/frontier/frontier.h"

namespace caddis::frontier {

// Ends the marker of a deletion, which stands though what it names was deleted.
inline constexpr std::string_view kOfDeletion = "d";

struct Frontier::Walk {
  HostStore& store;
  WallTime now;
  std::string prefix;                                // of the keys of all rows
  std::function<bool(const WaitingUrl&)> see;        // false: stop before this one
  Place place = {};                                  // where it begins, and where it has stopped
  size_t rows = std::numeric_limits<size_t>::max();  // so many at most
  bool stopped = false;
  Host outside = {};  // the one whose cursors were read last

  Result<void> row(std::string_view key, std::string_view value);
  Result<const Host*> host_of(std::string_view name);
  Result<void> chunk(std::string_view key, std::string_view value);
  Result<void> retry(std::string_view key, std::string_view value);
  Result<void> letter(std::string_view value);
  Result<void> give(std::vector<Candidate> items, size_t first, WaitingUrl url);
};

}  // namespace caddis::frontier
