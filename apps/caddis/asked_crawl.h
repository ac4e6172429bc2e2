// The latest crawl of a collection on this machine.
#pragma once

#include <string>

#include "caddis/base/error.h"
#include "caddis/control/asked_crawl.h"

namespace caddis::cli {

using control::AskedCrawl;
using control::query_of;

// Crawls of this machine: by their sockets, and their stores.
const control::AskingWorld& real_crawls();

// ErrorCode::not_found if there is none.
Result<AskedCrawl> open_asked_crawl(const std::string& collection);

}  // namespace caddis::cli
