// Internal: the paths that the gate answers itself.
//
//   GET  /login                  the page; POST: {"name", "password"} as JSON or as a form, with "next"
//   POST /logout
//   GET  /api/me                 {"name", "role", "how", "csrf"}
//   PUT  /api/me/password        {"old", "new"}
//   GET  /api/users              {"users": [{"name", "role", "digest", "tokens"}]}
//   POST /api/users              {"name", "role", "password"?, "digest"?}: without a password one is made, and told
//   PUT  /api/users/{name}       {"role"?, "password"?, "digest"?}
//   DELETE /api/users/{name}
//   GET  /api/tokens             one's own; an admin sees all
//   POST /api/tokens             {"purpose"?, "role"?, "days"?, "user"?}: the answer tells the token, once
//   DELETE /api/tokens/{id}
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "caddis/access/gate_parts.h"

namespace caddis::access {

class OwnPages {
 public:
  explicit OwnPages(GateParts& parts) : parts_(parts) {}

  bool has(std::string_view path) const;
  // /login, for everybody.
  aio::Task<http::ServerResponse> log_in(const http::ServerRequest& request);
  // All others, for somebody known.
  aio::Task<http::ServerResponse> answer(const http::ServerRequest& request, const Identity& who);

 private:
  using Task = aio::Task<http::ServerResponse>;
  Task log_out(const http::ServerRequest& request, const Identity& who);
  Task change_own_password(const http::ServerRequest& request, const Identity& who);
  Task make_user_of(const http::ServerRequest& request);
  Task change_user(const http::ServerRequest& request, std::string name);
  Task remove_user_of(std::string name);
  Task make_token(const http::ServerRequest& request, const Identity& who);
  Task remove_token_of(const Identity& who, std::string id);
  http::ServerResponse tell_me(const http::ServerRequest& request, const Identity& who);
  http::ServerResponse list_users() const;
  http::ServerResponse list_tokens(const Identity& who) const;
  aio::Task<Result<void>> change(std::function<Result<void>(UserFile&)> edit);

  GateParts& parts_;
};

}  // namespace caddis::access
