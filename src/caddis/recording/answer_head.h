// The head of a server's response as the browser gets it: as it came, but for what is of the connection (RFC 9110
// section 7.6.1), and for Alt-Svc, which would lead around the proxy.
//
// A pure function; any thread.
#pragma once

#include <string>

#include "caddis/http/framing.h"
#include "caddis/http/head.h"

namespace caddis::recording {

// `keep_alive`: the connection of the client goes on behind the body; one whose server ends with its connection is then
// said to come in chunks.
std::string answer_head(const http::ResponseHead& head, const http::Framing& framing, bool keep_alive);

}  // namespace caddis::recording
