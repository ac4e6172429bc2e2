#include "caddis/replay/rules_api.h"

#include <algorithm>
#include <map>
#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/query.h"
#include "caddis/metrics/exposition.h"
#include "caddis/viewing/group_names.h"
#include "caddis/viewing/rule_file.h"
#include "caddis/viewing/rule_json.h"

namespace caddis::replay {
namespace {

constexpr std::string_view kRules = "/api/access/rules";
constexpr std::string_view kCheck = "/api/access/check";
constexpr std::string_view kMetrics = "/metrics";

using Parameters = std::map<std::string, std::string, std::less<>>;

http::ServerResponse failed(const Error& error) {
  int status = 500;
  if (error.code == ErrorCode::config || error.code == ErrorCode::parse || error.code == ErrorCode::limit) status = 400;
  if (error.code == ErrorCode::not_found) status = 404;
  if (error.code == ErrorCode::conflict) status = 409;
  JsonObject body;
  body.add("error", error.message);
  return http::json_response(status, body.finish());
}

Parameters parameters_of(const http::ServerRequest& request) {
  Parameters parameters;
  for (auto& [name, value] : cdx::parse_form(request.query)) parameters[name] = std::move(value);
  return parameters;
}

Result<http::ServerResponse> add_rule(viewing::RuleStore& store, const Clock& clock, const http::ServerRequest& request,
                                      const RulesCaller& caller) {
  TRY(viewing::Rule rule, viewing::parse_rule(request.body, "the rule"));
  if (rule.id.empty()) return fail(ErrorCode::config, "a rule without id");
  rule.made.by = caller.user;
  rule.made.when = rfc3339(clock.wall());
  TRY_VOID(store.change(
      {caller.user, caller.address, "api", "rule " + rule.id + " " + std::string(viewing::to_string(rule.verdict))},
      [&](const std::string& text) { return viewing::with_rules(text, store.path(), {rule}); }));
  return http::json_response(201, viewing::rule_json(rule));
}

Result<http::ServerResponse> change_rules(viewing::RuleStore& store, const Clock& clock,
                                          const http::ServerRequest& request, const RulesCaller& caller) {
  const bool is_list = request.path == kRules;
  if (request.method == "GET" && is_list) {
    store.refresh_now_and_then();
    return http::json_response(200, viewing::rules_json(store.rules()->list()));
  }
  if (request.method == "POST" && is_list) return add_rule(store, clock, request, caller);
  if (request.method != "DELETE" || is_list) return http::text_response(405, "rules are read, added and deleted");
  const std::string id = cdx::parse_form("id=" + request.path.substr(kRules.size() + 1)).front().second;
  TRY_VOID(store.change({caller.user, caller.address, "api", "removed " + id},
                        [&](const std::string& text) { return viewing::without_rule(text, store.path(), id); }));
  return http::ServerResponse(204);
}

Result<http::ServerResponse> check(ServedRules& rules, const Clock& clock, Parameters& asked) {
  if (asked["url"].empty()) return fail(ErrorCode::config, "no url: ask with ?url=https://example.org/");
  TRY_VOID(viewing::check_viewer_role(asked["role"]));
  viewing::Viewer viewer{asked["user"], asked["role"]};
  if (!asked["from"].empty()) viewer.address = url::parse_address(asked["from"]);
  const WallTime now = clock.wall();
  std::string time = timestamp14(now);
  if (!asked["time"].empty()) {
    TRY(const WallTime moment, parse_timestamp(asked["time"]));
    time = timestamp14(moment);
  }
  if (!asked["collection"].empty() && rules.store(asked["collection"]) == nullptr)
    return fail(ErrorCode::not_found, rules.why_none(asked["collection"]));
  std::string decisions = "[";
  auto verdict = viewing::Verdict::allow;
  for (const std::string& name : {std::string(), asked["collection"]}) {
    viewing::RuleStore* const store = rules.store(name);
    if (store == nullptr || (name.empty() && decisions.size() > 1)) continue;
    store->refresh_now_and_then();
    const auto set = store->rules();
    viewing::Explanation explanation{store->path(), set->explain(asked["url"], time, viewer, now), {}};
    explanation.decision = viewing::decision_of(*set, explanation.findings);
    verdict = std::max(verdict, explanation.decision.verdict);
    decisions += (decisions.size() > 1 ? "," : "") + viewing::explanation_json(explanation);
  }
  JsonObject body;
  body.add("verdict", viewing::to_string(verdict)).add("time", time).add_raw("decisions", decisions + ']');
  return http::json_response(200, body.finish());
}

}  // namespace

bool is_rules_path(std::string_view path) {
  return path == kMetrics || path == kCheck || path == kRules || path.starts_with(std::string(kRules) + '/');
}

http::ServerResponse answer_rules(ServedRules& rules, const Clock& clock, const http::ServerRequest& request,
                                  const RulesCaller& caller) {
  Parameters asked = parameters_of(request);
  if (request.path == kCheck) {
    auto answer = check(rules, clock, asked);
    return answer ? *std::move(answer) : failed(answer.error());
  }
  viewing::RuleStore* const store = rules.store(asked["collection"]);
  if (store == nullptr) return failed({ErrorCode::not_found, rules.why_none(asked["collection"])});
  auto answer = change_rules(*store, clock, request, caller);
  return answer ? *std::move(answer) : failed(answer.error());
}

std::string served_metrics(const ServedRules& rules, const ServedCounts& served) {
  using metrics::Type;
  const viewing::DecisionCounts& counts = rules.counts();
  metrics::Exposition text;
  const auto number = [](uint64_t value) { return static_cast<double>(value); };
  text.begin({"caddis_serve_decisions_total", Type::counter,
              "Captures that access rules were asked about, by what they said.", "verdict"})
      .add(number(counts.allowed), "allow")
      .add(number(counts.blocked), "block")
      .add(number(counts.excluded), "exclude");
  text.begin({"caddis_serve_blocked_answers_total", Type::counter, "Answers 451: what was asked for is blocked.", {}})
      .add(number(counts.refusals));
  text.begin({"caddis_serve_access_rules", Type::gauge, "Access rules in force.", {}}).add(number(rules.size()));
  text.begin({"caddis_serve_access_rule_problems",
              Type::gauge,
              "Files of access rules that cannot be used as they are now.",
              {}})
      .add(number(rules.problems().size()));
  text.begin({"caddis_serve_requests_refused_total",
              Type::counter,
              "Requests that were refused since their client had sent too many.",
              {}})
      .add(number(served.refused_requests));
  text.begin({"caddis_serve_broken_index_lines_total",
              Type::counter,
              "Lines of index files that queries have passed over, since they cannot be read; each once.",
              {}})
      .add(number(served.broken_lines));
  return text.finish();
}

}  // namespace caddis::replay
