#include "caddis/harvestserver/routes.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/nursery.h"
#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/base/version.h"
#include "caddis/control/router.h"
#include "caddis/harvest/definitions.h"
#include "caddis/harvest/domain_name.h"
#include "caddis/harvest/jobs.h"
#include "caddis/harvest/questions.h"
#include "caddis/harvest/templates.h"
#include "caddis/harvestserver/api.h"
#include "caddis/harvestserver/assets.h"
#include "caddis/harvestserver/json.h"

namespace caddis::harvestserver {
namespace {

constexpr Duration kPatience = std::chrono::seconds(45);  // with the answer of a crawl
constexpr Duration kMoment = std::chrono::seconds(5);     // with one that takes long
constexpr Duration kLook = std::chrono::milliseconds(150);

std::array<std::span<const Route>, 9> all_tables() {
  return {server_routes(), domain_routes(),   plan_routes(),  harvest_routes(),  job_routes(),
          review_routes(), frontier_routes(), store_routes(), harvester_routes()};
}

http::ServerResponse refuse(const http::ServerRequest& request) {
  std::vector<std::string_view> methods;
  for (const auto table : all_tables())
    for (const Route& route : table)
      if (engine::match_path(route.path, request.path))
        methods.push_back(route.method == "GET" ? "GET, HEAD" : route.method);
  if (methods.empty())
    return control::error_response(404, "there is nothing here; /api/openapi.yaml tells what there is");
  http::ServerResponse response =
      control::error_response(405, fmt::format("here one may {}", fmt::join(methods, ", ")));
  response.headers.emplace_back("Allow", fmt::format("{}", fmt::join(methods, ", ")));
  return response;
}

// The gate has asked for the same role; here it is known which route it is.
std::optional<http::ServerResponse> refuse_lower_roles(const Call& call, const Route& route) {
  const access::Role needed = role_of(route);
  if (call.identity.role >= needed) return std::nullopt;
  return control::error_response(403, fmt::format("this needs the role {}, and {} is {}", to_string(needed),
                                                  call.identity.name, to_string(call.identity.role)));
}

// A viewer may look at harvesters, but not be one. A user of the role harvester is the harvester of that name, and no other.
std::optional<http::ServerResponse> refuse_strangers(const Call& call) {
  const bool is_of_harvesters = call.request.path.starts_with("/api/harvesters/");
  const bool may = call.identity.role == access::Role::harvester
                       ? is_of_harvesters
                       : !is_of_harvesters || call.identity.role >= access::Role::manager;
  const auto named = call.segments.find("harvester");
  if (may && call.identity.role == access::Role::harvester && named != call.segments.end() &&
      named->second != call.identity.name)
    return control::error_response(403, fmt::format("{} is the harvester {}, and no other: start it with --name {}",
                                                    call.identity.name, call.identity.name, call.identity.name));
  if (may) return std::nullopt;
  return control::error_response(403, is_of_harvesters
                                          ? "this needs the role harvester"
                                          : "a harvester may take jobs, report and deliver, and nothing else");
}

http::ServerResponse error_answer(const Error& error) {
  if (error.code == ErrorCode::denied) return control::error_response(403, error.message);
  if (error.code == ErrorCode::limit) return control::error_response(413, error.message);
  if (error.code == ErrorCode::timeout || error.code == ErrorCode::no_space || error.code == ErrorCode::closed)
    return control::error_response(503, error.message);
  if (error.code == ErrorCode::corrupt) return control::error_response(422, error.message);
  return control::error_response(error);
}

Answer tell_server(const Call& call) {
  TRY(const std::string counts, call.parts.database.read([](sql::Connection& c) -> Result<std::string> {
    TRY(const int64_t domains, c.number("SELECT count(*) FROM domains"));
    TRY(const int64_t harvests, c.number("SELECT count(*) FROM definitions"));
    JsonObject jobs;
    TRY_VOID(c.each("SELECT state, count(*) FROM jobs GROUP BY state ORDER BY state", sql::Values(),
                    [&](const sql::Row& row) { jobs.add(row.text(0), row.number(1)); }));
    return JsonObject().add("domains", domains).add("harvests", harvests).add_raw("jobs", jobs.finish()).finish();
  }));
  return json_answer(
      JsonObject()
          .add("version", kVersion)
          .add("started", call.parts.started)
          .add("database", call.parts.database.dialect() == sql::Dialect::sqlite ? "sqlite" : "postgresql")
          .add("replay", call.parts.replay)
          .add("replay_port", int64_t{call.parts.replay_port})
          .add("time", call.parts.now())
          .add_raw("counts", counts)
          .finish());
}

Answer describe(const Call&) {
  http::ServerResponse response(200);
  response.headers.emplace_back("Content-Type", "application/yaml");
  response.body = find_asset("harvest.yaml");
  return response;
}

Answer list_changes(const Call& call) {
  TRY(const int64_t limit, call.parameter("limit", 100));
  TRY(const int64_t before, call.parameter("before", 0));
  const std::string kind = call.parameters.text("kind"), given = call.parameters.text("name");
  const std::string name = kind == "domain" ? harvest::domain_name_of(given).value_or(given) : given;
  TRY(const auto changes,
      call.parts.database.read([&](sql::Connection& c) { return harvest::changes_of(c, kind, name, limit, before); }));
  std::vector<std::string> rows;
  for (const harvest::Change& change : changes) rows.push_back(to_json(change));
  const bool has_more = static_cast<int64_t>(changes.size()) == limit;
  return json_answer(json_page("changes", rows, has_more ? std::to_string(changes.back().id) : ""));
}

constexpr Route kRoutes[] = {
    {"GET", "/api/server", "", tell_server},
    {"GET", "/api/openapi.yaml", "", describe},
    {"GET", "/api/changes", "kind name before limit", list_changes},
};

}  // namespace

std::span<const Route> server_routes() { return kRoutes; }

int64_t Parts::now() const {
  return std::chrono::duration_cast<std::chrono::seconds>(clock.wall().time_since_epoch()).count();
}

Result<int64_t> Call::number(std::string_view name) const {
  const auto number = parse_int(segment(name));
  if (number && *number > 0) return *number;
  return fail(ErrorCode::not_found, fmt::format("'{}' is no number of a {}", segment(name), name));
}

Result<int64_t> Call::parameter(std::string_view name, int64_t otherwise) const {
  const auto given = parameters.find(name);
  if (!given) return otherwise;
  const auto number = parse_int(*given);
  constexpr int64_t kMost = 10'000;
  if (!number || *number < 0 || (name == "limit" && (*number < 1 || *number > kMost)))
    return fail(ErrorCode::parse, fmt::format("{}={} is no number that may stand there", name, *given));
  return *number;
}

// By the progress that was last heard of.
bool has_ended_crawl(const harvest::Job& job) {
  return job.state == harvest::JobState::started && job.latest.contains(R"("state":"FINISHED")");
}

http::ServerResponse json_answer(std::string json) { return http::json_response(200, std::move(json)); }

// A query as forms write it: a plus is a blank there.
std::string without_plus(std::string_view query) {
  std::string out;
  for (const char c : query) {
    if (c == '+')
      out += "%20";
    else
      out += c;
  }
  return out;
}

http::ServerResponse answer_by_tables(Call call) {
  const http::ServerRequest& request = call.request;
  const std::string query = without_plus(request.query);
  const std::string_view method = request.method == "HEAD" ? std::string_view("GET") : request.method;
  for (const auto table : all_tables()) {
    for (const Route& route : table) {
      if (route.method != method) continue;
      auto segments = engine::match_path(route.path, request.path);
      if (!segments) continue;
      call.segments = *std::move(segments);
      if (auto refused = refuse_strangers(call)) return *std::move(refused);
      if (auto refused = refuse_lower_roles(call, route)) return *std::move(refused);
      auto parameters = control::Parameters::parse(query, route.parameters);
      if (!parameters) return error_answer(parameters.error());
      call.parameters = *std::move(parameters);
      auto answer = route.handler(call);
      return answer ? *std::move(answer) : error_answer(answer.error());
    }
  }
  return refuse(request);
}

access::Role role_of(const Route& route) {
  if (route.needs != access::Role::none) return route.needs;
  if (route.path.starts_with("/api/harvesters/")) return access::Role::harvester;
  return route.method == "GET" ? access::Role::viewer : access::Role::manager;
}

std::vector<Route> all_routes() {
  std::vector<Route> all;
  for (const auto table : all_tables()) all.insert(all.end(), table.begin(), table.end());
  return all;
}

access::Role role_for(const http::ServerRequest& request) {
  const std::string_view method = request.method == "HEAD" ? std::string_view("GET") : request.method;
  for (const auto table : all_tables())
    for (const Route& route : table)
      if (route.method == method && engine::match_path(route.path, request.path)) return role_of(route);
  if (request.path.starts_with("/api/harvesters/")) return access::Role::harvester;
  return method == "GET" ? access::Role::viewer : access::Role::manager;
}

Result<void> require_steering(const Call& call, int64_t job) {
  if (call.identity.role >= access::Role::manager) return {};
  TRY(const harvest::Job one, call.parts.database.read([&](sql::Connection& c) { return harvest::find_job(c, job); }));
  if (!one.care.made_by.empty() && one.care.made_by == call.identity.name) return {};
  return fail(ErrorCode::denied, fmt::format("{} has made the harvest of job {}: to steer it needs the role operator",
                                             one.care.made_by.empty() ? "somebody else" : one.care.made_by, job));
}

Result<void> require_steering(const Call& call, const std::string& harvest) {
  if (call.identity.role >= access::Role::manager) return {};
  TRY(const auto one,
      call.parts.database.read([&](sql::Connection& c) { return harvest::find_definition(c, harvest); }));
  if (!one.made.who.empty() && one.made.who == call.identity.name) return {};
  return fail(ErrorCode::denied, fmt::format("{} has made the harvest {}: to steer its jobs needs the role operator",
                                             one.made.who.empty() ? "somebody else" : one.made.who, harvest));
}

std::string job_json_for(const Call& call, harvest::Job job) {
  if (call.identity.role < access::Role::manager) job.shape.overrides = harvest::shown_settings(job.shape.overrides);
  return to_json(job);
}

Answer ask_crawl(const Call& call, int64_t job, std::string_view kind, const std::string& text,
                 const std::string& change) {
  TRY(call.question->id, call.parts.database.write([&](sql::Connection& c) -> Result<int64_t> {
    TRY(const harvest::Job one, harvest::find_job(c, job));
    if (has_ended_crawl(one))
      return fail(
          ErrorCode::conflict,
          fmt::format("the crawl of job {} has ended, and its files are being handed over: ask when that is done",
                      job));
    TRY(const int64_t question, harvest::ask_crawl(c, job, kind, text, call.parts.now()));
    if (!change.empty()) TRY_VOID(harvest::record_change(c, call.edit(), "job", std::to_string(job), change));
    return question;
  }));
  call.question->takes_long = kind == "delete";
  return json_answer("{}");
}

std::optional<http::ServerResponse> crawl_answer(const Parts& parts, int64_t question, Waits waits) {
  const auto asked =
      parts.database.read([&](sql::Connection& c) { return harvest::find_question(c, question, parts.now()); });
  if (!asked) return error_answer(asked.error());
  if (!asked->answer && waits == Waits::on) return std::nullopt;
  // A look can be asked for again.
  if (!asked->answer && asked->question.kind != "delete" && asked->question.kind != "script")
    return control::error_response(503, "the harvester has not answered in time: ask again");
  if (!asked->answer) {
    http::ServerResponse later = http::json_response(202, to_json(*asked));
    later.headers.emplace_back("Location", fmt::format("/api/jobs/{}/questions/{}", asked->job, question));
    return later;
  }
  if (!asked->answer->problem.empty()) return control::error_response(409, asked->answer->problem);
  return json_answer(asked->answer->text);
}

aio::Task<http::ServerResponse> HarvestApi::answer(const http::ServerRequest& request,
                                                   const access::Identity& identity) {
  http::ServerResponse response;
  Call::Question question;
  std::function<void()> work = [&] {
    Call call{parts_, request, identity};
    call.question = &question;
    response = answer_by_tables(std::move(call));
  };
  co_await workers_.run(loop_, std::move(work));
  ++parts_.tally->requests;
  if (response.status >= 500) ++parts_.tally->failed_requests;
  if (question.id == 0) co_return response;
  // Nobody waits on a worker for what a crawl elsewhere has to say.
  std::optional<http::ServerResponse> answered;
  const SteadyTime end = loop_.clock().steady() + (question.takes_long ? kMoment : kPatience);
  while (!answered) {
    co_await aio::sleep_for(loop_, kLook);
    const Waits waits = loop_.clock().steady() < end ? Waits::on : Waits::no_longer;
    std::function<void()> look = [&] { answered = crawl_answer(parts_, question.id, waits); };
    co_await workers_.run(loop_, std::move(look));
  }
  co_return *std::move(answered);
}

}  // namespace caddis::harvestserver
