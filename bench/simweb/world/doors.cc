#include "simweb/world/doors.h"

#include "caddis/io/base32.h"
#include "simweb/world/hash.h"
#include "simweb/world/names.h"

namespace simweb {

Door door_of(const WebSettings& settings, HostId host, Kind kind) {
  if (kind >= Kind::robots || settings.cookie_host + settings.login_host == 0) return Door::open;
  const double at = unit(draw(settings.seed, Salt::host_door, host));
  if (at < settings.cookie_host) return Door::cookie;
  return at < settings.cookie_host + settings.login_host ? Door::login : Door::open;
}

std::string door_cookie(const WebSettings& settings, HostId host) {
  std::string cookie = "door=";
  append_base36(cookie, draw(settings.seed, Salt::host_door, host, 1));
  return cookie;
}

bool lets_in(const WebSettings& settings, HostId host, Kind kind, std::string_view cookie,
             std::string_view authorization) {
  const Door door = door_of(settings, host, kind);
  if (door == Door::open) return true;
  if (door == Door::login) {
    static const std::string credentials =
        "Basic " + caddis::io::encode_base64(std::string(kMember) + ":" + std::string(kMemberPassword));
    return authorization == credentials;
  }
  const std::string wanted = door_cookie(settings, host);
  for (size_t at = 0; (at = cookie.find(wanted, at)) != cookie.npos; at += wanted.size()) {
    const size_t end = at + wanted.size();
    const bool begins = at == 0 || cookie[at - 1] == ' ';
    if (begins && (end == cookie.size() || cookie[end] == ';')) return true;
  }
  return false;
}

int door_status(Door door) { return door == Door::login ? 401 : 302; }

}  // namespace simweb
