#include "simweb/serve/sessions.h"

#include <limits>

#include "simweb/world/doors.h"

namespace simweb {

std::optional<std::string> Sessions::begin(HostId host, std::string_view body) {
  if (!fills_form(settings_, host, body)) {
    ++recorder_.logins().refused;
    return std::nullopt;
  }
  ++recorder_.logins().accepted;
  const uint64_t pages = settings_.session_pages == 0 ? std::numeric_limits<uint64_t>::max() : settings_.session_pages;
  Session& session = sessions_[host] = {session_cookie(settings_, host, begun_++), pages};
  return session.cookie;
}

bool Sessions::shows(HostId host, std::string_view cookies) {
  const auto found = sessions_.find(host);
  if (found == sessions_.end()) return false;
  Session& session = found->second;
  if (!has_cookie(cookies, session.cookie)) return false;
  if (session.left > 0) {
    --session.left;
    return true;
  }
  if (!session.has_ended) ++recorder_.logins().ended;
  session.has_ended = true;
  return false;
}

}  // namespace simweb
