// The head of a replayed response: which fields of the captured one a browser may act upon, under which name, and what
// is added so that nothing leaves the archive. Pure, any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/http/head.h"
#include "caddis/http/server.h"
#include "caddis/replay/link_rewriter.h"

namespace caddis::replay {

// Fields that describe the body are kept; those with URLs that browsers follow are rewritten (`links`; null keeps them
// only under their archived name); all others are kept for readers as "X-Archive-Orig-<name>". Content-Length and
// Transfer-Encoding are never kept: they are the server's.
http::ServerHeaders replay_headers(const http::Head& captured, const LinkRewriter* links);

// "<https://a/x.css>; rel=preload, …" with the targets rewritten.
std::string rewrite_link_header(std::string_view value, const LinkRewriter& links);

// What keeps a replayed page inside the archive, whatever it tries.
std::string_view content_security_policy();
// The same for the archive's own pages, stricter.
std::string_view own_content_security_policy();
void add_confinement(http::ServerHeaders& headers);

// Replaces or adds one field.
void set_header(http::ServerHeaders& headers, std::string_view name, std::string value);
std::string_view find_header(const http::ServerHeaders& headers, std::string_view name);
void remove_header(http::ServerHeaders& headers, std::string_view name);

}  // namespace caddis::replay
