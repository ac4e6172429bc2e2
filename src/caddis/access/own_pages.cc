// The gate's own pages. Changes of users and tokens are edits of the users file, made on a worker; what an edit makes
// beside (a password, a token) is told in the answer, and nowhere else.
#include "caddis/access/own_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <utility>

#include "caddis/access/answers.h"
#include "caddis/access/log_outs.h"
#include "caddis/access/login_form.h"
#include "caddis/access/secret.h"
#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"

namespace caddis::access {
namespace {

constexpr std::string_view kUsers = "/api/users", kTokens = "/api/tokens";

// The fields that bodies of changes may have.
constexpr std::string_view kNewUser[] = {"name", "role", "password", "digest"};
constexpr std::string_view kUserChange[] = {"role", "password", "digest"};
constexpr std::string_view kPasswordChange[] = {"old", "new"};
constexpr std::string_view kNewToken[] = {"user", "role", "days", "purpose"};

// The last segment of "/api/users/NAME", decoded; nothing for the collection itself, or what lies deeper.
std::optional<std::string> member_of(std::string_view path, std::string_view collection) {
  if (!path.starts_with(collection) || !path.substr(collection.size()).starts_with('/')) return {};
  const std::string_view rest = path.substr(collection.size() + 1);
  if (rest.empty() || rest.contains('/')) return {};
  return decoded_form(rest);
}

http::ServerResponse only(std::string_view methods) {
  http::ServerResponse refusal = error_answer(405, fmt::format("this path knows {}", methods));
  refusal.headers.emplace_back("Allow", std::string(methods));
  return refusal;
}

std::string cookie(const GateParts& parts, const http::ServerRequest& request, std::string_view secret) {
  return fmt::format("{}={}; Path={}/; HttpOnly; SameSite=Strict{}{}", cookie_name(parts, request), secret,
                     parts.options.base, request.tls ? "; Secure" : "", secret.empty() ? "; Max-Age=0" : "");
}

std::string array_of(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) out += (out.size() > 1 ? "," : "") + item;
  return out + "]";
}

JsonObject described(const Token& token) {
  JsonObject json;
  json.add("id", token.id).add("user", token.user).add("role", to_string(token.role)).add("purpose", token.purpose);
  if (token.expires)
    json.add("expires", rfc3339(*token.expires));
  else
    json.add_null("expires");
  return json;
}

Result<BodyFields> fields_of(const http::ServerRequest& request, std::span<const std::string_view> known) {
  TRY(BodyFields fields, BodyFields::parse(request));
  TRY_VOID(fields.expect_only(known));
  return fields;
}

bool is_true(const BodyFields& fields, std::string_view name, bool otherwise) {
  const auto value = fields.find(name);
  return value ? *value == "true" || *value == "1" || *value == "on" : otherwise;
}

Result<Role> role_given(const BodyFields& fields, Role otherwise) {
  const auto name = fields.find("role");
  if (!name) return otherwise;
  const auto role = role_of(*name);
  if (!role)
    return fail(ErrorCode::parse,
                fmt::format("'{}' is no role: viewer, curator, operator, admin and harvester are", *name));
  return *role;
}

Result<std::optional<WallTime>> expiry_given(const BodyFields& fields, WallTime now) {
  const auto days = fields.find("days");
  if (!days) return std::nullopt;
  const auto count = parse_int(*days);
  if (!count || *count < 1 || *count > 3650) return fail(ErrorCode::parse, "'days' is a number from 1 to 3650");
  return now + std::chrono::days(*count);
}

}  // namespace

bool OwnPages::has(std::string_view path) const {
  return path == "/login" || path == "/logout" || path == "/api/me" || path == "/api/me/password" || path == kUsers ||
         path == kTokens || path.starts_with("/api/users/") || path.starts_with("/api/tokens/");
}

aio::Task<http::ServerResponse> OwnPages::log_in(const http::ServerRequest& request) {
  if (!is_change(request.method)) {
    std::string next = "/";
    for (const std::string_view part : split(request.query, '&'))
      if (part.starts_with("next=")) next = own_path(decoded_form(part.substr(5)));
    co_return login_page(200, parts_.options.base, "", next);
  }
  if (request.method != "POST") co_return only("GET, HEAD, POST");
  const auto fields = BodyFields::parse(request);
  if (!fields) co_return error_answer(fields.error());
  co_await refresh_users(parts_);
  std::string name = fields->text("name"), password = fields->text("password"), how = "password";
  AuditEntry entry = audit_entry(parts_, request, 200);
  entry.who = name;
  entry.what = "log-in";
  entry.how = how;
  const Recognized who = co_await check_login(parts_, request, std::move(name), std::move(password), std::move(how));
  const std::string next = own_path(fields->text("next"));
  http::ServerResponse response;
  if (who.identity.role == Role::none) {
    const int status = who.wait > Duration() ? 429 : 401;
    response =
        fields->is_form() ? login_page(status, parts_.options.base, who.error, next) : error_answer(status, who.error);
    if (who.wait > Duration()) {
      http::ServerResponse early = too_early(who.wait);
      response.headers.push_back(early.headers.back());
    }
    entry.status = status;
    entry.note = who.error;
  } else {
    const auto users = parts_.users.users();
    const User* const user = users->find_user(who.identity.name);
    const std::string stamp = user == nullptr ? "" : stamp_of(*user);
    const std::string secret = parts_.sessions.begin(who.identity.name, stamp, parts_.now());
    const Sessions::Session* const session = parts_.sessions.find(secret, parts_.now());
    response = fields->is_form() ? redirect(parts_.options.base + next)
                                 : http::json_response(200, JsonObject()
                                                                .add("name", who.identity.name)
                                                                .add("role", to_string(who.identity.role))
                                                                .add("how", "session")
                                                                .add("csrf", session->csrf)
                                                                .finish());
    response.headers.emplace_back("Set-Cookie", cookie(parts_, request, secret));
  }
  co_await write_audit(parts_, std::move(entry));
  co_return response;
}

