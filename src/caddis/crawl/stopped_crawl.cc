#include "caddis/crawl/stopped_crawl.h"

#include <fmt/format.h>
#include <unistd.h>

#include <span>
#include <utility>

#include "caddis/collection/end_note.h"
#include "caddis/collection/lock.h"
#include "caddis/config/seeds.h"
#include "caddis/crawl/report_facts.h"
#include "caddis/crawl/report_set.h"
#include "caddis/crawl/rollback.h"
#include "caddis/crawl/scheduled_url.h"
#include "caddis/crawl/state_format.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/store/streams.h"

namespace caddis::crawl {
namespace {

// The value of a line of crawl-report, as text or as CSV; empty if there is none.
std::string status_in(std::string_view report, std::string_view name) {
  const size_t begin = report.find(fmt::format("\n{}", name));
  if (begin == std::string_view::npos) return {};
  std::string_view rest = report.substr(begin + 1 + name.size());
  rest = rest.substr(0, rest.find_first_of("\r\n"));
  if (name.ends_with(' ')) return std::string(rest);
  if (!rest.starts_with('"')) return std::string(rest.substr(0, rest.find(',')));
  std::string value;
  for (size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] == '"' && !rest.substr(++at).starts_with('"')) break;
    value += rest[at];
  }
  return value;
}

// All reports of a crawl that does not run. `end`: on record; nothing if it died.
Result<std::unique_ptr<ReportSet>> reports_of(StoppedCrawl& crawl, const Clock& clock,
                                              const std::optional<std::string>& end) {
  CrawlState& state = crawl.state();
  TRY_VOID(state.statistics.load(*state.kv, kStatistics));
  ReportFacts facts;
  facts.name = state.launch.name;
  facts.now = clock.wall();
  set_recorded_end(facts, end.value_or("Interrupted - it died, or could not write all that it ended with"));
  TRY_VOID(gather_from_stopped(state, facts));
  return ReportSet::open(state.files, state.launch, *state.kv, std::move(facts));
}

}  // namespace

Result<void> open_stopped_state(CrawlState& state, const store::KvOpener& open_kv, std::string_view who) {
  const collection::Launch& launch = state.launch;
  TRY(state.lock, collection::lock_collection(state.files, launch.collection, who));
  if (Rollback::is_underway(state.files, launch))
    return fail(ErrorCode::conflict,
                fmt::format("{} was interrupted on its way back to a checkpoint: resume it first", launch.folder()));
  TRY(state.kv, open_kv(launch.store(), family_names()));
  TRY(const auto format, state.kv->get(kMeta, kFormatRow));
  if (!format)
    return fail(ErrorCode::not_found, fmt::format("{} died before it began: there is nothing to look at", launch.name));
  return check_format(*format, launch.folder());
}

Result<std::unique_ptr<StoppedCrawl>> StoppedCrawl::open(io::Files& files, const Clock& clock,
                                                         const store::KvOpener& open_kv,
                                                         const collection::Launch& launch) {
  std::unique_ptr<StoppedCrawl> crawl(new StoppedCrawl(files));
  CrawlState& state = crawl->state_;
  state.launch = launch;
  TRY_VOID(open_stopped_state(state, open_kv, fmt::format("process {} (caddis frontier)", ::getpid())));
  TRY(const auto identity, state.kv->get(kMeta, kIdentityRow));
  TRY(const auto yaml, state.kv->get(kMeta, kSettingsRow));
  if (!identity || !yaml)
    return fail(ErrorCode::corrupt, launch.state() + "/db lacks the rows that a crawl begins with");
  state.identity = read_identity(*identity);
  config::Settings settings;
  TRY_VOID(load_settings(*yaml, "the state's settings", settings));
  TRY(const auto rules, scope::SiteRules::create(settings.scope, {}, state.settings.rule_files().reader()));
  TRY_VOID(state.replace_settings(std::move(settings), rules, clock.wall()));
  TRY(const frontier::Frontier::Options options, frontier_options(state));
  TRY(state.frontier, frontier::Frontier::open(options, kFrontierFamilies, *state.kv, state.seen, clock));
  return crawl;
}

std::optional<std::string> recorded_end(io::Files& files, const collection::Launch& launch) {
  for (const std::string_view ending : {".txt", ".csv"}) {
    const auto report = files.read_all(fmt::format("{}/crawl-report{}", launch.reports(), ending));
    if (!report) continue;
    std::string status = status_in(*report, ending == ".csv" ? "crawl status," : "crawl status: ");
    if (status.starts_with("Finished") || status.starts_with("Failed")) return status;
  }
  const auto note = collection::noted_end(files, launch);
  if (!note) return std::nullopt;
  return "Failed - " + (note->empty() ? "not all that it ended with could be written" : *note);
}

Result<void> write_reports_of_stopped(io::Files& files, const Clock& clock, const store::KvOpener& open_kv,
                                      const collection::Launch& launch) {
  const auto end = recorded_end(files, launch);
  if (end && has_all_reports(files, launch)) return {};
  TRY(const auto crawl, StoppedCrawl::open(files, clock, open_kv, launch));
  TRY(const auto set, reports_of(*crawl, clock, end));
  return end ? set->write_missing() : set->write_all();
}

Result<void> make_report_of_stopped(io::Files& files, const Clock& clock, const store::KvOpener& open_kv,
                                    const collection::Launch& launch, const ReportForm& form, const reports::Out& out) {
  TRY(const auto crawl, StoppedCrawl::open(files, clock, open_kv, launch));
  TRY(const auto set, reports_of(*crawl, clock, recorded_end(files, launch)));
  const reports::Report* const report = set->find(form.name);
  if (report == nullptr) return fail(ErrorCode::not_found, fmt::format("there is no report '{}'", form.name));
  const auto writer = reports::make_writer(form.format, *report, out);
  TRY_VOID(report->rows([&](const reports::Row& row) { return writer->add(row); }));
  return writer->end();
}

Result<frontier::ScheduledUrl> StoppedCrawl::scheduled_url_of(std::string_view text) {
  TRY(const url::Url url, config::parse_seed(text));
  TRY(frontier::ScheduledUrl scheduled, make_scheduled_url(url, state_.identity, state_.settings.keys().crawl));
  store::SeenOnDisk seen{.row = {}, .folder = state_.launch.seen_runs(), .log = {}};
  TRY(seen.row, state_.kv->get(kMeta, kSeenRunsRow));
  TRY(seen.log, store::committed_parts(*state_.kv, kStreams, kSeenStream, state_.launch.collection));
  TRY(const bool is_seen, store::seen_on_disk(state_.files, seen, scheduled.fingerprint));
  if (is_seen) {
    bool is_new = false;
    TRY_VOID(state_.seen.insert_batch(std::span(&scheduled.fingerprint, 1), std::span(&is_new, 1)));
  }
  return scheduled;
}

Result<std::vector<std::string>> StoppedCrawl::sheets_of(std::string_view text) {
  TRY(const url::Url url, config::parse_seed(text));
  return state_.effective->of(url).sheets;
}

}  // namespace caddis::crawl
