// Doors: hosts that show their pages only to those who bring a cookie, are members, or have a session. robots.txt, icons,
// sitemaps and traps are for everybody.
//
// A session begins with a form, which is filled in by whoever knows the name and the password. It shows so many pages as
// the settings say, and ends; then a host either leads to its form, or shows it in place of the page (200).
//
// Pure functions; any thread. Who has which session is known to serve/sessions.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simweb/world/host.h"
#include "simweb/world/settings.h"

namespace simweb {

enum class Door : uint8_t {
  open,    // everybody comes in
  cookie,  // the first answer sets a cookie, and leads to the same URL
  login,   // members alone: others get 401
  form,    // whoever has a session: others are led to the form
};

// The name and password by which members log in.
inline constexpr std::string_view kMember = "member", kMemberPassword = "of simweb";
// The path of the form, where it leads, and words that stand on it and on no other page.
inline constexpr std::string_view kFormTarget = "/login", kWelcomeTarget = "/welcome",
                                  kFormWords = "Please log in here";

// The door of a host before such a page.
Door door_of(const WebSettings& settings, HostId host, Kind kind);
// Whether a request with these fields (Cookie, Authorization; empty if it has none) comes through it. Sessions are
// nobody's to know here: a door of that kind is closed.
bool lets_in(const WebSettings& settings, HostId host, Kind kind, std::string_view cookie,
             std::string_view authorization);
// Whether a Cookie field has this one, "name=value".
bool has_cookie(std::string_view field, std::string_view cookie);
// The cookie of a host: "door=1a2b".
std::string door_cookie(const WebSettings& settings, HostId host);
// The status of those who are not let in: 302, 401 or 200.
int door_status(const WebSettings& settings, HostId host, Door door);
// A host with a form shows it in place of its pages.
bool shows_form(const WebSettings& settings, HostId host);
// The cookie of the session of that number: "session=1a2b".
std::string session_cookie(const WebSettings& settings, HostId host, uint64_t number);
// The fields that the form of a host sends, in their order, if it is filled in rightly.
std::vector<std::pair<std::string, std::string>> form_fields(const WebSettings& settings, HostId host);
// Whether the body of a POST (application/x-www-form-urlencoded) is that.
bool fills_form(const WebSettings& settings, HostId host, std::string_view body);

}  // namespace simweb
