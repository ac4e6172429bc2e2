// Answers about the access points, rules and policies of an index, at OutbackCDX's addresses. They block; any thread.
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/cdxserver/access_control.h"
#include "caddis/http/server.h"

namespace caddis::cdxserver {

// GET …/access/rules, …/rules/new, …/rules/ID, …/policies, …/policies/ID; `what` is what follows "access/".
http::ServerResponse answer_access(const AccessControl& access, std::string_view index, std::string_view what,
                                   const http::ServerRequest& request);
// GET …/access/all: rules and policies as a copy of the index takes them over, 304 if it has them (If-None-Match).
http::ServerResponse answer_access_copy(const AccessControl& access, const http::ServerRequest& request);
// POST …/access/rules, …/access/policies.
http::ServerResponse change_access(AccessControl& access, std::string_view what, const std::string& body,
                                   const http::ServerRequest& request, std::string_view user, WallTime now);
// DELETE …/access/rules/ID.
http::ServerResponse remove_access(AccessControl& access, std::string_view what);
// GET …/ap/POINT/check?url=&timestamp=, and POST of many.
http::ServerResponse answer_check(const AccessControl& access, const std::string& point,
                                  const http::ServerRequest& request, WallTime now);
http::ServerResponse answer_checks(const AccessControl& access, const std::string& point, const std::string& body,
                                   WallTime now);

}  // namespace caddis::cdxserver
