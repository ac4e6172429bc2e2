// A handler each, then their table. Handlers wait for what they ask; the API calls them on workers.

#include "caddis/engine/api_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/base/version.h"
#include "caddis/config/profiles.h"
#include "caddis/control/api_json.h"
#include "caddis/control/crawl_reports.h"
#include "caddis/control/router.h"
#include "caddis/engine/assets.h"
#include "caddis/engine/file_answer.h"
#include "caddis/engine/job_config.h"
#include "caddis/engine/job_json.h"
#include "caddis/engine/job_requests.h"
#include "caddis/engine/log_page.h"
#include "caddis/engine/machine.h"

namespace caddis::engine {
namespace {

using Answer = Result<http::ServerResponse>;
using Call = ApiCall;

constexpr uint64_t kMostConfig = 64 << 20;

http::ServerResponse json(std::string text) { return http::json_response(200, std::move(text)); }

Answer tell_engine(const Call& call) {
  const JobsOptions& options = call.jobs.options();
  const Machine machine = machine_of(options.folder);
  const auto pair = [](std::string_view name, uint64_t value, uint64_t total) {
    return JsonObject().add("total", total).add(name, value).finish();
  };
  return json(JsonObject()
                  .add("version", kVersion)
                  .add("jobs_dir", options.folder)
                  .add("started", call.started)
                  .add("processors", machine.processors)
                  .add_raw("memory", pair("available", machine.memory_available, machine.memory_total))
                  .add_raw("disk", pair("free", machine.disk_free, machine.disk_total))
                  .add("max_running", options.max_running)
                  .add("running", call.jobs.running())
                  .add_raw("allowance", JsonObject()
                                            .add("memory", options.allowance.memory)
                                            .add("processors", options.allowance.processors)
                                            .add("bandwidth", options.allowance.bandwidth)
                                            .add("disk", options.allowance.disk)
                                            .finish())
                  .finish());
}

Answer describe(const Call&) {
  http::ServerResponse response(200);
  response.headers.emplace_back("Content-Type", "application/yaml");
  response.body = find_asset("engine.yaml");
  return response;
}

Answer list_settings(const Call&) { return json(schema_json()); }

Answer list_profiles(const Call& call) {
  std::vector<std::string> rows;
  const auto add = [&](std::string_view name, std::string_view summary, bool is_job) {
    rows.push_back(JsonObject().add("name", name).add("summary", summary).add("is_job", is_job).finish());
  };
  for (const config::Profile& profile : config::profiles()) add(profile.name, profile.summary, false);
  for (const auto& job : call.jobs.list())
    if (job->summary().is_profile) add(job->name(), "", true);
  return json(JsonObject().add_raw("profiles", json_array(rows)).finish());
}

Answer list_jobs(const Call& call) {
  std::vector<std::string> rows;
  for (const auto& job : call.jobs.list()) rows.push_back(to_json(job->summary()));
  return json(JsonObject().add_raw("jobs", json_array(rows)).finish());
}

Answer create_job(const Call& call) {
  TRY(const NewJob wanted, read_new_job(call.request.body));
  TRY(const auto job, call.jobs.create(wanted));
  return json(to_json(job->detail()));
}

Answer rescan(const Call& call) {
  TRY(const size_t found, call.jobs.rescan());
  return json(JsonObject().add("found", found).finish());
}

Answer tell_job(const Call& call) {
  TRY(const auto job, call.job());
  return json(to_json(job->detail()));
}

Answer act(const Call& call) {
  JobOrder order;
  const auto action = find_action(call.segment("action"));
  if (!action) return fail(ErrorCode::not_found, fmt::format("there is no action '{}'", call.segment("action")));
  order.action = *action;
  order.launch.checkpoint = call.parameters.text("checkpoint");
  TRY(order.launch.paused, call.parameters.flag("paused", false));
  order.name = call.parameters.text("name");
  order.actor = call.identity.name;
  TRY(order, read_order(call.request.body, std::move(order)));
  TRY(const auto job, call.jobs.perform(call.segment("job"), order));
  return json(job ? to_json(job->detail()) : "{}");
}

// Secrets stand in it.
Result<void> require_manager(const Call& call) {
  if (call.identity.role >= access::Role::manager) return {};
  return fail(ErrorCode::denied, "an operator alone reads configurations, which may hold secrets");
}

Answer read_config(const Call& call) {
  TRY_VOID(require_manager(call));
  TRY(const auto job, call.job());
  http::ServerResponse response(200);
  TRY(response.body, call.jobs.world().files.read_all(job->folder().config_file(), kMostConfig));
  response.headers.emplace_back("Content-Type", job->folder().is_cxml() ? "text/xml" : "text/yaml; charset=utf-8");
  return response;
}

Result<std::shared_ptr<Job>> job_with_yaml(const Call& call) {
  TRY(auto job, call.job());
  if (!job->folder().is_cxml()) return job;
  return fail(ErrorCode::conflict,
              "this job has crawler-beans.cxml; a copy with imported/crawl.yaml can be changed here");
}

Answer write_config(const Call& call) {
  TRY(const auto job, job_with_yaml(call));
  TRY(const ConfigFindings findings, check_text(call.jobs.world(), job->folder(), call.request.body));
  if (!findings.is_good()) return fail(ErrorCode::config, fmt::format("{}", fmt::join(findings.errors, "\n")));
  TRY_VOID(job->write_config(call.request.body, call.identity.name));
  return json(to_json(findings));
}

Answer check_config(const Call& call) {
  TRY(const auto job, job_with_yaml(call));
  TRY(const ConfigFindings findings, check_text(call.jobs.world(), job->folder(), call.request.body));
  return json(to_json(findings));
}

Answer diff_config(const Call& call) {
  TRY(const auto job, call.job());
  TRY(const ConfigDifference difference, compare_with_profile(call.jobs.world().files, job->folder()));
  return json(to_json(difference));
}

Answer tell_settings(const Call& call) {
  TRY(const auto job, call.job());
  TRY(const config::Settings settings, load_settings_of(call.jobs.world().files, job->folder()));
  TRY(const auto report, control::settings_report(settings, call.parameters.text("name"), call.parameters.text("url"),
                                                  call.jobs.world().clock.wall()));
  return json(control::api::to_json(report));
}

Answer read_file(const Call& call) {
  TRY(const auto job, call.job());
  TRY(const std::string launch, job->folder().find_launch(call.segment("launch")));
  TRY(const std::string path, confined_path(job->folder().path(), job->folder().launch(launch), call.segment("path")));
  if (call.identity.role < needed_for(path))
    return fail(ErrorCode::denied, "this file may hold secrets, and is not for you");
  return answer_file(call.jobs.world().files, path, call.request);
}

Answer read_log(const Call& call) {
  TRY(const auto job, call.job());
  TRY(const std::string launch, job->folder().find_launch(call.segment("launch")));
  const std::string& log = call.segment("log");
  if (log.contains('/') || log.starts_with('.'))
    return fail(ErrorCode::not_found, fmt::format("there is no log '{}'", log));
  const std::string folder = job->folder().launch(launch);
  TRY(const std::string path, log == "job.log"
                                  ? confined_path(job->folder().path(), job->folder().path(), log)
                                  : confined_path(folder, log == "output.log" ? folder : folder + "/logs", log));
  LogQuery query{.regex = call.parameters.text("regex"), .from = {}};
  TRY(query.reverse, call.parameters.flag("reverse", false));
  TRY(query.limit, call.parameters.limit());
  if (const auto from = call.parameters.find("from")) {
    const auto offset = parse_int(*from);
    if (!offset || *offset < 0) return fail(ErrorCode::parse, fmt::format("from is a number, not '{}'", *from));
    query.from = static_cast<uint64_t>(*offset);
  }
  TRY(const LogPage page, read_log_page(call.jobs.world().files, path, query));
  JsonObject answer;
  answer.add_raw("lines", json_list(page.lines));
  if (page.next)
    answer.add("next", *page.next);
  else
    answer.add_null("next");
  return json(answer.finish());
}

constexpr ApiRoute kRoutes[] = {
    {"GET", "/api/engine", "", tell_engine},
    {"GET", "/api/openapi.yaml", "", describe},
    {"GET", "/api/schema", "", list_settings},
    {"GET", "/api/profiles", "", list_profiles},
    {"GET", "/api/jobs", "", list_jobs},
    {"POST", "/api/jobs", "", create_job},
    {"POST", "/api/jobs/rescan", "", rescan},
    {"GET", "/api/jobs/{job}", "", tell_job},
    {"GET", "/api/jobs/{job}/config", "", read_config},
    {"PUT", "/api/jobs/{job}/config", "", write_config},
    {"POST", "/api/jobs/{job}/config/check", "", check_config},
    {"GET", "/api/jobs/{job}/config/diff", "", diff_config},
    {"GET", "/api/jobs/{job}/settings", "name url", tell_settings},
    {"GET", "/api/jobs/{job}/launches/{launch}/files/{path...}", "", read_file},
    {"GET", "/api/jobs/{job}/launches/{launch}/logs/{log}", "regex reverse limit from", read_log},
    {"POST", "/api/jobs/{job}/{action}", "checkpoint paused name", act},
};

http::ServerResponse refuse(const http::ServerRequest& request) {
  std::vector<std::string_view> methods;
  for (const ApiRoute& route : kRoutes)
    if (match_path(route.path, request.path)) methods.push_back(route.method == "GET" ? "GET, HEAD" : route.method);
  if (methods.empty())
    return control::error_response(404, "there is nothing here; /api/openapi.yaml tells what there is");
  http::ServerResponse response =
      control::error_response(405, fmt::format("here one may {}", fmt::join(methods, ", ")));
  response.headers.emplace_back("Allow", fmt::format("{}", fmt::join(methods, ", ")));
  return response;
}

http::ServerResponse error_response(const Error& error) {
  if (error.code == ErrorCode::denied) return control::error_response(403, error.message);
  if (error.code == ErrorCode::timeout || error.code == ErrorCode::no_space)
    return control::error_response(503, error.message);
  return control::error_response(error);
}

}  // namespace

std::span<const ApiRoute> api_routes() { return kRoutes; }

http::ServerResponse answer_by_table(ApiCall call) {
  const http::ServerRequest& request = call.request;
  const std::string_view method = request.method == "HEAD" ? std::string_view("GET") : request.method;
  for (const ApiRoute& route : kRoutes) {
    if (route.method != method) continue;
    auto segments = match_path(route.path, request.path);
    if (!segments) continue;
    auto parameters = control::Parameters::parse(request.query, route.parameters);
    if (!parameters) return error_response(parameters.error());
    call.segments = *std::move(segments);
    call.parameters = *std::move(parameters);
    auto answer = route.handler(call);
    return answer ? *std::move(answer) : error_response(answer.error());
  }
  return refuse(request);
}

}  // namespace caddis::engine
