// Doors: hosts that show their pages only to those who bring a cookie, or are members. robots.txt, icons, sitemaps and
// traps are for everybody.
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "simweb/world/host.h"
#include "simweb/world/settings.h"

namespace simweb {

enum class Door : uint8_t {
  open,    // everybody comes in
  cookie,  // the first answer sets a cookie, and leads to the same URL
  login,   // members alone: others get 401
};

// The name and password by which members log in (Basic).
inline constexpr std::string_view kMember = "member", kMemberPassword = "of simweb";

// The door of a host before such a page.
Door door_of(const WebSettings& settings, HostId host, Kind kind);
// Whether a request with these fields (Cookie, Authorization; empty if it has none) comes through it.
bool lets_in(const WebSettings& settings, HostId host, Kind kind, std::string_view cookie,
             std::string_view authorization);
// The cookie of a host: "door=1a2b".
std::string door_cookie(const WebSettings& settings, HostId host);
// The status of those who are not let in: 302 or 401.
int door_status(Door door);

}  // namespace simweb
