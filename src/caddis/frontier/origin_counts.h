// How many URLs are outstanding of what an operator watches: a seed, a feed, a request of his own. A URL belongs to the
// seed that it comes from (Candidate::seed); only seeds that are watched are counted, so nothing is spent on others.
//
// Counts are exact for a seed that is watched before its first URL is scheduled, and survive a restart. Belongs to the
// frontier's thread.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/store/kv.h"

namespace caddis::frontier {

class OriginCounts {
 public:
  // From now on the URLs of this seed are counted.
  void watch(const std::string& seed);
  void forget(const std::string& seed);
  // URLs of a seed that is watched that wait or are being visited; 0 of any other.
  uint64_t outstanding(std::string_view seed) const;
  // So many more, or less, URLs of the seed are outstanding.
  void add(std::string_view seed, int64_t urls);
  // No seed is watched: nobody has to tell of URLs one by one.
  bool empty() const { return counts_.empty(); }

  // Adds the rows that changed since the last call: docs/formats/frontier.md.
  void stage(store::Batch& batch, store::Family family);
  Result<void> load(store::Kv& kv, store::Family family);

 private:
  std::map<std::string, uint64_t, std::less<>> counts_;
  std::set<std::string, std::less<>> changed_;
};

}  // namespace caddis::frontier
