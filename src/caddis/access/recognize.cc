// Finds out who sends a request. The field Authorization counts before a cookie; only one of both is looked at. The users
// file is looked at once a second at most, on a worker.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "caddis/access/answers.h"
#include "caddis/access/authorization.h"
#include "caddis/access/gate_parts.h"
#include "caddis/access/origin.h"
#include "caddis/access/secret.h"
#include "caddis/access/standing.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/http/host_check.h"

namespace caddis::access {
namespace {

constexpr Duration kRefresh = std::chrono::seconds(1);
constexpr std::string_view kWrong =
    "the name or the password is wrong (for HTTP Digest, a password has to be set so that it can be used for it)";

Recognized known(std::string name, Role role, std::string how) {
  Recognized made;
  made.identity = {.name = std::string(std::move(name)), .role = role};
  made.how = std::move(how);
  return made;
}

Recognized unknown(std::string_view error, std::string how) {
  Recognized made;
  made.error = error;
  made.how = std::move(how);
  return made;
}

Recognized recognize_token(const GateParts& parts, std::string_view secret) {
  if (!parts.options.token.empty() && are_same(secret, parts.options.token))
    return known("token", Role::admin, "token");
  const auto users = parts.users.users();
  const std::string hash = token_hash(secret);
  const auto token = std::ranges::find(users->tokens, hash, &Token::hash);
  if (token == users->tokens.end()) return unknown("the token is not known", "token");
  if (token->expires && *token->expires <= parts.world.loop.clock().wall())
    return unknown(fmt::format("the token has expired on {}", rfc3339(*token->expires)), "token");
  const User* const user = users->find_user(token->user);
  if (user == nullptr) return unknown("the token is of nobody", "token");
  return known(user->name, std::min(user->role, token->role), "token");
}

Recognized recognize_digest(GateParts& parts, const http::ServerRequest& request, const DigestFields& fields) {
  const SteadyTime now = parts.now();
  const std::string address = parts.clients.of(request);
  if (const Duration wait = parts.limits.wait(address, fields.username, now); wait > Duration()) {
    Recognized early = unknown("too many tries", "digest");
    early.wait = wait;
    return early;
  }
  const auto users = parts.users.users();
  const User* const user = users->find_user(fields.username);
  const DigestSecrets* const secrets = user != nullptr && user->digest ? &*user->digest : nullptr;
  switch (parts.digest.check(fields, secrets, request.method, request.target, now)) {
    case DigestCheck::Outcome::good:
      parts.limits.succeeded(user->name);
      return known(user->name, user->role, "digest");
    case DigestCheck::Outcome::stale: {
      Recognized again = unknown("the nonce is too old, or was used before", "digest");
      again.is_stale = true;
      return again;
    }
    case DigestCheck::Outcome::wrong:
      break;
  }
  parts.limits.failed(address, fields.username, now);
  return unknown(kWrong, "digest");
}

Recognized recognize_session(GateParts& parts, const http::ServerRequest& request) {
  const std::string_view cookie = cookie_of(parts, request);
  const Sessions::Session* const session = parts.sessions.find(cookie, parts.now());
  if (session == nullptr) return unknown("the log-in has ended", "session");
  const auto users = parts.users.users();
  const User* const user = users->find_user(session->user);
  if (user == nullptr || stamp_of(*user) != session->stamp) {
    parts.sessions.end(cookie);
    return unknown("the log-in has ended", "session");
  }
  Recognized made = known(user->name, user->role, "session");
  made.csrf = session->csrf;
  return made;
}

// The page of a crawl may be opened with "/?token=…".
std::string_view token_of_address(const http::ServerRequest& request) {
  constexpr std::string_view kName = "token=";
  if (request.path != "/") return {};
  for (const std::string_view part : split(request.query, '&'))
    if (part.starts_with(kName)) return part.substr(kName.size());
  return {};
}

// A proxy of this machine passes on what strangers ask. The fields count whatever they say: a stranger may have sent them.
bool came_by_proxy(const http::ServerRequest& request) {
  constexpr std::array kFields = {std::string_view("X-Forwarded-For"), std::string_view("Forwarded"),
                                  std::string_view("X-Real-IP"), std::string_view("Via")};
  return std::ranges::any_of(request.headers, [&](const auto& field) {
    return std::ranges::any_of(kFields, [&](std::string_view one) { return equals_ignore_case(field.first, one); });
  });
}

}  // namespace

std::optional<http::ServerResponse> refuse_place(const GateParts& parts, const http::ServerRequest& request) {
  const std::string_view host = request.header("Host");
  if (!http::is_own_host(host, parts.options.names)) return error_answer(421, http::other_host_message(host));
  if (is_of_other_page(request, parts.options.names)) return error_answer(403, "requests of other origins are refused");
  return std::nullopt;
}

std::string stamp_of(const User& user) { return user.password.salt + user.password.key; }

std::string cookie_name(const GateParts& parts, const http::ServerRequest& request) {
  const std::string_view host = request.header("Host");
  const size_t colon = host.rfind(':');
  const auto port = colon == std::string_view::npos ? std::nullopt : parse_int(host.substr(colon + 1));
  const std::string name = port && *port > 0 ? fmt::format("caddis_{}", *port) : "caddis";
  // Browsers take "__Host-" for cookies of a whole host alone.
  const std::string_view prefix = parts.options.base.empty() ? "__Host-" : "__Secure-";
  return request.tls ? std::string(prefix) + name : name;
}

std::string_view cookie_of(const GateParts& parts, const http::ServerRequest& request) {
  const std::string name = cookie_name(parts, request);
  for (const auto& [field, value] : request.headers) {
    if (!equals_ignore_case(field, "Cookie")) continue;
    for (const std::string_view part : split(value, ';')) {
      const std::string_view pair = trim(part);
      if (pair.starts_with(name) && pair.substr(name.size()).starts_with('=')) return pair.substr(name.size() + 1);
    }
  }
  return {};
}

aio::Task<void> refresh_users(GateParts& parts) {
  const SteadyTime now = parts.now();
  if (now < parts.refreshed + kRefresh) co_return;
  parts.refreshed = now;
  std::function<void()> work = [&parts] {
    if (const auto done = parts.users.refresh(); !done)
      log_warn("access", "the users stay as they were: {}", done.error().message);
  };
  co_await parts.world.workers.run(parts.world.loop, std::move(work));
}

aio::Task<Recognized> check_login(GateParts& parts, const http::ServerRequest& request, std::string name,
                                  std::string password, std::string how) {
  const std::string address = parts.clients.of(request);
  if (const Duration wait = parts.limits.wait(address, name, parts.now()); wait > Duration()) {
    Recognized early = unknown("too many tries", how);
    early.wait = wait;
    co_return early;
  }
  const auto users = parts.users.users();
  const auto outcome = co_await parts.passwords.check(users, name, std::move(password));
  if (outcome == PasswordCheck::Outcome::busy) {
    Recognized later = unknown("too many tries at the same time", how);
    later.wait = std::chrono::seconds(1);
    co_return later;
  }
  const User* const user = users->find_user(name);
  if (outcome == PasswordCheck::Outcome::wrong || user == nullptr) {
    parts.limits.failed(address, name, parts.now());
    co_return unknown("the name or the password is wrong", how);
  }
  parts.limits.succeeded(name);
  co_return known(user->name, user->role, how);
}

aio::Task<Recognized> recognize(GateParts& parts, const http::ServerRequest& request) {
  co_await refresh_users(parts);
  Authorization shown = parse_authorization(request.header("Authorization"));
  switch (shown.scheme) {
    case Authorization::Scheme::bearer:
      co_return recognize_token(parts, shown.token);
    case Authorization::Scheme::digest:
      co_return recognize_digest(parts, request, shown.digest);
    case Authorization::Scheme::basic: {
      std::string how = "basic";
      co_return co_await check_login(parts, request, std::move(shown.name), std::move(shown.password), std::move(how));
    }
    case Authorization::Scheme::other:
      co_return unknown("the field Authorization is none of Basic, Bearer and Digest", "");
    case Authorization::Scheme::none:
      break;
  }
  if (const std::string_view token = token_of_address(request); !token.empty() && !parts.options.token.empty())
    co_return recognize_token(parts, token);
  if (parts.options.trusts_loopback && is_loopback(request.remote.address) && !came_by_proxy(request))
    co_return known(std::string(kLoopbackUser), Role::admin, "loopback");
  if (!cookie_of(parts, request).empty()) co_return recognize_session(parts, request);
  co_return Recognized();
}

}  // namespace caddis::access
