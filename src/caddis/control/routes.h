// The control API of a crawl as a table of routes, and the answers by it. api/openapi.yaml describes every one; what a
// request gets that no route takes, router.h says.
//
// On the crawl's loop.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/access/identity.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/control/frontier_view.h"
#include "caddis/crawl/operator.h"
#include "caddis/http/server.h"

namespace caddis::control {

// The answer to a request, at once: nothing if its route takes time, which is `respond`'s affair.
std::optional<http::ServerResponse> answer_at_once(crawl::Operator& crawl, const http::ServerRequest& request);

// The answer to any request, on behalf of `actor`, whom the crawl's logs name. Crawl and request have to live until it
// has come.
aio::Task<http::ServerResponse> respond(crawl::Operator& crawl, const http::ServerRequest& request,
                                        std::string actor = {});
// Whom a request on the socket is asked for, as it says itself (kActorField). Empty if it does not, or not in a name.
std::string actor_of(const http::ServerRequest& request);

// The role that a request needs where people are told apart (access/gate.h): viewer to read, operator to change the
// crawl, admin for the console, whose scripts may do anything.
access::Role needed_role(std::string_view method, std::string_view path);

// The document that GET returns for a path that is about the frontier alone; ErrorCode::unsupported for any other.
Result<std::string> look(const FrontierView& view, std::string_view path, std::string_view query);

}  // namespace caddis::control
