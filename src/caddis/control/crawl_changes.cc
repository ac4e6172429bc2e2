#include "caddis/control/crawl_changes.h"

#include <fmt/format.h>

#include "caddis/base/strings.h"
#include "caddis/control/api_json.h"
#include "caddis/control/crawl_reports.h"

namespace caddis::control {
namespace {

// "limits.max-documents=500", one a line.
Result<std::vector<crawl::NewSetting>> read_settings(std::string_view body) {
  std::vector<crawl::NewSetting> given;
  for (const std::string_view line : split(body, '\n')) {
    if (trim(line).empty()) continue;
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos)
      return fail(ErrorCode::parse, fmt::format("'{}': write a setting as limits.max-documents=500", line));
    given.emplace_back(std::string(trim(line.substr(0, equals))), std::string(trim(line.substr(equals + 1))));
  }
  if (given.empty()) return fail(ErrorCode::parse, "the body holds no setting: name=value, one a line");
  return given;
}

std::string status_json(const crawl::Operator& crawl) { return api::to_json(to_api(crawl.status())); }

}  // namespace

Result<std::string> tell_status(crawl::Operator& crawl, const Call&) { return status_json(crawl); }

aio::Task<Result<std::string>> list_visits(crawl::Operator& crawl, Call call) {
  CO_TRY(const size_t limit, call.parameters.limit());
  const auto running = co_await crawl.running_visits();
  co_return api::to_json(to_api(running, limit));
}

Result<std::string> pause(crawl::Operator& crawl, const Call&) {
  crawl.pause();
  return status_json(crawl);
}

Result<std::string> resume(crawl::Operator& crawl, const Call&) {
  TRY_VOID(crawl.resume());
  return status_json(crawl);
}

Result<std::string> stop(crawl::Operator& crawl, const Call&) {
  crawl.stop("stopped by the operator");
  return status_json(crawl);
}

Result<std::string> change_settings(crawl::Operator& crawl, const Call& call) {
  TRY(auto given, read_settings(call.body));
  crawl::SettingsEdit edit{std::move(given), call.parameters.text("sheet"), {}};
  for (const std::string_view site : split(call.parameters.text("sites"), ' '))
    if (!site.empty()) edit.sites.emplace_back(site);
  if (edit.sheet.empty() && !edit.sites.empty()) edit.sheet = crawl::sheet_name_of(edit.sites);
  TRY([[maybe_unused]] const auto changes, crawl.change_settings(edit));
  return status_json(crawl);
}

Result<std::string> tell_settings(crawl::Operator& crawl, const Call& call) {
  TRY(const auto report,
      settings_report(crawl.settings(), call.parameters.text("name"), call.parameters.text("url"), crawl.now()));
  return api::to_json(report);
}

aio::Task<Result<std::string>> take_checkpoint(crawl::Operator& crawl, Call call) {
  std::string name = call.parameters.text("name");
  CO_TRY(const crawl::Checkpoint taken, co_await crawl.checkpoint(std::move(name)));
  co_return api::to_json(to_api(taken));
}

}  // namespace caddis::control
