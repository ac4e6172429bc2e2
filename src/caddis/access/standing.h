// The standing of a log-in later, where nobody asks for it again.
#pragma once

#include <string>
#include <string_view>

#include "caddis/access/identity.h"
#include "caddis/access/log_outs.h"
#include "caddis/access/user_file.h"
#include "caddis/access/user_store.h"

namespace caddis::access {

// The name of whoever asks from this machine, if GateOptions::trusts_loopback has them do so without a log-in. They have no
// line in the file of users; their standing is this name, always.
inline constexpr std::string_view kLoopbackUser = "loopback";

// Returns the text that stands for a user who is at least of that role, by the file as it is now: another text after a new password; empty
// if there is no such user any more. Blocks; any thread.
std::string standing_of(UserStore& users, std::string_view name, Role role);
// The same for a log-in in a browser: also another text after the user has logged out, wherever that was.
std::string standing_of(UserStore& users, const LogOuts& log_outs, std::string_view name, Role role);
// The same by users as they were read. Does not block.
std::string standing_in(const UserFile& users, const LogOuts& log_outs, std::string_view name, Role role);

}  // namespace caddis::access
