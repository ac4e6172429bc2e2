// The path below which a server stands, as behind a reverse proxy whose host has other things, too: "/wayback". Requests
// are taken apart below it; every address that is sent has it in front. Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/http/server.h"

namespace caddis::replay {

// "/wayback" for "wayback", "/wayback" and "/wayback/"; empty for "" and "/". ErrorCode::config for what is no such path.
Result<std::string> parse_base_path(std::string_view text);

// "/x?y" of "/wayback/x?y"; nothing for what lies outside of `base`, and for "/wayback" itself.
std::optional<std::string> below_base(std::string_view base, std::string_view target);

// The same request as a server asked without a base path gets it; nothing if it is for what lies outside.
std::optional<http::ServerRequest> below_base(std::string_view base, const http::ServerRequest& request);

// With its query, without scheme and host.
std::string target_of(const http::ServerRequest& request);

}  // namespace caddis::replay
