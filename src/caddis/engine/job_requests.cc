#include "caddis/engine/job_requests.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace caddis::engine {
namespace {

using Json = nlohmann::json;

Result<Json> read_object(std::string_view text) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return fail(ErrorCode::parse, "the body is no JSON object");
  return json;
}

Result<void> take(const Json& json, const char* name, std::string& into) {
  const auto found = json.find(name);
  if (found == json.end() || found->is_null()) return {};
  if (!found->is_string()) return fail(ErrorCode::parse, fmt::format("{} is a text", name));
  into = found->get<std::string>();
  return {};
}

Result<void> take(const Json& json, const char* name, bool& into) {
  const auto found = json.find(name);
  if (found == json.end() || found->is_null()) return {};
  if (!found->is_boolean()) return fail(ErrorCode::parse, fmt::format("{} is true or false", name));
  into = found->get<bool>();
  return {};
}

}  // namespace

Result<NewJob> read_new_job(std::string_view text) {
  TRY(const Json json, read_object(text));
  NewJob job;
  TRY_VOID(take(json, "name", job.name));
  TRY_VOID(take(json, "profile", job.profile));
  TRY_VOID(take(json, "job", job.job));
  const auto urls = json.find("urls");
  if (urls == json.end() || urls->is_null()) return job;
  if (!urls->is_array()) return fail(ErrorCode::parse, "urls is a list of texts");
  for (const Json& url : *urls) {
    if (!url.is_string()) return fail(ErrorCode::parse, "urls is a list of texts");
    job.urls.push_back(url.get<std::string>());
  }
  return job;
}

Result<void> read_order(std::string_view text, JobOrder& order) {
  if (text.empty()) return {};
  TRY(const Json json, read_object(text));
  TRY_VOID(take(json, "name", order.name));
  TRY_VOID(take(json, "as_profile", order.as_profile));
  return take(json, "launches", order.launches);
}

}  // namespace caddis::engine
