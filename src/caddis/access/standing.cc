#include "caddis/access/standing.h"

#include "caddis/access/gate_parts.h"
#include "caddis/base/log.h"

namespace caddis::access {
namespace {

std::string standing_in(const UserFile& users, std::string_view name, Role role) {
  const User* const user = users.find_user(name);
  return user == nullptr || user->role < role ? std::string() : stamp_of(*user);
}

std::string with_log_outs(std::string standing, const LogOuts& log_outs, std::string_view name) {
  return standing.empty() ? standing : standing + ' ' + std::to_string(log_outs.of(name));
}

}  // namespace

std::string standing_of(UserStore& users, std::string_view name, Role role) {
  if (const auto done = users.refresh(); !done)
    log_warn("access", "the users stay as they were: {}", done.error().message);
  return standing_in(*users.users(), name, role);
}

std::string standing_of(UserStore& users, const LogOuts& log_outs, std::string_view name, Role role) {
  return with_log_outs(standing_of(users, name, role), log_outs, name);
}

std::string standing_in(const UserFile& users, const LogOuts& log_outs, std::string_view name, Role role) {
  return with_log_outs(standing_in(users, name, role), log_outs, name);
}

}  // namespace caddis::access
