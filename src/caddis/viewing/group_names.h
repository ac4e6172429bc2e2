// Names of groups and roles as rules and questions have them, held against those that there are: a slip of the pen makes a rule
// that holds for nobody.
//
// Pure functions, any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/viewing/rule_set.h"

namespace caddis::viewing {

// Whether whoever asks a server of an archive may have it: viewer, curator, operator and admin are such roles.
bool is_viewer_role(std::string_view name);
// ErrorCode::config for what is no such role; the message names those that there are. Empty is none, and right.
Result<void> check_viewer_role(std::string_view name);

// The groups that rules name and that nobody is in, each once: no role has the name, and the file gives it no user whom
// `is_user` knows.
using IsUser = std::function<bool(const std::string& name)>;
std::vector<std::string> groups_of_nobody(const RuleList& list, const IsUser& is_user);

}  // namespace caddis::viewing
