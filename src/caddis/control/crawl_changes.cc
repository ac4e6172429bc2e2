#include "caddis/control/crawl_changes.h"

#include <fmt/format.h>

#include "caddis/base/strings.h"
#include "caddis/control/api_json.h"
#include "caddis/control/crawl_reports.h"
#include "caddis/crawl/live_changes.h"

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

crawl::SettingsEdit edit_of(const Call& call) {
  crawl::SettingsEdit edit{.settings = {}, .sheet = call.parameters.text("sheet"), .sites = {}};
  for (const std::string_view site : split(call.parameters.text("sites"), ' '))
    if (!site.empty()) edit.sites.emplace_back(site);
  if (edit.sheet.empty() && !edit.sites.empty()) edit.sheet = crawl::sheet_name_of(edit.sites);
  return edit;
}

Result<crawl::SettingsEdit> change_in(const Call& call) {
  crawl::SettingsEdit edit = edit_of(call);
  TRY(edit.settings, read_settings(call.body));
  return edit;
}

Result<crawl::SettingsEdit> removal_in(const Call& call) {
  crawl::SettingsEdit edit = edit_of(call);
  for (const std::string_view line : split(call.body, '\n'))
    if (!trim(line).empty()) edit.unset.emplace_back(trim(line));
  edit.removes_sheet = edit.unset.empty();
  if (edit.removes_sheet && edit.sheet.empty())
    return fail(ErrorCode::parse, "the body holds no name of a setting, one a line, and no sheet is to be taken away");
  return edit;
}

// With `dry` nothing changes.
Result<std::string> apply(crawl::Operator& crawl, const crawl::SettingsEdit& edit, const Call& call) {
  TRY(const bool is_dry, call.parameters.flag("dry", false));
  TRY(const auto plan, crawl.plan_settings(edit));
  if (!is_dry) TRY_VOID(crawl.change_settings(edit));
  api::SettingsChanges told{.applied = !is_dry, .changes = {}, .remarks = to_api(plan.remarks)};
  for (const settings::Change& change : plan.changes)
    told.changes.push_back(
        {fmt::format("{}.{}", change.section, change.name), change.before, change.after, crawl::refusal_of(change)});
  return api::to_json(told);
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
  TRY(const crawl::SettingsEdit edit, change_in(call));
  return apply(crawl, edit, call);
}

bool is_dry(const Call& call) { return call.parameters.flag("dry", false).value_or(false); }

aio::Task<void> prepare_change(crawl::Operator& crawl, Call call) {
  auto edit = change_in(call);
  if (edit && !is_dry(call)) co_await crawl.prepare_settings(*std::move(edit));
}

Result<std::string> unset_settings(crawl::Operator& crawl, const Call& call) {
  TRY(const crawl::SettingsEdit edit, removal_in(call));
  return apply(crawl, edit, call);
}

aio::Task<void> prepare_unset(crawl::Operator& crawl, Call call) {
  auto edit = removal_in(call);
  if (edit && !is_dry(call)) co_await crawl.prepare_settings(*std::move(edit));
}

Result<std::string> tell_sheets(crawl::Operator& crawl, const Call& call) {
  TRY(const auto report, sheets_report(crawl.settings(), call.parameters.text("name")));
  return api::to_json(report);
}

Result<std::string> tell_settings(crawl::Operator& crawl, const Call& call) {
  TRY(const auto report,
      settings_report(crawl.settings(), call.parameters.text("name"), call.parameters.text("url"), crawl.now()));
  return api::to_json(report);
}

Result<std::string> explain_scope(crawl::Operator& crawl, const Call& call) {
  crawl::ScopeQuestion question{.url = call.parameters.text("url"),
                                .via = call.parameters.text("via"),
                                .hops = call.parameters.text("hops"),
                                .source_seed = call.parameters.text("source")};
  TRY(question.is_seed, call.parameters.flag("seed", false));
  TRY(const crawl::ScopeAnswer answer, crawl.explain_scope(question));
  api::ScopeReport report{.url = answer.url,
                          .accepted = answer.accepted,
                          .rule = answer.rule,
                          .detail = answer.detail,
                          .explanation = answer.explanation,
                          .sheets = answer.sheets,
                          .rules = {}};
  for (const crawl::ScopeAnswer::Rule& one : answer.rules)
    report.rules.push_back({one.rule, one.name, one.verdict, one.reason});
  return api::to_json(report);
}

aio::Task<Result<std::string>> take_checkpoint(crawl::Operator& crawl, Call call) {
  std::string name = call.parameters.text("name");
  CO_TRY(const crawl::Checkpoint taken, co_await crawl.checkpoint(std::move(name)));
  co_return api::to_json(to_api(taken));
}

}  // namespace caddis::control
