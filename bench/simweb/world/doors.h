// Doors: hosts that show their pages only to those who bring a cookie, or are members. robots.txt, icons, sitemaps and
// traps are for everybody.
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "simweb/world/host.h"
#include "simweb/world/settings.h"

namespace simweb {

// By which members log in (Basic).
inline constexpr std::string_view kMember = "member", kMemberPassword = "of simweb";

// Whether the host has a door before such a page.
bool has_door(const HostFacts& host, Kind kind);
// Whether a request with these fields (Cookie, Authorization; empty if it has none) comes through it.
bool lets_in(const WebSettings& settings, const HostFacts& host, Kind kind, std::string_view cookie,
             std::string_view authorization);
// The cookie of a host: "door=1a2b".
std::string door_cookie(const WebSettings& settings, HostId host);
// 302 or 401, of those who are not let in.
int door_status(const HostFacts& host);

}  // namespace simweb
