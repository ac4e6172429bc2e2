#include "simweb/world/doors.h"

#include "caddis/io/base32.h"
#include "simweb/world/hash.h"
#include "simweb/world/names.h"

namespace simweb {

bool has_door(const HostFacts& host, Kind kind) { return host.door != Door::open && kind < Kind::robots; }

std::string door_cookie(const WebSettings& settings, HostId host) {
  std::string cookie = "door=";
  append_base36(cookie, draw(settings.seed, Salt::host_door, host, 1));
  return cookie;
}

bool lets_in(const WebSettings& settings, const HostFacts& host, Kind kind, std::string_view cookie,
             std::string_view authorization) {
  if (!has_door(host, kind)) return true;
  if (host.door == Door::login) {
    static const std::string credentials =
        "Basic " + caddis::io::encode_base64(std::string(kMember) + ":" + std::string(kMemberPassword));
    return authorization == credentials;
  }
  const std::string wanted = door_cookie(settings, host.id);
  for (size_t at = 0; (at = cookie.find(wanted, at)) != cookie.npos; at += wanted.size()) {
    const size_t end = at + wanted.size();
    const bool begins = at == 0 || cookie[at - 1] == ' ';
    if (begins && (end == cookie.size() || cookie[end] == ';')) return true;
  }
  return false;
}

int door_status(const HostFacts& host) { return host.door == Door::login ? 401 : 302; }

}  // namespace simweb
