#include "caddis/access/standing.h"

#include "caddis/access/gate_parts.h"
#include "caddis/base/log.h"

namespace caddis::access {

std::string standing_of(UserStore& users, std::string_view name, Role role) {
  if (const auto done = users.refresh(); !done)
    log_warn("access", "the users stay as they were: {}", done.error().message);
  const auto all = users.users();
  const User* const user = all->find_user(name);
  return user == nullptr || user->role < role ? std::string() : stamp_of(*user);
}

std::string standing_of(UserStore& users, const LogOuts& log_outs, std::string_view name, Role role) {
  std::string standing = standing_of(users, name, role);
  return standing.empty() ? standing : standing + ' ' + std::to_string(log_outs.of(name));
}

}  // namespace caddis::access
