// Asks a running crawl through its control socket, and waits for the answer.
#pragma once

#include <string>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::control {

struct Question {
  std::string method, target;  // "GET", "/urls?limit=10"
  std::string body = "";
};

// The body of the answer, on this thread. ErrorCode::not_found if nobody answers on the socket: the crawl does not run;
// ErrorCode::denied if the socket is another user's, or the crawl refuses; ErrorCode::conflict if a marker no longer
// holds (410).
Result<std::string> ask(const std::string& socket, const Question& question,
                        Duration patience = std::chrono::seconds(10));

}  // namespace caddis::control
