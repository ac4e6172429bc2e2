// Log-ins of browsers: what the cookie of each stands for. They live in memory, and end with the process.
//
// One thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"

namespace caddis::access {

class Sessions {
 public:
  struct Session {
    std::string user;
    std::string stamp;  // of the user's password: another one ends the session
    std::string csrf;   // to be sent in X-Caddis-CSRF by what changes something
    SteadyTime began, used;
  };
  // Returns the secret for the cookie. Beyond 20 of a user or 2,000 in all, the one used longest ago ends.
  std::string begin(std::string user, std::string stamp, SteadyTime now);
  // Returns nothing for one that has ended, by 12 hours without use or 7 days in all; otherwise it counts as used now.
  const Session* find(std::string_view secret, SteadyTime now);
  void end(std::string_view secret);
  size_t size() const { return sessions_.size(); }

 private:
  void make_room(std::string_view user, SteadyTime now);

  std::map<std::string, Session, std::less<>> sessions_;  // by the SHA-256 of the secret
};

}  // namespace caddis::access
