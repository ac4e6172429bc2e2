// How often somebody may try a password: after a few failures each further one doubles the time until the next try, for
// the address it came from and for the name that was tried. So neither one address tries many names, nor many addresses
// one name.
//
// Both tables are bounded: beyond that, those whose last failure is longest ago are forgotten. One thread.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"

namespace caddis::access {

class LoginLimits {
 public:
  // Returns how long to wait before the next try; zero if it may be now. `address`: of IPv6, the first 64 bits count.
  Duration wait(std::string_view address, std::string_view name, SteadyTime now) const;
  void failed(std::string_view address, std::string_view name, SteadyTime now);
  // The name's failures are forgotten; those of the address go with time.
  void succeeded(std::string_view name);
  size_t size() const { return addresses_.size() + names_.size(); }

 private:
  struct Failures {
    unsigned count = 0;
    SteadyTime last{};
  };
  using Table = std::map<std::string, Failures, std::less<>>;
  static Duration wait_of(const Table& table, std::string_view key, SteadyTime now, Duration longest);
  static void add(Table& table, std::string_view key, SteadyTime now);

  Table addresses_, names_;
};

}  // namespace caddis::access
