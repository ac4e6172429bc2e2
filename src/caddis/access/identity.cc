#include "caddis/access/identity.h"

#include <array>

namespace caddis::access {
namespace {

constexpr std::array<std::string_view, 6> kNames{"none", "harvester", "viewer", "curator", "operator", "admin"};

}  // namespace

std::string_view to_string(Role role) { return kNames[static_cast<size_t>(role)]; }

std::optional<Role> role_of(std::string_view name) {
  for (const Role role : {Role::harvester, Role::viewer, Role::curator, Role::manager, Role::admin})
    if (to_string(role) == name) return role;
  return std::nullopt;
}

}  // namespace caddis::access
