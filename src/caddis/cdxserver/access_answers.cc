#include "caddis/cdxserver/access_answers.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/cdx/query.h"
#include "caddis/cdxserver/query_answer.h"

namespace caddis::cdxserver {
namespace {

constexpr std::string_view kRules = "rules", kPolicies = "policies";

http::ServerResponse not_there() { return http::text_response(404, "there is no such rule or policy here"); }

// The number behind "rules/".
std::optional<int64_t> number_behind(std::string_view what, std::string_view list) {
  if (!what.starts_with(list) || what.size() <= list.size() || what[list.size()] != '/') return std::nullopt;
  return parse_int(what.substr(list.size() + 1));
}

std::string parameter(const http::ServerRequest& request, std::string_view name) {
  for (auto& [known, value] : cdx::parse_form(request.query))
    if (known == name) return value;
  return {};
}

http::ServerResponse json_or_not_there(const std::optional<std::string>& json) {
  return json ? http::json_response(200, *json) : not_there();
}

http::ServerResponse list_rules(const AccessControl& access, std::string_view index,
                                const http::ServerRequest& request) {
  AccessControl::RuleOrder order;
  order.search = parameter(request, "search");
  std::string sort = parameter(request, "sort");
  order.is_reversed = sort.starts_with('-');
  if (order.is_reversed) sort.erase(0, 1);
  if (!sort.empty() && sort != "id" && sort != "surt")
    return http::text_response(400, "sort=" + sort + ": rules are sorted by id, -id, surt or -surt");
  order.by_pattern = sort == "surt";
  const bool is_csv = parameter(request, "output") == "csv";
  http::ServerResponse response = is_csv ? http::text_response(200, "") : http::json_response(200, access.rules(order));
  if (is_csv) {
    response.headers = {{"Content-Type", "text/csv; charset=utf-8"}};
    response.body = access.rules_csv(order);
  }
  response.headers.emplace_back("Content-Disposition",
                                fmt::format("filename=\"{}-access-rules.{}\"", index, is_csv ? "csv" : "json"));
  return response;
}

}  // namespace

http::ServerResponse answer_access(const AccessControl& access, std::string_view index, std::string_view what,
                                   const http::ServerRequest& request) {
  if (what == kRules) return list_rules(access, index, request);
  if (what == "rules/new") return http::json_response(200, AccessControl::empty_rule());
  if (what == kPolicies) return http::json_response(200, access.policies());
  if (const auto id = number_behind(what, kRules)) return json_or_not_there(access.rule(*id));
  if (const auto id = number_behind(what, kPolicies)) return json_or_not_there(access.policy(*id));
  return not_there();
}

http::ServerResponse answer_access_copy(const AccessControl& access, const http::ServerRequest& request) {
  const std::string tag = access.tag();
  const bool is_known = request.header("if-none-match") == tag;
  http::ServerResponse response = is_known ? http::ServerResponse(304) : http::json_response(200, access.text());
  response.headers.emplace_back("ETag", tag);
  return response;
}

http::ServerResponse change_access(AccessControl& access, std::string_view what, const std::string& body,
                                   const http::ServerRequest& request, std::string_view user, WallTime now) {
  if (what != kRules && what != kPolicies) return not_there();
  if (contains_ignore_case(request.header("content-type"), "xml"))
    return http::text_response(415, "rules are taken as JSON");
  const auto put = what == kRules ? access.put_rules(body, user, now) : access.put_policies(body);
  if (!put) return refusal_of(put.error());
  if (put->body.empty()) return http::text_response(200, "");
  return http::json_response(put->is_wrong ? 400 : put->is_new ? 201 : 200, put->body);
}

http::ServerResponse remove_access(AccessControl& access, std::string_view what) {
  const auto id = number_behind(what, kRules);
  if (!id) return not_there();
  const auto removed = access.remove_rule(*id);
  if (!removed) return refusal_of(removed.error());
  return *removed ? http::text_response(200, "") : not_there();
}

http::ServerResponse answer_check(const AccessControl& access, const std::string& point,
                                  const http::ServerRequest& request, WallTime now) {
  const std::string url = parameter(request, "url");
  if (url.empty()) return http::text_response(400, "url= names what is asked about, timestamp= its capture");
  const auto told = access.decision(point, url, parameter(request, "timestamp"), now);
  return told ? http::json_response(200, *told) : refusal_of(told.error());
}

http::ServerResponse answer_checks(const AccessControl& access, const std::string& point, const std::string& body,
                                   WallTime now) {
  const auto told = access.decisions(point, body, now);
  return told ? http::json_response(200, *told) : refusal_of(told.error());
}

}  // namespace caddis::cdxserver
