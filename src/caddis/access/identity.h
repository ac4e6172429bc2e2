// Names and roles of those who ask a server. A role includes all below it.
//
// Const, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace caddis::access {

// A viewer reads, a manager ("operator" to people) changes what is crawled, an admin also changes who may. A curator says what
// a harvest server harvests, and is a viewer of all other servers. A harvester is a machine that takes jobs of a harvest server;
// it reads nothing else, and no server but that one lets it in.
enum class Role { none, harvester, viewer, curator, manager, admin };

// "none", "harvester", "viewer", "curator", "operator", "admin".
std::string_view to_string(Role role);
// Returns nothing for any other name, and for "none".
std::optional<Role> role_of(std::string_view name);

struct Identity {
  std::string name;
  Role role = Role::none;
};

}  // namespace caddis::access
