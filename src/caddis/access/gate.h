// The gate before a server: says who sends a request, and whether they may. All that people and programs may show is
// taken: the cookie of a log-in, "Bearer" tokens, HTTP Digest (RFC 7616) and Basic (RFC 7617). docs/access.md is for
// those who run it.
//
//   auto gate = Gate::open(world, options);
//   …in a handler:
//   co_return co_await gate->answer(request, Role::viewer, answer);
//
// One loop. What takes long (scrypt, files) is done on the workers. World and workers must outlive the gate, and the gate
// every call of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "caddis/access/identity.h"
#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "caddis/io/files.h"

namespace caddis::access {

struct GateWorld {
  aio::Loop& loop;
  aio::Blocking& workers;
  io::Files& files;
};

class LogOuts;

struct GateOptions {
  std::string users_file;          // docs/formats/users.md; read again when it changes
  std::string audit_file;          // a JSON line for each change and log-in; empty: none
  std::vector<std::string> names;  // under which the server may be asked besides its addresses and localhost
  std::string token;               // whoever brings it is an admin, also by "/?token=…"; empty: there is none
  bool makes_admin = false;        // if the users file has nobody, one user is made: "admin" with a random password
  // Whoever asks from this machine, without a field that proxies send, and shows nothing, is an admin.
  bool trusts_loopback = false;
  bool keeps_digest = false;              // passwords that are set over HTTP can be used by Digest, too
  std::string base;                       // the path below which the server stands; requests have it no more
  std::shared_ptr<LogOuts> log_outs;      // counts them; null: nobody asks
  std::vector<std::string> proxies;       // addresses and blocks of those that say in X-Forwarded-For who asks
  std::string digest_prefix = "/engine";  // below it, strangers are asked by Digest and Basic; elsewhere led to /login
};

struct Verdict {
  std::optional<http::ServerResponse> refusal;  // to be sent in place of an answer: 401, 403, 421, 429
  Identity identity;                            // of role none if it is refused
};

using Answer = std::function<aio::Task<http::ServerResponse>(const http::ServerRequest&, const Identity&)>;

struct GateParts;
class OwnPages;

class Gate {
 public:
  // ErrorCode::config if the users file is malformed, or has nobody and no admin is to be made, and for a proxy that is
  // no address.
  static Result<std::unique_ptr<Gate>> open(GateWorld world, GateOptions options);
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate();

  // The password of the admin that `open` has made, to be shown once; empty if it has made none.
  const std::string& first_password() const { return first_password_; }

  // Says whether whoever sends the request may do what needs that role.
  aio::Task<Verdict> admit(const http::ServerRequest& request, Role needed);
  // Answers /login, /logout, /api/me…, /api/users… and /api/tokens…; returns nothing for any other path.
  aio::Task<std::optional<http::ServerResponse>> answer_own(const http::ServerRequest& request);
  // The standing (standing.h) of somebody who has just been admitted, before anybody waits: what was given to them ends if it
  // is another one later. GateOptions has `log_outs`. Does not block.
  std::string standing_of(const Identity& admitted) const;
  // Appends a line to the audit log. `admit` and `answer_own` do so for what they refuse or change themselves.
  aio::Task<void> record(const http::ServerRequest& request, const Identity& identity, int status);
  // All three in turn: own paths, then `answer` for those who may; changes (all but GET, HEAD, OPTIONS) are recorded.
  aio::Task<http::ServerResponse> answer(const http::ServerRequest& request, Role needed, const Answer& answer);

 private:
  Gate(std::unique_ptr<GateParts> parts, std::string first_password);
  aio::Task<http::ServerResponse> answer_known(const http::ServerRequest& request);

  const std::unique_ptr<GateParts> parts_;
  const std::string first_password_;
  const std::unique_ptr<OwnPages> pages_;
};

}  // namespace caddis::access
