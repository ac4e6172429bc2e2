// Whether a server of PostgreSQL answers questions. One whose processes hang still takes connections, and its system
// acknowledges what it is sent: libpq's own limits see nothing of it, and whoever asks waits for ever.
#pragma once

#include <string>

#include "caddis/base/error.h"

namespace caddis::sql {

// Connects, asks one question and goes. All of it takes no longer than the address gives a connection (connect_timeout), but
// for finding the server's name. ErrorCode::closed, with the reason, if no answer comes.
Result<void> probe_postgresql(const std::string& address);

}  // namespace caddis::sql
