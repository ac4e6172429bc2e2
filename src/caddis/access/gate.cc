#include "caddis/access/gate.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "caddis/access/answers.h"
#include "caddis/access/authorization.h"
#include "caddis/access/gate_parts.h"
#include "caddis/access/own_pages.h"
#include "caddis/access/secret.h"
#include "caddis/access/standing.h"
#include "caddis/base/percent.h"
#include "caddis/base/strings.h"

namespace caddis::access {
namespace {

bool is_below(std::string_view path, std::string_view prefix) {
  return !prefix.empty() && path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/');
}

// Asks a stranger who they are: a person by the page, Heritrix's clients by Digest and Basic, others by Bearer.
http::ServerResponse ask_who(GateParts& parts, const http::ServerRequest& request, const Recognized& who) {
  const bool is_for_digest = is_below(request.path, parts.options.digest_prefix);
  if (!is_for_digest && wants_page(request) && (who.how.empty() || who.how == "session"))
    return redirect(parts.options.base + "/login?next=" + percent_encoded(own_path(request.target)));
  http::ServerResponse asks = error_answer(
      401, who.error.empty() ? "log in first: 'Authorization: Bearer TOKEN', or the page /login" : who.error);
  if (!is_for_digest) {
    asks.headers.emplace_back("WWW-Authenticate", fmt::format("Bearer realm=\"{}\"", kRealm));
    return asks;
  }
  for (std::string& challenge : parts.digest.challenges(parts.now(), who.is_stale))
    asks.headers.emplace_back("WWW-Authenticate", std::move(challenge));
  if (request.tls || is_loopback(request.remote.address))
    asks.headers.emplace_back("WWW-Authenticate", fmt::format("Basic realm=\"{}\", charset=\"UTF-8\"", kRealm));
  return asks;
}

// Browsers send cookies, and what they know of Basic and Digest, with requests of any page; so what changes something
// has to say that it comes from ours.
std::string forgery(const http::ServerRequest& request, const Recognized& who) {
  if (!is_change(request.method) || who.how == "token") return {};
  const std::string_view site = request.header("Sec-Fetch-Site");
  if (site == "cross-site" || site == "same-site") return "requests of other sites are refused";
  if (who.how != "session") return {};
  const std::string_view shown = request.header("X-Caddis-CSRF");
  if (!shown.empty()) return are_same(shown, who.csrf) ? "" : "X-Caddis-CSRF is not what GET /api/me says";
  return request.header("Origin").empty() ? "this needs the field X-Caddis-CSRF, with what GET /api/me says" : "";
}

std::string how_shown(const GateParts& parts, const http::ServerRequest& request) {
  switch (parse_authorization(request.header("Authorization")).scheme) {
    case Authorization::Scheme::basic:
      return "basic";
    case Authorization::Scheme::digest:
      return "digest";
    case Authorization::Scheme::bearer:
      return "token";
    default:
      return cookie_of(parts, request).empty() ? "" : "session";
  }
}

// The first user of a file that has none.
Result<std::string> make_admin(UserStore& store, bool keeps_digest) {
  std::string password = new_password();
  TRY_VOID(store.change([&](UserFile& file) -> Result<void> {
    TRY(User admin, make_user("admin", Role::admin, password, keeps_digest));
    return add_user(file, std::move(admin));
  }));
  return password;
}

}  // namespace

GateParts::GateParts(GateWorld the_world, GateOptions the_options, ClientAddress the_clients)
    : world(the_world),
      options(std::move(the_options)),
      clients(std::move(the_clients)),
      users(world.files, options.users_file),
      audit(world.files, options.audit_file),
      digest(new_secret()),
      passwords(world.loop, world.workers) {}

Gate::Gate(std::unique_ptr<GateParts> parts, std::string first_password)
    : parts_(std::move(parts)),
      first_password_(std::move(first_password)),
      pages_(std::make_unique<OwnPages>(*parts_)) {}

Gate::~Gate() = default;

Result<std::unique_ptr<Gate>> Gate::open(GateWorld world, GateOptions options) {
  const bool makes_admin = options.makes_admin, keeps_digest = options.keeps_digest;
  const bool trusts_loopback = options.trusts_loopback;
  TRY(auto clients, ClientAddress::create(options.proxies));
  auto parts = std::make_unique<GateParts>(world, std::move(options), std::move(clients));
  TRY_VOID(parts->users.refresh());
  std::string password;
  if (parts->users.users()->users.empty()) {
    if (!makes_admin && !trusts_loopback)
      return fail(ErrorCode::config,
                  fmt::format("there is no user in {}: 'caddis users add NAME --role admin --file {}' makes one",
                              parts->options.users_file, parts->options.users_file));
    if (makes_admin) {
      TRY(password, make_admin(parts->users, keeps_digest));
    }
  }
  parts->refreshed = parts->now();
  return std::unique_ptr<Gate>(new Gate(std::move(parts), std::move(password)));
}

http::ServerResponse too_early(Duration wait) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(wait).count();
  http::ServerResponse refusal = error_answer(429, fmt::format("too many tries to log in: wait {} s", seconds));
  refusal.headers.emplace_back("Retry-After", std::to_string(seconds));
  return refusal;
}

