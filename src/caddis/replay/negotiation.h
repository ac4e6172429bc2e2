// The choices of clients by fields of the request: the time (Accept-Datetime, RFC 7089), the form of a capture (Prefer,
// RFC 7240), and, for pages of other sites, whether they may read the answer (CORS, Fetch Standard).
//
// Pure, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "caddis/replay/address.h"

namespace caddis::replay {

// The timestamp of Accept-Datetime; that of the latest without one. ErrorCode::parse where it is malformed.
Result<std::string> asked_datetime(const http::ServerRequest& request);

// The form that Prefer asks for: "raw" or "original-content" is a body as captured (id_), "rewritten" a page whose links
// lead into the archive (mp_). Nothing if it asks for none of them.
struct Preference {
  Modifier modifier = Modifier::main;
  std::string name;  // as it was asked for
};
std::optional<Preference> preference_of(const http::ServerRequest& request);

// Adds names of fields to Vary.
void add_vary(http::ServerHeaders& headers, std::string_view names);
// Lets pages of other sites read the answer, with the fields that clients of Memento need.
void let_others_read(http::ServerHeaders& headers);
// The answer to their question whether they may send such fields.
http::ServerResponse preflight_answer();

}  // namespace caddis::replay
