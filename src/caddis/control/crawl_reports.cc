#include "caddis/control/crawl_reports.h"

#include <fmt/format.h>

#include <optional>
#include <ranges>

#include "caddis/base/time_format.h"
#include "caddis/config/explain_setting.h"
#include "caddis/config/seeds.h"
#include "caddis/control/frontier_reports.h"
#include "caddis/crawl/live_changes.h"
#include "caddis/url/public_form.h"

namespace caddis::control {

api::Status to_api(const crawl::CrawlStatus& status) {
  api::Status out;
  out.state = crawl::name_of(status.state);
  out.waits_for = status.waits_for;
  out.elapsed_seconds = seconds(status.elapsed);
  out.documents = status.documents;
  out.bytes = status.bytes;
  out.failed = status.failed;
  out.excluded = status.excluded;
  out.queued = status.queued;
  out.seen = status.seen;
  out.visiting = status.visiting;
  out.hosts = status.active_hosts;
  out.hosts_aside = status.hosts_aside;
  out.late_median_seconds = seconds(status.late.median);
  out.late_p99_seconds = seconds(status.late.p99);
  out.queued_retired = status.queued_retired;
  out.queued_over_quota = status.queued_over_quota;
  out.novel_bytes = status.novel_bytes;
  out.warc_bytes = status.warc_bytes;
  out.repeated = status.repeated.urls;
  out.repeated_bytes = status.repeated.bytes;
  out.unchanged = status.unchanged.urls;
  out.unchanged_bytes = status.unchanged.bytes;
  for (const crawl::LimitUse& limit : status.limits)
    out.limits.push_back(
        {.name = std::string(limit.name), .used = limit.used, .limit = limit.limit, .text = limit.text});
  out.backlog_bytes = status.backlog;
  out.documents_per_second = status.documents_per_second;
  out.documents_per_second_average = status.documents_per_second_average;
  out.bytes_per_second = status.bytes_per_second;
  out.bytes_per_second_average = status.bytes_per_second_average;
  out.slow_because = status.slow_because;
  out.review_runs = status.review.is_running;
  out.review_asked = status.review.asked;
  out.review_left_out = status.review.left_out;
  out.waits = to_api(status.waits);
  out.slowest = to_api(status.slowest);
  out.checkpoints = to_api(status.checkpoints);
  for (const crawl::StandingLane& lane : status.standing)
    out.standing.push_back({.lane = lane.lane,
                            .url = url::public_form(lane.url),
                            .step = lane.step,
                            .seconds = seconds(lane.time),
                            .text = describe(lane)});
  return out;
}

api::Checkpoint to_api(const crawl::Checkpoint& checkpoint) {
  return {.name = checkpoint.name,
          .time = rfc3339(checkpoint.taken),
          .kept = checkpoint.is_kept,
          .documents = checkpoint.documents,
          .bytes = checkpoint.bytes,
          .queued = checkpoint.queued,
          .seen = checkpoint.seen};
}

std::vector<api::Checkpoint> to_api(const std::vector<crawl::Checkpoint>& checkpoints) {
  std::vector<api::Checkpoint> out;
  for (const crawl::Checkpoint& one : checkpoints) out.push_back(to_api(one));
  return out;
}

api::RunningVisits to_api(const std::vector<visit::RunningVisit>& running, size_t limit) {
  static constexpr std::string_view kPipelines[] = {"dns", "robots", "url", "login"};  // by LeaseKind
  api::RunningVisits out{.running = running.size(), .visits = {}};
  for (const visit::RunningVisit& one : running | std::views::take(limit))
    out.visits.push_back({.url = one.url,
                          .pipeline = std::string(kPipelines[static_cast<size_t>(one.kind)]),
                          .step = one.step,
                          .step_seconds = seconds(one.at_step),
                          .seconds = seconds(one.since_begin),
                          .lane = one.lane});
  return out;
}

api::SettingOrigin to_api(const config::SettingOrigin& origin) {
  using Where = config::SettingOrigin::Where;
  return {.from = origin.where == Where::by_default ? "default"
                  : origin.where == Where::crawl    ? "crawl"
                                                    : origin.sheet,
          .value = origin.value,
          .is_sheet = origin.where == Where::sheet,
          .until = origin.until ? rfc3339(*origin.until) : ""};
}

std::vector<api::SettingRemark> to_api(const std::vector<config::Remark>& remarks) {
  std::vector<api::SettingRemark> told;
  for (const config::Remark& remark : remarks)
    told.push_back({std::string(to_string(remark.severity)), remark.setting, remark.text});
  return told;
}

Result<api::Settings> settings_report(const config::Settings& settings, std::string_view name, std::string_view url,
                                      WallTime now) {
  std::optional<url::Url> asked;
  if (!url.empty()) {
    TRY(asked, config::parse_seed(url));
  }
  TRY(const auto explained, config::explain_settings(settings, name, asked ? &*asked : nullptr, now));
  api::Settings report;
  for (const config::ExplainedSetting& one : explained) {
    api::Setting setting{.name = one.name,
                         .value = one.origins.back().value,
                         .doc = std::string(one.field->doc),
                         .live = crawl::is_live(one.name.substr(0, one.name.find('.')), *one.field),
                         .per_site = one.field->per_site(),
                         .per_host = one.field->per_host(),
                         .origins = {},
                         .remarks = to_api(one.remarks)};
    for (const config::SettingOrigin& origin : one.origins) setting.origins.push_back(to_api(origin));
    for (const config::SettingOrigin& origin : one.not_now) setting.not_now.push_back(to_api(origin));
    report.settings.push_back(std::move(setting));
  }
  return report;
}

Result<api::Sheets> sheets_report(const config::Settings& settings, std::string_view name) {
  api::Sheets report;
  for (const settings::Sheet& sheet : settings.sheets) {
    if (!name.empty() && sheet.name != name) continue;
    api::Sheet told{.name = sheet.name,
                    .sites = sheet.sites,
                    .urls = sheet.urls,
                    .times = sheet.times,
                    .when = sheet.when,
                    .settings = {}};
    for (const settings::Overlay::Entry& entry : sheet.values.entries())
      told.settings.push_back(
          {fmt::format("{}.{}", entry.schema->name(), entry.field->name), entry.field->write_shown(entry.value)});
    report.sheets.push_back(std::move(told));
  }
  if (report.sheets.empty() && !name.empty())
    return fail(ErrorCode::not_found, fmt::format("there is no sheet '{}'", name));
  return report;
}

}  // namespace caddis::control