AuditEntry audit_entry(const GateParts& parts, const http::ServerRequest& request, int status) {
  return {.time = parts.world.loop.clock().wall(),
          .who = {},
          .from = parts.clients.of(request),
          .what = fmt::format("{} {}", request.method, request.path),
          .how = {},
          .status = status,
          .note = {}};
}

aio::Task<void> write_audit(GateParts& parts, AuditEntry entry) {
  std::function<void()> work = [&] { parts.audit.write(entry); };
  co_await parts.world.workers.run(parts.world.loop, std::move(work));
}

aio::Task<Verdict> Gate::admit(const http::ServerRequest& request, Role needed) {
  Verdict verdict;
  std::string note;
  Recognized who;
  if (auto misplaced = refuse_place(*parts_, request)) {
    verdict.refusal = std::move(misplaced);
    note = "host or origin";
  } else {
    who = co_await recognize(*parts_, request);
    note = who.error;
    if (who.wait > Duration()) {
      verdict.refusal = too_early(who.wait);
    } else if (who.identity.role == Role::none) {
      verdict.refusal = ask_who(*parts_, request, who);
    } else if (note = forgery(request, who); !note.empty()) {
      verdict.refusal = error_answer(403, note);
    } else if (who.identity.role < needed) {
      note = fmt::format("this needs the role {}, and {} is {}", to_string(needed), who.identity.name,
                         to_string(who.identity.role));
      verdict.refusal = error_answer(403, note);
    }
  }
  if (!verdict.refusal) {
    verdict.identity = std::move(who.identity);
    co_return verdict;
  }
  verdict.refusal = guarded(*std::move(verdict.refusal));
  // Digest asks everybody once, and tells of an old nonce: neither is worth a line.
  const bool is_worth_a_line = !who.is_stale && !(note.empty() && !is_change(request.method));
  if (!is_worth_a_line) co_return verdict;
  AuditEntry entry = audit_entry(*parts_, request, verdict.refusal->status);
  entry.who = who.identity.name;
  entry.how = who.how;
  entry.note = note;
  co_await write_audit(*parts_, std::move(entry));
  co_return verdict;
}

std::string Gate::standing_of(const Identity& admitted) const {
  if (parts_->options.trusts_loopback && admitted.name == kLoopbackUser) return std::string(kLoopbackUser);
  return standing_in(*parts_->users.users(), *parts_->options.log_outs, admitted.name, admitted.role);
}

aio::Task<std::optional<http::ServerResponse>> Gate::answer_own(const http::ServerRequest& request) {
  if (!pages_->has(request.path)) co_return std::nullopt;
  http::ServerResponse response;
  if (auto misplaced = refuse_place(*parts_, request))
    response = *std::move(misplaced);
  else if (request.path == "/login")
    response = co_await pages_->log_in(request);
  else
    response = co_await answer_known(request);
  co_return guarded(std::move(response));
}

// The paths that need somebody known.
aio::Task<http::ServerResponse> Gate::answer_known(const http::ServerRequest& request) {
  Verdict verdict = co_await admit(request, Role::viewer);
  if (verdict.refusal) co_return *std::move(verdict.refusal);
  const bool is_out = request.path == "/logout";
  const std::string how = how_shown(*parts_, request);
  http::ServerResponse response = co_await pages_->answer(request, verdict.identity);
  if (is_change(request.method) || is_out) co_await record(request, verdict.identity, response.status);
  co_return response;
}

aio::Task<void> Gate::record(const http::ServerRequest& request, const Identity& identity, int status) {
  AuditEntry entry = audit_entry(*parts_, request, status);
  entry.who = identity.name;
  entry.how = how_shown(*parts_, request);
  co_await write_audit(*parts_, std::move(entry));
}

aio::Task<http::ServerResponse> Gate::answer(const http::ServerRequest& request, Role needed, const Answer& answer) {
  auto own = co_await answer_own(request);
  if (own) co_return *std::move(own);
  Verdict verdict = co_await admit(request, needed);
  if (verdict.refusal) co_return *std::move(verdict.refusal);
  http::ServerResponse response = co_await answer(request, verdict.identity);
  if (is_change(request.method)) co_await record(request, verdict.identity, response.status);
  co_return response;
}

}  // namespace caddis::access
