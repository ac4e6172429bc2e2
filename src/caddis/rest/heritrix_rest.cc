// A request is taken apart once (Asked); handlers ask the engine's API on behalf of whoever sent it. Every change is
// answered with 303 to the thing that was changed, as Heritrix does, also if it was refused: Heritrix's clients look at
// the state, and people find the reason in the header Caddis-Refused and in the job's log.
#include "caddis/rest/heritrix_rest.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/engine/file_answer.h"
#include "caddis/rest/answer_form.h"
#include "caddis/rest/file_answers.h"
#include "caddis/rest/new_job_beans.h"
#include "caddis/rest/report_classes.h"
#include "caddis/url/percent.h"

namespace caddis::rest {
namespace {

using Response = http::ServerResponse;

std::vector<std::string> segments_of(std::string_view path) {
  std::vector<std::string> segments;
  for (const std::string_view part : split(path, '/'))
    if (!part.empty()) segments.push_back(url::percent_decode(part));
  if (!segments.empty()) segments.erase(segments.begin());  // "engine"
  return segments;
}

std::string joined(const std::vector<std::string>& segments, size_t from) {
  std::string path;
  for (size_t i = from; i < segments.size(); ++i) path += (path.empty() ? "" : "/") + segments[i];
  return path;
}

EngineUrl url_of(const http::ServerRequest& request) {
  const std::string_view host = request.header("Host");
  return fmt::format("{}://{}/engine", request.tls ? "https" : "http", host.empty() ? "localhost" : host);
}

Response see_other(std::string_view location, std::string_view refused = {}) {
  Response response = http::text_response(303, location);
  response.headers.emplace_back("Location", location);
  if (!refused.empty()) {
    std::string words(refused.substr(0, 1000));
    std::ranges::replace_if(words, [](char c) { return c < ' ' || c == '\x7f'; }, ' ');
    response.headers.emplace_back("Caddis-Refused", words);
  }
  return response;
}

Response failure(const Error& error) {
  switch (error.code) {
    case ErrorCode::not_found:
      return http::text_response(404, error.message);
    case ErrorCode::denied:
      return http::text_response(403, error.message);
    case ErrorCode::conflict:
      return http::text_response(409, error.message);
    case ErrorCode::unsupported:
      return http::text_response(415, error.message);
    case ErrorCode::parse:
    case ErrorCode::config:
    case ErrorCode::limit:
      return http::text_response(400, error.message);
    default:
      return http::text_response(500, error.message);
  }
}

bool reads(const http::ServerRequest& request) { return request.method == "GET" || request.method == "HEAD"; }

Response refuse_method(std::string_view allowed) {
  Response response = http::text_response(405, fmt::format("use {}", allowed));
  response.headers.emplace_back("Allow", allowed);
  return response;
}

}  // namespace

struct HeritrixRest::Asked {
  const http::ServerRequest& request;
  const EngineDoor door;
  const EngineUrl url;
  const std::vector<std::string> segments;  // behind "/engine"
  const AnswerForm form;
  const access::Role role;

