// Internal: what the gate and its own pages share.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/access/audit_log.h"
#include "caddis/access/client_address.h"
#include "caddis/access/digest_check.h"
#include "caddis/access/gate.h"
#include "caddis/access/login_limits.h"
#include "caddis/access/password_check.h"
#include "caddis/access/sessions.h"
#include "caddis/access/user_store.h"

namespace caddis::access {

struct GateParts {
  GateParts(GateWorld the_world, GateOptions the_options, ClientAddress the_clients);
  SteadyTime now() const { return world.loop.clock().steady(); }

  GateWorld world;
  const GateOptions options;
  const ClientAddress clients;
  UserStore users;
  AuditLog audit;
  Sessions sessions;
  LoginLimits limits;
  DigestCheck digest;
  PasswordCheck passwords;
  SteadyTime refreshed{};  // when it was last seen whether the users file has changed
};

// Somebody who has shown who they are; or why not.
struct Recognized {
  Identity identity;
  std::string how;    // "session", "token", "basic", "digest"; empty: nothing was shown
  std::string csrf;   // of a session
  std::string error;  // what was shown is not right
  Duration wait{};    // not zero: it was not looked at, and may be shown again after that
  bool is_stale = false;
};

// Refuses what was meant for another host, or comes from another page.
std::optional<http::ServerResponse> refuse_place(const GateParts& parts, const http::ServerRequest& request);
aio::Task<Recognized> recognize(GateParts& parts, const http::ServerRequest& request);
// A name and a password, with the limits of tries.
aio::Task<Recognized> check_login(GateParts& parts, const http::ServerRequest& request, std::string name,
                                  std::string password, std::string how);
aio::Task<void> refresh_users(GateParts& parts);
// 429, with Retry-After.
http::ServerResponse too_early(Duration wait);
aio::Task<void> write_audit(GateParts& parts, AuditEntry entry);
AuditEntry audit_entry(const GateParts& parts, const http::ServerRequest& request, int status);

// The cookie of sessions; browsers share cookies among all ports of a host, so its name has the port.
std::string cookie_name(const GateParts& parts, const http::ServerRequest& request);
std::string_view cookie_of(const GateParts& parts, const http::ServerRequest& request);
// Tells a password from the one before.
std::string stamp_of(const User& user);

}  // namespace caddis::access
