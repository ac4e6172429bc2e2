// How many requests a client may send: so many a minute on average, and some at once. A client is an IPv4 address, or an
// IPv6 network of 64 bits, which is what one customer has.
//
// One thread. Memory is bounded: of very many clients, those that have been quiet longest are forgotten first.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"

namespace caddis::replay {

class RequestLimits {
 public:
  // 0 a minute: no limit.
  RequestLimits(uint32_t per_minute, uint32_t at_once) : per_minute_(per_minute), at_once_(at_once) {}

  // Zero if the request may be answered, and it is counted; otherwise how long the client has to wait.
  Duration take(std::string_view address, SteadyTime now);
  uint64_t refused() const { return refused_; }

 private:
  struct Client {
    SteadyTime full;  // when it may send `at_once_` again
  };
  void forget_quiet(SteadyTime now);

  const uint32_t per_minute_, at_once_;
  uint64_t refused_ = 0;
  std::map<std::string, Client, std::less<>> clients_;
};

}  // namespace caddis::replay
