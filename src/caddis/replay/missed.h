// Resources that replayed pages asked for and did not get: kept in memory, for the operator who looks at the quality of a crawl
// and wants the rest as seeds. Bounded. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace caddis::replay {

struct MissedResource {
  std::string url;
  std::string page, timestamp;  // that asked for it
  std::string kind;             // as the browser calls it ("image", "script"); may be empty
  uint64_t count = 0;
};

class MissedResources {
 public:
  static constexpr size_t kMost = 10'000;

  void add(std::string_view collection, MissedResource missed);
  // Ordered by page, then URL.
  std::vector<MissedResource> of(std::string_view collection) const;
  bool is_full() const;
  void clear(std::string_view collection);

 private:
  using Key = std::pair<std::string, std::pair<std::string, std::string>>;  // collection, page, URL
  mutable std::mutex mutex_;
  std::map<Key, MissedResource> all_;
};

}  // namespace caddis::replay
