// Captures that are blocked are told of, and not shown: 451 (RFC 7725).
#pragma once

#include <optional>
#include <string_view>

#include "caddis/http/server.h"
#include "caddis/replay/address.h"
#include "caddis/replay/request_context.h"

namespace caddis::replay {

// An answer if the time names a capture that is blocked for the viewer, or if of the URL nothing may be seen and something
// is blocked; nothing if it goes on as if only what may be seen were there. What is excluded is told nowhere.
std::optional<http::ServerResponse> refuse_blocked(const RequestContext& context, std::string_view url,
                                                   std::string_view timestamp, Modifier modifier);

// The same for a proxy: a text, since a page of ours would ask the captured host for its style.
std::optional<http::ServerResponse> refuse_blocked_as_captured(const RequestContext& context, const Address& address);

// Answers as they are, with the collection that they are made from kept as long as their body needs it.
http::ServerResponse keep_for_body(http::ServerResponse response, std::shared_ptr<Collection> collection);

}  // namespace caddis::replay
