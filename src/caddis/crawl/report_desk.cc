#include "caddis/crawl/report_desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <functional>

#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/base/log.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/crawl_parts.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/crawl_status.h"
#include "caddis/crawl/report_names.h"
#include "caddis/crawl/report_set.h"
#include "caddis/crawl/world.h"
#include "caddis/reports/report.h"

namespace caddis::crawl {
namespace {

// The crawl has the loop for so many times as long as a part of the walk over its queues took.
constexpr int kShare = 4;
constexpr Duration kShortestPause = std::chrono::milliseconds(1), kLongestPause = std::chrono::milliseconds(200);

// "Running - Active", as Heritrix has it.
std::string status_of(RunState state) {
  std::string name(name_of(state));
  name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  return name + " - Active";
}

std::unexpected<Error> refuse() {
  return fail(ErrorCode::conflict, "the crawl is ending: it writes its reports itself");
}

Result<std::string> report_named(std::string_view given) {
  for (const std::string& full : reports::names_meant(given))
    if (is_report(full)) return full;
  std::string names;
  for (const ReportName& one : kReportNames) names += fmt::format("{}{}", names.empty() ? "" : ", ", one.name);
  return fail(ErrorCode::not_found, fmt::format("there is no report '{}'; there are: {}", given, names));
}

}  // namespace

ReportDesk::ReportDesk(const World& world, CrawlState& state, CrawlParts& parts, const StatusReporter& reporter)
    : world_(world), state_(state), parts_(parts), reporter_(reporter), changed_(world.loop) {}

// One after the other: they write the same files.
aio::Task<Result<void>> ReportDesk::begin() {
  while (is_busy_) co_await changed_.wait();
  if (is_closed_) co_return refuse();
  is_busy_ = true;
  co_return Result<void>();
}

void ReportDesk::end() {
  is_busy_ = false;
  changed_.notify();
}

aio::Task<void> ReportDesk::close() {
  is_closed_ = true;
  while (is_busy_) co_await changed_.wait();
}

// The crawl goes on between two steps.
aio::Task<void> ReportDesk::walk(std::function<Result<bool>()> step) {
  for (bool has_more = true; has_more && !is_closed_;) {
    const SteadyTime begin = world_.clock.steady();
    const auto more = step();
    if (!more) log_warn("reports", "not all of the frontier can be read: {}", more.error().message);
    has_more = more && *more;
    const Duration pause =
        std::clamp<Duration>(kShare * (world_.clock.steady() - begin), kShortestPause, kLongestPause);
    if (has_more) co_await aio::sleep_for(world_.loop, pause);
  }
}

aio::Task<ReportFacts> ReportDesk::gather(ReportNeeds needs) {
  ReportFacts facts;
  facts.name = state_.launch.name;
  facts.status = status_of(reporter_.status().state);
  facts.now = world_.clock.wall();
  facts.frontier = state_.frontier->stats();
  facts.lanes = parts_.lanes.totals();
  QueueWalk queues(state_.frontier->admin(), facts);
  std::function<Result<bool>()> next_queues = [&queues] { return queues.step(); };
  if (needs.queues) co_await walk(std::move(next_queues));
  judge_names(facts);
  GroupWalk groups(state_, facts);
  std::function<Result<bool>()> next_groups = [&groups] { return groups.step(); };
  if (needs.groups) co_await walk(std::move(next_groups));
  if (needs.visits) facts.visits = co_await parts_.lanes.running_visits();
  // If it cannot be written now, the reports tell of what was written before.
  if (!is_closed_) (void)co_await parts_.path->committer.write_now();
  co_return facts;
}

// Groups must not wait for it.
aio::Task<void> ReportDesk::work(std::function<void()> work) {
  aio::Blocking& worker = world_.sorting != nullptr ? *world_.sorting : world_.blocking;
  co_await worker.run(world_.loop, std::move(work));
}

aio::Task<Result<ReportDesk::Answer>> ReportDesk::make(Question question) {
  CO_TRY(question.name, report_named(question.name));
  CO_TRY_VOID(co_await begin());
  ReportFacts facts = co_await gather(needs_of(question.name));
  Result<Answer> made = refuse();
  std::function<void()> make_it = [&] { made = answer(question, std::move(facts)); };
  if (!is_closed_) co_await work(std::move(make_it));
  end();
  co_return made;
}

Result<ReportDesk::Answer> ReportDesk::answer(const Question& question, ReportFacts facts) const {
  TRY(const auto set, ReportSet::open(state_.files, state_.launch, *state_.kv, std::move(facts)));
  Answer answer;
  TRY(answer.text, reports::write(question.format, *set->find(question.name), question.most, &answer.is_cut));
  return answer;
}

aio::Task<Result<void>> ReportDesk::write_all() {
  CO_TRY_VOID(co_await begin());
  const ReportNeeds all{.queues = true, .groups = true, .visits = true};
  ReportFacts facts = co_await gather(all);
  Result<void> written = refuse();
  std::function<void()> write_them = [&] {
    auto set = ReportSet::open(state_.files, state_.launch, *state_.kv, std::move(facts));
    written = set ? (*set)->write_all() : Result<void>(std::unexpected(set.error()));
  };
  if (!is_closed_) co_await work(std::move(write_them));
  end();
  co_return written;
}

aio::Task<std::string> ReportDesk::write_and_tell() {
  const auto written = co_await write_all();
  if (written) co_return "the reports are in " + state_.launch.reports();
  log_warn("reports", "{}", written.error().message);
  co_return "the reports cannot be written: " + written.error().message;
}

}  // namespace caddis::crawl