aio::Task<http::ServerResponse> OwnPages::answer(const http::ServerRequest& request, const Identity& who) {
  const std::string path = request.path, method = request.method == "HEAD" ? "GET" : request.method;
  if (path == "/logout") co_return co_await log_out(request, who);
  if (path == "/api/me") co_return method == "GET" ? tell_me(request, who) : only("GET");
  if (path == "/api/me/password") {
    if (method != "PUT") co_return only("PUT");
    co_return co_await change_own_password(request, who);
  }
  if (path == kTokens) {
    if (method == "GET") co_return list_tokens(who);
    if (method != "POST") co_return only("GET, HEAD, POST");
    co_return co_await make_token(request, who);
  }
  if (auto id = member_of(path, kTokens)) {
    if (method != "DELETE") co_return only("DELETE");
    co_return co_await remove_token_of(who, *std::move(id));
  }
  if (who.role < Role::admin) co_return error_answer(403, "this needs the role admin");
  if (path == kUsers) {
    if (method == "GET") co_return list_users();
    if (method != "POST") co_return only("GET, HEAD, POST");
    co_return co_await make_user_of(request);
  }
  if (auto name = member_of(path, kUsers)) {
    if (method == "PUT") co_return co_await change_user(request, *std::move(name));
    if (method != "DELETE") co_return only("PUT, DELETE");
    co_return co_await remove_user_of(*std::move(name));
  }
  co_return error_answer(404, "there is nothing at this path");
}

aio::Task<http::ServerResponse> OwnPages::log_out(const http::ServerRequest& request, const Identity& who) {
  if (request.method != "POST") co_return only("POST");
  parts_.sessions.end(cookie_of(parts_, request));
  if (parts_.options.log_outs) parts_.options.log_outs->add(who.name);
  http::ServerResponse response = starts_with_ignore_case(request.header("Content-Type"), "application/x-www-form")
                                      ? redirect(parts_.options.base + "/login")
                                      : http::json_response(200, "{}");
  response.headers.emplace_back("Set-Cookie", cookie(parts_, request, ""));
  co_return response;
}

http::ServerResponse OwnPages::tell_me(const http::ServerRequest& request, const Identity& who) {
  JsonObject json;
  json.add("name", who.name).add("role", to_string(who.role));
  const bool has_session = request.header("Authorization").empty();
  json.add("how", has_session ? "session" : "credentials");
  if (const auto* const session =
          has_session ? parts_.sessions.find(cookie_of(parts_, request), parts_.now()) : nullptr)
    json.add("csrf", session->csrf);
  return http::json_response(200, json.finish());
}

http::ServerResponse OwnPages::list_users() const {
  const auto users = parts_.users.users();
  std::vector<std::string> items;
  for (const User& user : users->users)
    items.push_back(JsonObject()
                        .add("name", user.name)
                        .add("role", to_string(user.role))
                        .add("digest", user.digest.has_value())
                        .add("tokens", std::ranges::count(users->tokens, user.name, &Token::user))
                        .finish());
  return http::json_response(200, JsonObject().add_raw("users", array_of(items)).finish());
}

http::ServerResponse OwnPages::list_tokens(const Identity& who) const {
  const auto users = parts_.users.users();
  std::vector<std::string> items;
  for (const Token& token : users->tokens)
    if (who.role == Role::admin || token.user == who.name) items.push_back(described(token).finish());
  return http::json_response(200, JsonObject().add_raw("tokens", array_of(items)).finish());
}

aio::Task<Result<void>> OwnPages::change(std::function<Result<void>(UserFile&)> edit) {
  Result<void> done;
  std::function<void()> work = [&] { done = parts_.users.change(edit); };
  co_await parts_.world.workers.run(parts_.world.loop, std::move(work));
  co_return done;
}

