// The keys of seeds that are no seeds any more. They cannot be taken out of a set of fingerprints, so they stand here, by
// their names: people end few seeds.
//
//   keys.propose("example.org");   // for each seed that ends
//   keys.keep("example.org");      // for each seed that stays, or comes: another one may have the same key
//   keys.settle();                 // what nobody has kept is gone
//
// Any thread. As long as nothing was proposed, asking costs one load.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <shared_mutex>
#include <string>
#include <string_view>

namespace caddis::scope {

class LeavingKeys {
 public:
  void propose(std::string_view key);
  // One that has gone before.
  void note_gone(std::string_view key);
  void keep(std::string_view key);
  void settle();
  bool is_gone(std::string_view key) const;

 private:
  std::atomic<bool> has_any_ = false;
  mutable std::shared_mutex mutex_;
  std::map<std::string, bool, std::less<>> keys_;  // whether they are gone
};

}  // namespace caddis::scope