  std::string job_url() const { return fmt::format("{}/job/{}", url, percent_encoded(segments[1])); }
};

HeritrixRest::HeritrixRest(const Workshop& workshop, io::Files& files, EngineApi api, RestOptions options)
    : workshop_(workshop),
      files_(files),
      api_(std::move(api)),
      options_(std::move(options)),
      job_files_(files, options_.jobs_dir) {}

access::Role HeritrixRest::needed_role(const http::ServerRequest& request) {
  const std::vector<std::string> segments = segments_of(request.path);
  if (!segments.empty() && segments[0] == "anypath") return access::Role::admin;
  if (reads(request)) return access::Role::viewer;
  if (!segments.empty()) return access::Role::manager;
  const auto form = Form::of(request);
  return form && form->text("action") == "exit java process" ? access::Role::admin : access::Role::manager;
}

aio::Task<Response> HeritrixRest::answer(const http::ServerRequest& request, const access::Identity& identity) {
  if (identity.role < needed_role(request))
    co_return http::text_response(403, fmt::format("{} may not do this", identity.name));
  Asked asked{request,
              EngineDoor(api_, identity),
              url_of(request),
              segments_of(request.path),
              answer_form(request.header("Accept")),
              identity.role};
  co_return co_await route(asked);
}

aio::Task<Response> HeritrixRest::route(Asked& asked) {
  const std::vector<std::string>& path = asked.segments;
  if (path.empty()) {
    if (reads(asked.request)) return show_engine(asked);
    return change_engine(asked);
  }
  if (path[0] == "job" && path.size() >= 2) return answer_job(asked);
  if (path[0] == "jobsdir") return answer_file(asked, joined(path, 1));
  if (path[0] == "anypath") {
    // The segments of an absolute path; it has to begin with that of the jobs.
    const std::string whole = "/" + joined(path, 1);
    const std::string& root = options_.jobs_dir;
    const bool is_below = whole == root || whole.starts_with(root + "/");
    return answer_file(asked, is_below ? whole.substr(root.size()) : "../" + whole);
  }
  return answer_file(asked, "../nothing");
}

aio::Task<Response> HeritrixRest::show_engine(Asked& asked) {
  if (asked.form == AnswerForm::page) co_return see_other("/");
  auto engine = co_await engine_facts(asked.door);
  if (!engine) co_return failure(engine.error());
  const auto list = co_await asked.door.get("/api/jobs");
  if (!list) co_return failure(list.error());
  const auto jobs = read_jobs(*list);
  if (!jobs) co_return failure(jobs.error());
  co_return document_response(200, "engine", engine_document(*engine, *jobs, asked.url), asked.form);
}

aio::Task<Response> HeritrixRest::change_engine(Asked& asked) {
  if (asked.request.method != "POST") co_return refuse_method("GET, HEAD, POST");
  const auto form = Form::of(asked.request);
  if (!form) co_return failure(form.error());
  const std::string action = form->text("action");
  if (action == "create") co_return co_await create_job(asked, form->text("createpath"), form->text("profile"));
  if (action == "add") co_return co_await add_job(asked, form->find("addpath").value_or(form->text("path")));
  if (action == "exit java process") co_return co_await end_engine(asked, *form);
  if (action == "rescan") {
    const auto done = co_await asked.door.post("/api/jobs/rescan", std::string());
    co_return see_other(asked.url, done ? "" : done.error().message);
  }
  if (action == "gc") co_return see_other(asked.url);  // no heap of Java is there to be swept
  co_return http::text_response(
      400, fmt::format("there is no action '{}': there are rescan, add, create, gc, exit java process", action));
}

// The new job has a crawler-beans.cxml, which clients read, change and put back; or what its profile has.
aio::Task<Response> HeritrixRest::create_job(Asked& asked, std::string name, std::string profile) {
  const bool is_default = profile.empty() || profile.starts_with("Defaults");
  JsonObject wanted;
  wanted.add("name", name);
  if (!is_default) wanted.add("profile", profile);
  const auto made = co_await asked.door.post("/api/jobs", wanted.finish());
  if (!made) co_return see_other(asked.url, made.error().message);
  if (is_default) {
    Result<void> written;
    const std::string file = name + "/crawler-beans.cxml";
    const std::function<void()> work = [&] { written = job_files_.write(file, kNewJobBeans); };
    co_await workshop_.workers.run(workshop_.loop, work);
    if (!written) co_return see_other(asked.url, written.error().message);
  }
  co_return see_other(asked.url);
}

// Folders lie below that of the jobs: one that is there is found, one elsewhere is refused.
aio::Task<Response> HeritrixRest::add_job(Asked& asked, std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  Result<std::string> found;
  const std::function<void()> work = [&] { found = job_files_.find_whole(path); };
  co_await workshop_.workers.run(workshop_.loop, work);
  if (!found) co_return see_other(asked.url, found.error().message);
  const auto done = co_await asked.door.post("/api/jobs/rescan", std::string());
  co_return see_other(asked.url, done ? "" : done.error().message);
}

// Clients take a connection that ends without an answer for success.
aio::Task<Response> HeritrixRest::end_engine(Asked& asked, const Form& form) {
  if (!form.ticked("im_sure")) co_return see_other(asked.url, "tick im_sure to end the engine");
  if (!options_.exit) co_return see_other(asked.url, "this engine is not ended by requests");
  const auto list = co_await asked.door.get("/api/jobs");
  if (!list) co_return failure(list.error());
  const auto jobs = read_jobs(*list);
  if (!jobs) co_return failure(jobs.error());
  for (const JobSummaryFacts& job : *jobs)
    if (job.is_running() && !form.ticked("ignore__" + job.name))
      co_return see_other(
          asked.url, fmt::format("{} runs: tick ignore__{}; its crawl goes on without the engine", job.name, job.name));
  options_.exit();
  co_return Response(0);
}

aio::Task<Response> HeritrixRest::answer_job(Asked& asked) {
  const std::vector<std::string>& path = asked.segments;
  if (path.size() == 2) {
    if (reads(asked.request)) return show_job(asked);
    return change_job(asked);
  }
  if (path[2] == "jobdir") {
    std::string below = joined(path, 3);
    const std::string folder = fmt::format("{}/{}/", options_.jobs_dir, path[1]).substr(1);
    if (below.starts_with(folder)) below.erase(0, folder.size());  // a whole path, as scripts print them
    below = path[1] + "/" + below;
    if (reads(asked.request)) return answer_file(asked, std::move(below));
    return write_file(asked, std::move(below));
  }
  if (path[2] == "report") return show_report(asked);
  if (path[2] == "script") return run_script(asked);
  if (path[2] == "beans") return show_settings(asked);
  return answer_file(asked, path[1] + "/../" + path[2]);
}

aio::Task<Response> HeritrixRest::show_job(Asked& asked) {
  if (asked.form == AnswerForm::page) co_return see_other("/");
  const auto engine = co_await engine_facts(asked.door);
  if (!engine) co_return failure(engine.error());
  auto job = co_await job_facts(asked.door, asked.segments[1]);
  if (!job) co_return failure(job.error());
  co_await add_crawl_facts(asked.door, *job);
  co_return document_response(200, "job", job_document(*job, *engine, asked.url), asked.form);
}

aio::Task<Response> HeritrixRest::change_job(Asked& asked) {
  if (asked.request.method != "POST") co_return refuse_method("GET, HEAD, POST");
  const auto form = Form::of(asked.request);
  if (!form) co_return failure(form.error());
  const std::string& name = asked.segments[1];
  std::string target, body, action = form->text("action");
  if (const auto copy = form->find("copyTo"); copy && !copy->empty()) {
    JsonObject order;
    order.add("name", *copy).add("as_profile", form->ticked("asProfile") || form->ticked("as_profile"));
    target = "/copy";
    body = order.finish();
  } else if (action == "build" || action == "validate" || action == "instantiate" || action == "checkXML") {
    target = "/build";
  } else if (action == "launch") {
    Result<std::string> cxml;
    const std::string file = name + "/crawler-beans.cxml";
    const std::function<void()> work = [&] { cxml = job_files_.read(file); };
    co_await workshop_.workers.run(workshop_.loop, work);
    const std::string checkpoint = form->text("checkpoint");
    target = fmt::format("/launch?paused={}", !cxml || pauses_at_start(*cxml) ? 1 : 0);
    if (!checkpoint.empty()) target += "&checkpoint=" + percent_encoded(checkpoint);
  } else if (action == "delete") {
    target = "/delete";
    body = R"({"launches": true})";
  } else if (action == "pause" || action == "unpause" || action == "terminate" || action == "teardown" ||
             action == "checkpoint") {
    target = "/" + action;
  } else {
    co_return http::text_response(400, fmt::format("there is no action '{}': there are build, validate, launch, pause, "
                                                   "unpause, checkpoint, terminate, teardown, delete, and copyTo",
                                                   action));
  }
  const auto done = co_await asked.door.post(job_target(name, target), std::move(body));
  if (!done && (done.error().code == ErrorCode::not_found || done.error().code == ErrorCode::denied))
    co_return failure(done.error());
  const bool is_gone = done && target == "/delete";
  co_return see_other(is_gone ? asked.url : asked.job_url(), done ? "" : done.error().message);
}

aio::Task<Response> HeritrixRest::show_report(Asked& asked) {
  const auto report = report_class_named(asked.segments.size() > 3 ? asked.segments[3] : "");
  if (!report) {
    std::string names;
    for (const ReportClass& one : kReportClasses) names += fmt::format(" {}", one.name);
    co_return http::text_response(404, "there is no such report: there are" + names);
  }
  const auto job = co_await job_facts(asked.door, asked.segments[1]);
  if (!job) co_return failure(job.error());
  if (job->last_launch.empty()) co_return http::text_response(404, "the job was never launched");
  // The reports of a crawl that has ended are there already.
  if (job->crawl) {
    const auto written = co_await asked.door.post(job_target(job->name, "/control/reports"), std::string());
    if (!written && written.error().code != ErrorCode::conflict) co_return failure(written.error());
  }
  co_return see_other(fmt::format("{}/jobdir/{}/reports/{}.txt", asked.job_url(), job->last_launch, report->file));
}

aio::Task<Response> HeritrixRest::run_script(Asked& asked) {
  const auto form = Form::of(asked.request);
  if (!form) co_return failure(form.error());
  auto job = co_await job_facts(asked.door, asked.segments[1]);
  if (!job) co_return failure(job.error());
  ScriptOutcome outcome;
  if (!reads(asked.request)) {
    if (!job->is_built())
      co_return http::text_response(500,
                                    fmt::format("{} is not built, so there is nothing a script could ask", job->name));
    ScriptRunner runner(workshop_, job_files_, asked.door, *job);
    outcome = co_await runner.run(form->text("engine"), form->text("script"));
  }
  co_return document_response(200, "script", script_document(outcome, job->name, asked.url), asked.form);
}

// The beans of a job are its settings.
aio::Task<Response> HeritrixRest::show_settings(Asked& asked) {
  if (!reads(asked.request))
    co_return http::text_response(
        400, "values of beans are settings here: POST /api/jobs/{job}/control/settings changes them");
  const auto settings = co_await asked.door.get(job_target(asked.segments[1], "/settings"));
  if (!settings) co_return failure(settings.error());
  co_return http::json_response(200, *settings);
}

aio::Task<Response> HeritrixRest::answer_file(Asked& asked, std::string path) {
  if (!reads(asked.request)) co_return refuse_method("GET, HEAD");
  std::string url = asked.url.substr(0, asked.url.size() - std::string_view("/engine").size()) + asked.request.path;
  if (!url.ends_with('/')) url += '/';
  const bool is_html = asked.form == AnswerForm::page;
  const auto page = PageQuery::of(asked.request.query);
  const http::ServerRequest& request = asked.request;
  const access::Role role = asked.role;
  Result<Response> response;
  const std::function<void()> work = [&] {
    const auto found = job_files_.find(path);
    if (!found) {
      response = std::unexpected(found.error());
    } else if (role < engine::needed_for(*found)) {
      response = fail(ErrorCode::denied, "this file may hold secrets, and your role may not read it");
    } else if (files_.is_directory(*found)) {
      const auto entries = job_files_.list(path);
      if (entries)
        response = folder_response(*entries, url, is_html);
      else
        response = std::unexpected(entries.error());
    } else {
      response = page ? page_response(files_, *found, *page) : engine::answer_file(files_, *found, request);
    }
  };
  co_await workshop_.workers.run(workshop_.loop, work);
  if (!response) co_return failure(response.error());
  co_return *std::move(response);
}

aio::Task<Response> HeritrixRest::write_file(Asked& asked, std::string path) {
  const bool is_form = asked.request.method == "POST";
  if (!is_form && asked.request.method != "PUT") co_return refuse_method("GET, HEAD, PUT, POST");
  std::string bytes = asked.request.body;
  if (is_form) {
    const auto form = Form::of(asked.request);
    if (!form) co_return failure(form.error());
    const auto contents = form->find("contents");
    if (!contents) co_return http::text_response(400, "the form has no field `contents`");
    bytes = *contents;
  }
  Result<void> written;
  const std::function<void()> work = [&] { written = job_files_.write(path, bytes); };
  co_await workshop_.workers.run(workshop_.loop, work);
  if (!written) co_return failure(written.error());
  if (is_form) co_return see_other(asked.url.substr(0, asked.url.size() - 7) + asked.request.path);
  co_return http::text_response(200, "written");
}

aio::Task<Result<EngineFacts>> HeritrixRest::engine_facts(const EngineDoor& door) {
  CO_TRY(const std::string document, co_await door.get("/api/engine"));
  co_return read_engine(document);
}

aio::Task<Result<JobFacts>> HeritrixRest::job_facts(const EngineDoor& door, std::string name) {
  CO_TRY(const std::string document, co_await door.get(job_target(name, "")));
  auto job = read_job(document);
  if (job) job->folder = fmt::format("{}/{}", options_.jobs_dir, job->name);
  co_return job;
}

aio::Task<void> HeritrixRest::add_crawl_facts(const EngineDoor& door, JobFacts& job) {
  if (job.last_launch.empty() || job.state == "READY") co_return;
  const auto lines = co_await door.get(job_target(job.name, "/launches/latest/logs/crawl.log?reverse=1&limit=10"));
  if (lines)
    if (auto tail = read_lines(*lines)) job.crawl_log_tail = *std::move(tail);
  if (!job.crawl) co_return;
  const auto visits = co_await door.get(job_target(job.name, "/control/visits?limit=10000"));
  if (visits)
    if (auto steps = read_visits(*visits)) job.visits = *std::move(steps);
}

}  // namespace caddis::rest
