// The engine that has a folder of jobs, asked through its Unix socket.
#pragma once

#include <string>

#include "caddis/base/error.h"

namespace caddis::cli {

std::string engine_socket_of(const std::string& jobs_folder);

// The body of its answer. ErrorCode::not_found if no engine runs, or if it answers 404; the message is the engine's.
Result<std::string> ask_engine(const std::string& jobs_folder, const std::string& method, const std::string& target,
                               const std::string& body = "");

}  // namespace caddis::cli
