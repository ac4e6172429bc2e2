#include <fmt/format.h>

#include <optional>
#include <vector>

#include "caddis/base/json_text.h"
#include "caddis/harvest/domain_name.h"
#include "caddis/harvest/totals.h"
#include "caddis/harvest/withdrawal.h"
#include "caddis/harvestserver/contact.h"
#include "caddis/harvestserver/json.h"
#include "caddis/harvestserver/results_csv.h"
#include "caddis/harvestserver/routes.h"

namespace caddis::harvestserver {
namespace {

using sql::Connection;

constexpr int64_t kPiece = 100;  // jobs that are withdrawn in one transaction

Result<std::string> definition_json(Connection& c, const std::string& name) {
  TRY(const harvest::Definition one, harvest::find_definition(c, name));
  TRY(const auto fields, harvest::values_of(c, "harvest", one.id));
  return to_json(one, fields);
}

Answer answer_with(const Call& call, const std::string& name) {
  TRY(std::string json, call.parts.database.read([&](Connection& c) { return definition_json(c, name); }));
  return json_answer(std::move(json));
}

Answer list(const Call& call) {
  TRY(const auto all, call.parts.database.read(harvest::list_definitions));
  std::vector<std::string> rows;
  for (const harvest::Definition& one : all) rows.push_back(to_json(one, {}));
  return json_answer(json_page("harvests", rows, ""));
}

Answer save_given(const Call& call, const GivenDefinition& given) {
  TRY_VOID(call.parts.database.transact([&](Connection& c) -> Result<void> {
    TRY_VOID(harvest::save_definition(c, given.definition, call.edit()));
    if (!given.has_fields) return {};
    TRY(const harvest::Definition one, harvest::find_definition(c, given.definition.name));
    return harvest::save_values(c, "harvest", one.id, one.name, given.fields, call.edit());
  }));
  return answer_with(call, given.definition.name);
}

Answer create(const Call& call) {
  TRY(GivenDefinition given, read_definition(call.body()));
  given.definition.edition = 0;
  return save_given(call, given);
}

Answer tell(const Call& call) { return answer_with(call, call.segment("harvest")); }

Answer save(const Call& call) {
  TRY(GivenDefinition given, read_definition(call.body()));
  given.definition.name = call.segment("harvest");
  if (given.definition.edition == 0) return fail(ErrorCode::config, "say which edition of it you have seen");
  return save_given(call, given);
}

Answer remove(const Call& call) {
  TRY_VOID(call.parts.database.transact(
      [&](Connection& c) { return harvest::remove_definition(c, call.segment("harvest"), call.edit()); }));
  return json_answer("{}");
}

Answer list_configurations(const Call& call) {
  TRY(const int64_t limit, call.parameter("limit", 100));
  TRY(const auto names, call.parts.database.read([&](Connection& c) {
    return harvest::configurations_of(c, call.segment("harvest"), call.parameters.text("after"), limit);
  }));
  std::vector<std::string> rows;
  for (const harvest::ConfigurationName& name : names) rows.push_back(to_json(name));
  const bool has_more = static_cast<int64_t>(names.size()) == limit;
  return json_answer(
      json_page("configurations", rows, has_more ? names.back().domain + "/" + names.back().configuration : ""));
}

Answer change_configurations(const Call& call) {
  TRY(const NameChanges changes, read_name_changes(call.body()));
  TRY(std::string json, call.parts.database.write([&](Connection& c) -> Result<std::string> {
    const std::string& name = call.segment("harvest");
    TRY(const harvest::Added added,
        harvest::add_configurations(c, name, changes.added, new_domain_rule(call.parts.settings), call.edit()));
    if (!changes.removed.empty()) TRY_VOID(harvest::remove_configurations(c, name, changes.removed, call.edit()));
    return to_json(added);
  }));
  return json_answer(std::move(json));
}

Answer add_seeds(const Call& call) {
  TRY(const harvest::EventSeeds event, read_event_seeds(call.body()));
  TRY(std::string json, call.parts.database.write([&](Connection& c) -> Result<std::string> {
    TRY(const harvest::Added added,
        harvest::add_event_seeds(c, call.segment("harvest"), event, new_domain_rule(call.parts.settings), call.edit()));
    return to_json(added);
  }));
  return json_answer(std::move(json));
}

Answer activate(const Call& call) {
  TRY_VOID(require_contact(call.parts));
  TRY_VOID(call.parts.database.transact(
      [&](Connection& c) { return harvest::activate(c, call.segment("harvest"), call.edit()); }));
  call.parts.look_now();
  return answer_with(call, call.segment("harvest"));
}

Answer run_now(const Call& call) {
  TRY_VOID(require_contact(call.parts));
  TRY_VOID(call.parts.database.transact(
      [&](Connection& c) { return harvest::ask_for_run(c, call.segment("harvest"), call.edit()); }));
  call.parts.look_now();
  return answer_with(call, call.segment("harvest"));
}

Answer deactivate(const Call& call) {
  TRY_VOID(call.parts.database.transact(
      [&](Connection& c) { return harvest::deactivate(c, call.segment("harvest"), "", call.edit()); }));
  return answer_with(call, call.segment("harvest"));
}

Answer withdraw(const Call& call) {
  TRY_VOID(require_steering(call, call.segment("harvest")));
  std::optional<int64_t> run;
  if (call.parameters.contains("run")) {
    TRY(run, call.parameter("run", 0));
  }
  int64_t all = 0;
  for (int64_t withdrawn = kPiece; withdrawn == kPiece; all += withdrawn) {
    TRY(withdrawn, call.parts.database.write([&](Connection& c) {
      return harvest::withdraw_jobs(c, call.segment("harvest"), run, kPiece, call.edit());
    }));
  }
  return json_answer(JsonObject().add("withdrawn", all).finish());
}

std::string run_json(const harvest::RunTotals& run) {
  JsonObject json;
  const auto add = [&](std::string_view name, const std::optional<int64_t>& value) {
    if (value)
      json.add(name, *value);
    else
      json.add_null(name);
  };
  json.add("run", run.run).add("jobs", run.jobs).add("open", run.open).add("failed", run.failed);
  json.add("objects", run.objects).add("bytes", run.bytes).add("created", run.created);
  add("started", run.started);
  add("ended", run.ended);
  return json.finish();
}

std::string reason_json(const harvest::ReasonTotals& one) {
  return JsonObject()
      .add("stop_reason", name_of(one.reason))
      .add("results", one.results)
      .add("objects", one.objects)
      .add("bytes", one.bytes)
      .finish();
}

Answer list_runs(const Call& call) {
  TRY(const int64_t limit, call.parameter("limit", 100));
  std::optional<int64_t> before;
  if (call.parameters.contains("before")) {
    TRY(before, call.parameter("before", 0));
  }
  TRY(const auto runs, call.parts.database.read(
                           [&](Connection& c) { return harvest::runs_of(c, call.segment("harvest"), before, limit); }));
  std::vector<std::string> rows;
  for (const harvest::RunTotals& run : runs) rows.push_back(run_json(run));
  const bool has_more = static_cast<int64_t>(runs.size()) == limit && runs.back().run > 0;
  return json_answer(json_page("runs", rows, has_more ? std::to_string(runs.back().run) : ""));
}

Answer list_stop_reasons(const Call& call) {
  std::optional<int64_t> run;
  if (call.parameters.contains("run")) {
    TRY(run, call.parameter("run", 0));
  }
  TRY(const auto reasons,
      call.parts.database.read([&](Connection& c) { return harvest::reasons_of(c, call.segment("harvest"), run); }));
  std::vector<std::string> rows;
  for (const harvest::ReasonTotals& one : reasons) rows.push_back(reason_json(one));
  return json_answer(json_page("stop_reasons", rows, ""));
}

// In the form that is kept; what is no name stays as it is, and nothing has it.
std::string known_name(const std::string& domain) { return harvest::domain_name_of(domain).value_or(domain); }

Answer list_results(const Call& call) {
  harvest::ResultQuery query;
  query.definition = call.parameters.text("harvest");
  query.domain = known_name(call.parameters.text("domain"));
  if (const std::string reason = call.parameters.text("stop_reason"); !reason.empty()) {
    query.reason = harvest::reason_named(reason);
    if (!query.reason) return fail(ErrorCode::parse, fmt::format("'{}' is no stop reason", reason));
  }
  if (call.parameters.contains("run")) {
    TRY(query.run, call.parameter("run", 0));
  }
  if (call.parameters.contains("job")) {
    TRY(query.job, call.parameter("job", 0));
  }
  if (call.parameters.text("format") == "csv") return results_as_csv(call.parts.database, query);
  TRY(query.after, call.parameter("after", 0));
  if (call.parameters.contains("before")) {
    TRY(query.before, call.parameter("before", 0));
  }
  TRY(query.limit, call.parameter("limit", 100));
  TRY(const auto lines, call.parts.database.read([&](Connection& c) { return harvest::list_results(c, query); }));
  std::vector<std::string> rows;
  for (const harvest::ResultLine& line : lines) rows.push_back(to_json(line));
  const bool has_more = static_cast<int64_t>(lines.size()) == query.limit;
  return json_answer(json_page("results", rows, has_more ? std::to_string(lines.back().id) : ""));
}

constexpr Route kRoutes[] = {
    {"GET", "/api/harvests", "", list},
    {"POST", "/api/harvests", "", create, access::Role::curator},
    {"GET", "/api/harvests/{harvest}", "", tell},
    {"PUT", "/api/harvests/{harvest}", "", save, access::Role::curator},
    {"DELETE", "/api/harvests/{harvest}", "", remove, access::Role::curator},
    {"GET", "/api/harvests/{harvest}/configurations", "after limit", list_configurations},
    {"POST", "/api/harvests/{harvest}/configurations", "", change_configurations, access::Role::curator},
    {"POST", "/api/harvests/{harvest}/seeds", "", add_seeds, access::Role::curator},
    {"POST", "/api/harvests/{harvest}/activate", "", activate, access::Role::curator},
    {"POST", "/api/harvests/{harvest}/deactivate", "", deactivate, access::Role::curator},
    {"POST", "/api/harvests/{harvest}/run", "", run_now, access::Role::curator},
    {"POST", "/api/harvests/{harvest}/withdraw", "run", withdraw, access::Role::curator},
    {"GET", "/api/harvests/{harvest}/runs", "before limit", list_runs},
    {"GET", "/api/harvests/{harvest}/stop-reasons", "run", list_stop_reasons},
    {"GET", "/api/results", "harvest domain run job stop_reason after before limit format", list_results},
};

}  // namespace

std::span<const Route> harvest_routes() { return kRoutes; }

}  // namespace caddis::harvestserver
