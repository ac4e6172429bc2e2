// The pages for people in a browser: one document with its script and its style. They hold nothing of a crawl: what they
// show, they ask their server for, and no other. So whoever can reach the server may have them; what they ask for is
// behind its gate.
//
// Pure functions, any thread.
#pragma once

#include <optional>

#include "caddis/http/server.h"

namespace caddis::webui {

// The server that the pages talk to.
enum class Server { engine, crawl, harvest };

// The document; what it shows depends on the part of the address behind '#', which no server sees.
http::ServerResponse page(Server server);
// The answer to GET and HEAD of "/assets/…"; nothing for any other request. Packed for whoever takes that (RFC 9110
// section 12.5.3), and not sent again to whoever has it (If-None-Match).
std::optional<http::ServerResponse> asset(const http::ServerRequest& request);
// True for the document and the assets of an engine: they ask for a log-in themselves.
bool is_for_everybody(const http::ServerRequest& request);
// The answer of an engine, or a harvest server, to all that none of its other parts has: the document at "/", the assets,
// and 404.
http::ServerResponse answer(const http::ServerRequest& request, Server server = Server::engine);

}  // namespace caddis::webui
