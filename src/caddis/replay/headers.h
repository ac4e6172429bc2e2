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

// Fields that describe the body are kept. Those with URLs that browsers follow are rewritten, and left out if no URL of
// the archive can be made of theirs (`links`; null leaves all of them out). Every field that is not passed on as it was
// captured is kept for readers as "X-Archive-Orig-<name>". Content-Length and Transfer-Encoding are never kept: they
// are the server's.
http::ServerHeaders replay_headers(const http::Head& captured, const LinkRewriter* links);

// "<https://a/x.css>; rel=preload, …" with the targets rewritten. Items without a target that can be, and those that
// only open connections (preconnect, dns-prefetch), are left out.
std::string rewrite_link_header(std::string_view value, const LinkRewriter& links);

// What captured scripts may do: open neither windows nor downloads, nor touch the window around them.
inline constexpr std::string_view kSandbox = "allow-scripts allow-forms allow-modals allow-pointer-lock";
inline constexpr std::string_view kSandboxWithOrigin =
    "allow-scripts allow-forms allow-modals allow-pointer-lock allow-same-origin";

// How a captured document is held inside the archive, whatever it tries.
struct Confinement {
  enum class Scripts {
    none,            // nothing runs, nor goes on by itself
    without_origin,  // in an origin that is nobody's
    with_origin,     // in the origin of its host
  };
  Scripts scripts = Scripts::none;
  // Content security policy source lists: all that it may load, and who may frame it (empty: anybody).
  std::string sources = "'none'";
  std::string ancestors;

  Confinement without_scripts() const { return {Scripts::none, sources, ancestors}; }
};

std::string capture_policy(const Confinement& confinement);
// The same for the archive's own pages, stricter.
std::string_view own_content_security_policy();
// Sets the fields that confine a captured document.
void add_confinement(http::ServerHeaders& headers, const Confinement& confinement);

// A sentence that gives a captured page nothing to reach into, should one have it in a frame.
http::ServerResponse confined_text(int status, std::string_view sentence);

// Replaces or adds one field.
void set_header(http::ServerHeaders& headers, std::string_view name, std::string value);
std::string_view find_header(const http::ServerHeaders& headers, std::string_view name);
void remove_header(http::ServerHeaders& headers, std::string_view name);

}  // namespace caddis::replay
