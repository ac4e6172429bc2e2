// Asks a running crawl through its control socket.
#pragma once

#include <string>

#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::control {

// The body of the answer. ErrorCode::not_found where nobody answers on the socket: the crawl does not run;
// ErrorCode::conflict where a marker no longer holds (410).
aio::Task<Result<std::string>> ask(aio::Loop& loop, std::string socket, std::string method, std::string path,
                                   std::string body = "", Duration patience = std::chrono::seconds(10));

}  // namespace caddis::control
