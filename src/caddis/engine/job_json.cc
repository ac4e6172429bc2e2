#include "caddis/engine/job_json.h"

#include <fmt/format.h>

#include "caddis/base/json_text.h"
#include "caddis/control/api_json.h"
#include "caddis/settings/schema.h"

namespace caddis::engine {
namespace {

JsonObject summary_object(const JobSummary& summary) {
  std::vector<std::string> actions;
  for (const JobAction action : summary.actions) actions.emplace_back(name_of(action));
  JsonObject json;
  json.add("name", summary.name)
      .add("is_profile", summary.is_profile)
      .add("state", name_of(summary.state))
      .add("exit", name_of(summary.exit))
      .add("status", status_of(summary.state, summary.exit))
      .add("launch_count", summary.launch_count)
      .add("last_launch", summary.last_launch)
      .add_raw("actions", json_list(actions))
      .add("documents", summary.documents)
      .add("bytes", summary.bytes)
      .add("documents_per_second", summary.documents_per_second)
      .add("alerts", summary.alerts);
  return json;
}

std::string to_json(const LaunchSummary& launch) {
  return JsonObject()
      .add("name", launch.name)
      .add("started", launch.started)
      .add("ended", launch.ended)
      .add("exit", launch.exit)
      .add("documents", launch.documents)
      .add("bytes", launch.bytes)
      .add("repeated", launch.repeated)
      .add("repeated_bytes", launch.repeated_bytes)
      .add("unchanged", launch.unchanged)
      .add("unchanged_bytes", launch.unchanged_bytes)
      .finish();
}

std::string row_of(const settings::Schema& schema, const settings::Field& field) {
  std::vector<std::string> choices;
  for (const settings::Choice& choice : field.row.choices) choices.emplace_back(choice.name);
  return JsonObject()
      .add("name", fmt::format("{}.{}", schema.name(), field.name))
      .add("type", to_string(field.kind))
      .add("unit", field.row.unit)
      .add("default", field.write_shown(field.default_value))
      .add("doc", field.doc)
      .add("live", field.live())
      .add("per_site", field.per_site())
      .add("per_host", field.per_host())
      .add("secret", field.secret())
      .add("expert", (field.row.flags & settings::kExpert) != 0)
      .add("range", field.range())
      .add_raw("choices", json_list(choices))
      .finish();
}

}  // namespace

std::string json_array(const std::vector<std::string>& items) { return fmt::format("[{}]", fmt::join(items, ",")); }

std::string json_list(const std::vector<std::string>& texts) {
  std::string json = "[";
  for (const std::string& text : texts) {
    if (json.size() > 1) json += ',';
    append_json_string(json, text);
  }
  return json + "]";
}

std::string to_json(const JobSummary& summary) { return summary_object(summary).finish(); }

std::string to_json(const JobDetail& detail) {
  std::vector<std::string> launches, checkpoints;
  for (const LaunchSummary& launch : detail.launches) launches.push_back(to_json(launch));
  for (const auto& checkpoint : detail.checkpoints) checkpoints.push_back(control::api::to_json(checkpoint));
  return summary_object(detail)
      .add("config_file", detail.config_file)
      .add("config_kind", detail.is_cxml ? "cxml" : "yaml")
      .add_raw("launches", json_array(launches))
      .add_raw("log_tail", json_list(detail.log_tail))
      .add_raw("checkpoints", json_array(checkpoints))
      .add_raw("problems", json_list(detail.problems))
      .add_raw("crawl", detail.crawl_json.empty() ? "null" : detail.crawl_json)
      .finish();
}

std::string to_json(const ConfigFindings& findings) {
  std::vector<std::string> remarks;
  for (const config::Remark& remark : findings.remarks)
    remarks.push_back(JsonObject()
                          .add("severity", to_string(remark.severity))
                          .add("setting", remark.setting)
                          .add("text", remark.text)
                          .finish());
  return JsonObject()
      .add("ok", findings.is_good())
      .add_raw("errors", json_list(findings.errors))
      .add_raw("remarks", json_array(remarks))
      .finish();
}

std::string to_json(const ConfigDifference& difference) {
  return JsonObject().add("profile", difference.profile).add_raw("lines", json_list(difference.lines)).finish();
}

std::string schema_json() {
  std::vector<std::string> rows;
  for (const settings::Schema* schema : config::settings_schemas())
    for (const settings::Field& field : schema->fields()) rows.push_back(row_of(*schema, field));
  return JsonObject().add_raw("settings", json_array(rows)).finish();
}

}  // namespace caddis::engine
