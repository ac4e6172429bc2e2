// How often each user has logged out since the server began. What was given to somebody who was logged in, and is shown without
// the log-in (addresses with a key), ends if the number has grown. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace caddis::access {

class LogOuts {
 public:
  void add(std::string_view user);
  uint64_t of(std::string_view user) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, uint64_t, std::less<>> counts_;  // those of the users file alone log out
};

}  // namespace caddis::access
