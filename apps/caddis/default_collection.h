// The folder of an archive if nobody names one: it is named after the host of the first seed.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::cli {

// "./example.org": a folder that is not there yet, is empty, or is a collection. ErrorCode::config if it holds anything
// else, or no seed has a host.
Result<std::string> default_collection(const std::vector<std::string>& seeds);

}  // namespace caddis::cli
