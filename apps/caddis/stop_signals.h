// The signals that ask a long-running command to end in good order: SIGINT, SIGTERM, and SIGHUP (the terminal or the
// connection has gone), which stays ignored where it is: under nohup.
#pragma once

namespace caddis::cli {

// SIGINT or SIGTERM a second time ends the process at once, with exit code 4. SIGHUP does not count for that: one
// hang-up is told by kernel, shell and service manager alike.
void take_stop_signals();
bool stop_asked();

}  // namespace caddis::cli
