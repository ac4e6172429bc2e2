#include <fmt/format.h>

#include <vector>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/harvest/domain_name.h"
#include "caddis/harvest/harvest_info.h"
#include "caddis/harvest/job_members.h"
#include "caddis/harvest/progress.h"
#include "caddis/harvest/withdrawal.h"
#include "caddis/harvestserver/job_views.h"
#include "caddis/harvestserver/json.h"
#include "caddis/harvestserver/routes.h"

namespace caddis::harvestserver {
namespace {

using sql::Connection;

constexpr int64_t kMostSamples = 2000;

Answer list(const Call& call) {
  harvest::JobQuery query;
  query.definition = call.parameters.text("harvest");
  const std::string states = call.parameters.text("state");
  for (const std::string_view name : split(states, ',')) {
    if (name.empty()) continue;
    const auto state = harvest::state_named(name);
    if (!state) return fail(ErrorCode::parse, fmt::format("'{}' is no state of a job", name));
    query.states.push_back(*state);
  }
  if (call.parameters.contains("run")) {
    TRY(query.run, call.parameter("run", 0));
  }
  TRY(query.before, call.parameter("before", 0));
  TRY(query.limit, call.parameter("limit", 100));
  TRY(const auto jobs, call.parts.database.read([&](Connection& c) { return harvest::list_jobs(c, query); }));
  std::vector<std::string> rows;
  for (const harvest::Job& job : jobs) rows.push_back(job_json_for(call, job));
  const bool has_more = static_cast<int64_t>(jobs.size()) == query.limit;
  return json_answer(json_page("jobs", rows, has_more ? std::to_string(jobs.back().id) : ""));
}

Answer answer_with(const Call& call, int64_t id) {
  TRY(std::string json, call.parts.database.read([&](Connection& c) -> Result<std::string> {
    TRY(const harvest::Job job, harvest::find_job(c, id));
    TRY(const auto files, harvest::job_file_names(c, id));
    TRY(const auto stored, harvest::stored_files(c, id));
    std::vector<std::string> rows;
    for (const harvest::StoredFile& file : stored) rows.push_back(to_json(file));
    std::string text = job_json_for(call, job);
    text.pop_back();
    return fmt::format("{},\"files\":{},\"stored\":{}}}", text, json_list(files), json_array(rows));
  }));
  return json_answer(std::move(json));
}

Answer tell(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  return answer_with(call, id);
}

Answer read_file(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  const std::string& name = call.segment("name");
  const bool has_settings =
      name != harvest::kHarvestInfo && (name.ends_with(".yaml") || name.ends_with(".cxml") || name.ends_with(".xml"));
  if (has_settings && call.identity.role < access::Role::manager)
    return fail(ErrorCode::denied,
                "an operator alone reads these settings, which may hold secrets; the job's records have them without");
  TRY(std::string text, call.parts.database.read([&](Connection& c) { return harvest::job_file(c, id, name); }));
  http::ServerResponse response(200);
  response.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
  response.body = std::move(text);
  return response;
}

Answer list_progress(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY(const auto samples,
      call.parts.database.read([&](Connection& c) { return harvest::progress_of(c, id, kMostSamples); }));
  std::vector<std::string> rows;
  for (const harvest::Sample& sample : samples)
    rows.push_back(JsonObject().add("time", sample.time).add_raw("sample", sample.json).finish());
  return json_answer(json_page("samples", rows, ""));
}

Answer resubmit(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY_VOID(require_steering(call, id));
  TRY(const int64_t made,
      call.parts.database.write([&](Connection& c) { return harvest::resubmit_job(c, id, call.edit()); }));
  return answer_with(call, made);
}

Answer wish(const Call& call, std::string_view what) {
  TRY(const int64_t id, call.number("job"));
  TRY_VOID(require_steering(call, id));
  TRY_VOID(call.parts.database.transact([&](Connection& c) { return harvest::set_wish(c, id, what, call.edit()); }));
  return answer_with(call, id);
}

Answer stop(const Call& call) { return wish(call, "stop"); }
Answer pause(const Call& call) { return wish(call, "pause"); }
Answer go_on(const Call& call) { return wish(call, ""); }

using Ending = Result<void>(Connection&, int64_t job, std::string_view why, const harvest::Edit&);

Answer put_an_end(const Call& call, Ending& ending) {
  TRY(const int64_t id, call.number("job"));
  TRY_VOID(require_steering(call, id));
  TRY(const std::string why, read_text(call.body(), "note"));
  TRY_VOID(call.parts.database.transact([&](Connection& c) { return ending(c, id, why, call.edit()); }));
  return answer_with(call, id);
}

Answer fail_job(const Call& call) { return put_an_end(call, harvest::fail_job); }
Answer reject_failure(const Call& call) { return put_an_end(call, harvest::reject_failure); }
Answer withdraw(const Call& call) { return put_an_end(call, harvest::withdraw_job); }

Answer reopen_failure(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY_VOID(require_steering(call, id));
  TRY_VOID(call.parts.database.transact([&](Connection& c) { return harvest::reopen_failure(c, id, call.edit()); }));
  return answer_with(call, id);
}

Answer judge(const Call& call, std::string_view verdict) {
  TRY(const int64_t id, call.number("job"));
  TRY(const std::string note, read_text(call.body(), "note"));
  TRY_VOID(call.parts.database.transact(
      [&](Connection& c) { return harvest::set_verdict(c, id, verdict, note, call.edit()); }));
  return answer_with(call, id);
}

Answer accept(const Call& call) { return judge(call, "accepted"); }
Answer reject(const Call& call) { return judge(call, "rejected"); }

std::string member_json(const harvest::JobMember& one) {
  return JsonObject()
      .add("domain", one.domain)
      .add("shown", harvest::shown_domain(one.domain))
      .add("configuration", one.configuration)
      .add("max_objects", one.limits.objects)
      .add("max_bytes", one.limits.bytes)
      .add("expected", one.expected)
      .add("traps", one.traps)
      .finish();
}

Answer list_members(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY(const int64_t limit, call.parameter("limit", 100));
  TRY(const auto members, call.parts.database.read([&](Connection& c) {
    return harvest::members_of_job(c, id, call.parameters.text("after"), limit);
  }));
  std::vector<std::string> rows;
  for (const harvest::JobMember& one : members) rows.push_back(member_json(one));
  const bool has_more = static_cast<int64_t>(members.size()) == limit;
  return json_answer(
      json_page("configurations", rows, has_more ? members.back().domain + "/" + members.back().configuration : ""));
}

// The job alone, as a collection that is shown beside the archive.
Answer show_alone(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  if (call.parts.views == nullptr)
    return fail(ErrorCode::not_found, "this server shows no captures: start it with --serve ADDR:PORT");
  TRY(const harvest::Job job, call.parts.database.read([&](Connection& c) { return harvest::find_job(c, id); }));
  TRY(const auto files, call.parts.database.read([&](Connection& c) { return harvest::stored_files(c, id, "index"); }));
  std::vector<std::string> indexes;
  for (const harvest::StoredFile& file : files) indexes.push_back(file.name);
  if (indexes.empty())
    return fail(ErrorCode::not_found, fmt::format("job {} has brought no captures that could be shown", id));
  const std::string title = fmt::format("Job {}: {}", id, job.definition);
  TRY(const std::string name, call.parts.views->show(id, title, indexes));
  if (call.parts.show_at_once) TRY_VOID(call.parts.show_at_once(name));
  return json_answer(JsonObject().add("collection", name).finish());
}

constexpr Route kRoutes[] = {
    {"GET", "/api/jobs", "state harvest run before limit", list},
    {"GET", "/api/jobs/{job}", "", tell},
    {"GET", "/api/jobs/{job}/files/{name}", "", read_file},
    {"GET", "/api/jobs/{job}/progress", "", list_progress},
    {"GET", "/api/jobs/{job}/configurations", "after limit", list_members},
    {"POST", "/api/jobs/{job}/resubmit", "", resubmit, access::Role::curator},
    {"POST", "/api/jobs/{job}/stop", "", stop, access::Role::curator},
    {"POST", "/api/jobs/{job}/pause", "", pause, access::Role::curator},
    {"POST", "/api/jobs/{job}/resume", "", go_on, access::Role::curator},
    {"POST", "/api/jobs/{job}/fail", "", fail_job},
    {"POST", "/api/jobs/{job}/reject-failure", "", reject_failure, access::Role::curator},
    {"POST", "/api/jobs/{job}/reopen-failure", "", reopen_failure, access::Role::curator},
    {"POST", "/api/jobs/{job}/withdraw", "", withdraw, access::Role::curator},
    {"POST", "/api/jobs/{job}/show", "", show_alone, access::Role::viewer},
    {"POST", "/api/jobs/{job}/accept", "", accept, access::Role::curator},
    {"POST", "/api/jobs/{job}/reject", "", reject, access::Role::curator},
};

}  // namespace

std::span<const Route> job_routes() { return kRoutes; }

}  // namespace caddis::harvestserver