aio::Task<http::ServerResponse> OwnPages::make_user_of(const http::ServerRequest& request) {
  const auto fields = fields_of(request, kNewUser);
  if (!fields) co_return error_answer(fields.error());
  const auto role = role_given(*fields, Role::viewer);
  if (!role) co_return error_answer(role.error());
  const auto given = fields->find("password");
  const std::string name = fields->text("name"), password = given ? *given : new_password();
  const bool keeps_digest = is_true(*fields, "digest", parts_.options.keeps_digest);
  std::function<Result<void>(UserFile&)> edit = [&](UserFile& file) -> Result<void> {
    TRY(User user, make_user(name, *role, password, keeps_digest));
    return add_user(file, std::move(user));
  };
  const auto done = co_await change(std::move(edit));
  if (!done) co_return error_answer(done.error());
  JsonObject json;
  json.add("name", name).add("role", to_string(*role)).add("digest", keeps_digest);
  if (!given) json.add("password", password);
  co_return http::json_response(201, json.finish());
}

aio::Task<http::ServerResponse> OwnPages::change_user(const http::ServerRequest& request, std::string name) {
  const auto fields = fields_of(request, kUserChange);
  if (!fields) co_return error_answer(fields.error());
  const auto role = role_given(*fields, Role::none);
  if (!role) co_return error_answer(role.error());
  const auto password = fields->find("password");
  const bool keeps_digest = is_true(*fields, "digest", parts_.options.keeps_digest);
  std::function<Result<void>(UserFile&)> edit = [&](UserFile& file) -> Result<void> {
    if (*role != Role::none) TRY_VOID(set_role(file, name, *role));
    if (password) TRY_VOID(set_password(file, name, *password, keeps_digest));
    return file.find_user(name) != nullptr ? Result<void>() : remove_user(file, name);
  };
  const auto done = co_await change(std::move(edit));
  if (!done) co_return error_answer(done.error());
  co_return http::json_response(200, "{}");
}

aio::Task<http::ServerResponse> OwnPages::remove_user_of(std::string name) {
  std::function<Result<void>(UserFile&)> edit = [&](UserFile& file) { return remove_user(file, name); };
  const auto done = co_await change(std::move(edit));
  co_return done ? http::json_response(200, "{}") : error_answer(done.error());
}

aio::Task<http::ServerResponse> OwnPages::change_own_password(const http::ServerRequest& request, const Identity& who) {
  const auto fields = fields_of(request, kPasswordChange);
  if (!fields) co_return error_answer(fields.error());
  std::string name = who.name, old = fields->text("old"), how = "password";
  const std::string chosen = fields->text("new");
  const Recognized again = co_await check_login(parts_, request, std::move(name), std::move(old), std::move(how));
  if (again.wait > Duration()) co_return too_early(again.wait);
  if (again.identity.role == Role::none) co_return error_answer(403, "the old password is wrong");
  std::function<Result<void>(UserFile&)> edit = [&](UserFile& file) -> Result<void> {
    const User* const user = file.find_user(who.name);
    const bool keeps_digest = parts_.options.keeps_digest || (user != nullptr && user->digest);
    return set_password(file, who.name, chosen, keeps_digest);
  };
  const auto done = co_await change(std::move(edit));
  co_return done ? http::json_response(200, "{}") : error_answer(done.error());
}

aio::Task<http::ServerResponse> OwnPages::make_token(const http::ServerRequest& request, const Identity& who) {
  const auto fields = fields_of(request, kNewToken);
  if (!fields) co_return error_answer(fields.error());
  // A token that ends, or is stolen, is not to live on in another one.
  const bool is_token = starts_with_ignore_case(request.header("Authorization"), "bearer");
  if (is_token && who.role < Role::admin)
    co_return error_answer(403, "a token makes no tokens: log in with a name and a password");
  const std::string user = fields->find("user").value_or(who.name);
  if (user != who.name && who.role < Role::admin) co_return error_answer(403, "this needs the role admin");
  const auto role = role_given(*fields, Role::viewer);
  if (!role) co_return error_answer(role.error());
  if (*role > who.role) co_return error_answer(403, "a token can have no higher role than who makes it");
  const auto expires = expiry_given(*fields, parts_.world.loop.clock().wall());
  if (!expires) co_return error_answer(expires.error());
  NewToken made;
  std::function<Result<void>(UserFile&)> edit = [&](UserFile& file) -> Result<void> {
    TRY(made, add_token(file, user, *role, *expires, fields->text("purpose")));
    return {};
  };
  const auto done = co_await change(std::move(edit));
  if (!done) co_return error_answer(done.error());
  co_return http::json_response(201, described(made.token).add("token", made.secret).finish());
}

aio::Task<http::ServerResponse> OwnPages::remove_token_of(const Identity& who, std::string id) {
  std::function<Result<void>(UserFile&)> edit = [&](UserFile& file) -> Result<void> {
    const Token* const token = file.find_token(id);
    if (token != nullptr && token->user != who.name && who.role < Role::admin)
      return fail(ErrorCode::not_found, fmt::format("you have no token '{}'", id));
    return remove_token(file, id);
  };
  const auto done = co_await change(std::move(edit));
  co_return done ? http::json_response(200, "{}") : error_answer(done.error());
}

}  // namespace caddis::access
