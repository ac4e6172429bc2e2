// Waiting URLs, their queues and hosts, and statuses, in words for people. Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "caddis/control/api_types.h"

namespace caddis::why {

// "-9998 (forbidden by robots.txt)".
std::string status_words(int64_t status);
// "waits in http://a.example (ready), normal line, 3 before it, try 1".
std::string waiting_words(const control::api::WaitingUrl& one);
// The strongest reason why nothing of a host is visited, or when the next visit is: what holds up the host, then what
// holds up all of its queues.
std::string next_of(const control::api::Host& host);

}  // namespace caddis::why
