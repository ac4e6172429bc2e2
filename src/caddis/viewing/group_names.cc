#include "caddis/viewing/group_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "caddis/access/identity.h"

namespace caddis::viewing {

bool is_viewer_role(std::string_view name) {
  const auto role = access::role_of(name);
  return role && *role >= access::Role::viewer;
}

Result<void> check_viewer_role(std::string_view name) {
  if (name.empty() || is_viewer_role(name)) return {};
  return fail(ErrorCode::config, fmt::format("'{}' is no role: viewer, curator, operator and admin are", name));
}

std::vector<std::string> groups_of_nobody(const RuleList& list, const IsUser& is_user) {
  std::set<std::string> named;
  for (const Rule& rule : list.rules) named.insert(rule.groups.begin(), rule.groups.end());
  // A group of the file comes before a role of its name.
  std::erase_if(named, [&](const std::string& group) {
    const auto found = list.groups.find(group);
    return found == list.groups.end() ? is_viewer_role(group) : std::ranges::any_of(found->second, is_user);
  });
  return {named.begin(), named.end()};
}

}  // namespace caddis::viewing
