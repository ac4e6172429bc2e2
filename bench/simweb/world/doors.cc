#include "simweb/world/doors.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/io/base32.h"
#include "simweb/world/hash.h"
#include "simweb/world/names.h"

namespace simweb {
namespace {

std::string token(const WebSettings& settings, HostId host, uint64_t which) {
  std::string text;
  append_base36(text, draw(settings.seed, Salt::host_door, host, which));
  return text;
}

// The last argument of a draw for Salt::host_door.
constexpr uint64_t kCookie = 1, kFormToken = 2, kInPlace = 3, kFirstSession = 16;

// "of+simweb", "a%26b".
std::string form_decoded(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    const int high = text[at] == '%' && at + 2 < text.size() ? caddis::hex_value(text[at + 1]) : -1;
    const int low = high >= 0 ? caddis::hex_value(text[at + 2]) : -1;
    if (low >= 0) {
      out += static_cast<char>(high * 16 + low);
      at += 2;
    } else {
      out += text[at] == '+' ? ' ' : text[at];
    }
  }
  return out;
}

}  // namespace

Door door_of(const WebSettings& settings, HostId host, Kind kind) {
  if (kind >= Kind::robots || settings.cookie_host + settings.login_host + settings.form_host == 0) return Door::open;
  const double at = unit(draw(settings.seed, Salt::host_door, host));
  if (at < settings.cookie_host) return Door::cookie;
  if (at < settings.cookie_host + settings.login_host) return Door::login;
  return at < settings.cookie_host + settings.login_host + settings.form_host ? Door::form : Door::open;
}

std::string door_cookie(const WebSettings& settings, HostId host) { return "door=" + token(settings, host, kCookie); }

bool has_cookie(std::string_view field, std::string_view cookie) {
  for (size_t at = 0; (at = field.find(cookie, at)) != field.npos; at += cookie.size()) {
    const size_t end = at + cookie.size();
    const bool begins = at == 0 || field[at - 1] == ' ';
    if (begins && (end == field.size() || field[end] == ';')) return true;
  }
  return false;
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
  return door == Door::cookie && has_cookie(cookie, door_cookie(settings, host));
}

int door_status(const WebSettings& settings, HostId host, Door door) {
  if (door == Door::login) return 401;
  return door == Door::form && shows_form(settings, host) ? 200 : 302;
}

bool shows_form(const WebSettings& settings, HostId host) {
  return (draw(settings.seed, Salt::host_door, host, kInPlace) & 1) != 0;
}

std::string session_cookie(const WebSettings& settings, HostId host, uint64_t number) {
  return "session=" + token(settings, host, kFirstSession + number);
}

std::vector<std::pair<std::string, std::string>> form_fields(const WebSettings& settings, HostId host) {
  return {{"token", token(settings, host, kFormToken)},
          {"who", std::string(kMember)},
          {"word", std::string(kMemberPassword)},
          {"stay", "yes"},
          {"club", "Old members"},
          {"go", "Enter"}};
}

bool fills_form(const WebSettings& settings, HostId host, std::string_view body) {
  std::vector<std::pair<std::string, std::string>> sent;
  for (const std::string_view field : caddis::split(body, '&')) {
    const size_t equals = std::min(field.find('='), field.size());
    sent.emplace_back(form_decoded(field.substr(0, equals)),
                      form_decoded(field.substr(std::min(equals + 1, field.size()))));
  }
  return sent == form_fields(settings, host);
}

}  // namespace simweb
