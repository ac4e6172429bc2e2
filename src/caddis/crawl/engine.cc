#include "caddis/crawl/engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/counted.h"
#include "caddis/base/fetch_status.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/indexer.h"
#include "caddis/cdx/journal.h"
#include "caddis/cdx/line.h"
#include "caddis/commit/committer.h"
#include "caddis/crawl/memory_shares.h"
#include "caddis/crawl/outputs.h"
#include "caddis/crawl/reports.h"
#include "caddis/crawl/slowness.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/visit_ledger.h"

namespace caddis::crawl {
namespace {

constexpr Duration kTick = std::chrono::seconds(1);
constexpr size_t kRateTicks = 10;
constexpr Duration kReviewPause = std::chrono::milliseconds(10);
constexpr Duration kSeenRetry = std::chrono::seconds(2);

double rate(uint64_t amount, double seconds) { return seconds > 0 ? static_cast<double>(amount) / seconds : 0; }

// Whether the capture of an index line lay where a disk lost bytes: `torn` has the files, and up to where they are
// whole.
bool is_lost(std::string_view line, const std::map<std::string, std::string, std::less<>>& torn) {
  const auto capture = cdx::parse_line(line);
  if (!capture) return false;
  const auto file = torn.find(capture->filename);
  if (file == torn.end()) return false;
  return capture->offset_number().value_or(0) >= static_cast<uint64_t>(parse_int(file->second).value_or(0));
}

// The steps of all lanes, summed up.
std::vector<visit::StepReport> step_reports(const std::vector<std::unique_ptr<visit::Lane>>& lanes) {
  std::vector<visit::StepReport> sums;
  for (const auto& lane : lanes) {
    const auto steps = lane->pipelines().report();
    sums.resize(steps.size());
    for (size_t i = 0; i < steps.size(); ++i) sums[i].add(steps[i]);
  }
  return sums;
}

// Of a crawl that runs on although it has nothing to visit.
std::string why_empty(const frontier::Stats& stats) {
  std::string why;
  if (stats.queued_over > 0)
    why = counted(stats.queued_over, "URL waits", "URLs wait") + " for a higher quota (caddis resume --set …)";
  if (const uint64_t retired = stats.queued_retired_by_operator(); retired > 0)
    why += fmt::format("{}{} retired by the operator (caddis frontier --unretire)", why.empty() ? "" : ", ",
                       counted(retired, "URL is", "URLs are"));
  return why.empty() ? "no URL waits; add some (caddis frontier --add), or stop the crawl" : why;
}

// In one sentence, whatever found it out first, and in whichever words.
Error said_plainly(Error error, io::Files& files, const LaunchOptions& options) {
  if (error.code != ErrorCode::no_space) return error;
  log_info("crawl", "{}", error.message);
  std::string folder = options.collection;
  while (!files.exists(folder) && folder != io::parent_path(folder)) folder = io::parent_path(folder);
  const auto free = files.free_space(folder);
  const std::string room = free ? fmt::format(" ({} free)", format_size(static_cast<long long>(*free))) : std::string();
  error.message =
      fmt::format("the disk of {} is full{}: make room, then give the same command again; {}", options.collection, room,
                  options.resume ? "nothing of the crawl is lost" : "nothing is left of the crawl it began");
  return error;
}

}  // namespace

Engine::Engine(World world)
    : world_(std::move(world)),
      random_(world_.seed),
      writer_random_(random_.next()),
      changed_(world_.loop),
      seen_changed_(world_.loop) {}

Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::open(World world, const LaunchOptions& options) {
  std::unique_ptr<Engine> engine(new Engine(std::move(world)));
  auto begun = engine->begin(options);
  if (begun) return engine;
  io::Files& files = engine->world_.files;
  Error error = said_plainly(std::move(begun).error(), files, options);
  discard(std::move(engine));
  return std::unexpected(std::move(error));
}

void Engine::discard(std::unique_ptr<Engine> engine) {
  if (engine->resumes_) return;
  io::Files& files = engine->world_.files;
  const Launch launch = engine->launch_;
  const std::vector<std::string> made = engine->new_folders_;
  const auto lock = std::move(engine->lock_);  // until all is gone
  engine.reset();
  take_back(files, launch, made, lock != nullptr);
}

// --- handing out leases

void Engine::dispatch() {
  std::vector<std::vector<frontier::Lease>> leases(lanes_.size());  // by lane: each gets one message
  while (state_ == State::running && !disk_low_ && !recover_ && committer_->trouble().empty() && !seen_.is_behind() &&
         committer_->backlog() < memory_shares(settings_).finished) {
    if (visiting() >= visits_limit_.now() || (!has_memory() && visiting() >= lanes_.size())) {
      limit_was_reached_ = true;
      break;
    }
    const auto limit = static_cast<uint64_t>(settings_.limits.max_documents);
    if (limit != 0 && !runs_dry_ && statistics_.documents() + visiting() >= limit) break;
    if (!lane_watch_->lane_for(0)) break;
    auto lease = frontier_->next();
    if (!lease) {
      end_ = {EndReason::failed, lease.error().message};
      state_ = State::stopping;
      changed_.notify();
      break;
    }
    if (!*lease) break;
    judge_by_hangs(**lease);
    const size_t lane = *lane_watch_->lane_for((*lease)->partition);
    lane_watch_->begin(**lease, lane);
    leases[lane].push_back(**std::move(lease));
    ++visits_begun_;
  }
  for (size_t lane = 0; lane < lanes_.size(); ++lane)
    if (!leases[lane].empty()) lanes_[lane]->visit(std::move(leases[lane]));
  if (frontier_->wants_commit()) committer_->commit_soon();
  // All stands still until it is written: not only when the next group is committed.
  if (seen_.is_behind()) seen_changed_.notify();
  arm_timer();
  if (is_over()) changed_.notify();
}

// One timer, for the moment at which the next queue is due.
void Engine::arm_timer() {
  auto due = state_ == State::running ? frontier_->next_due() : std::nullopt;
  if (due && frontier_->is_reviewing()) due = world_.clock.steady() + kReviewPause;
  if (due == timer_at_) return;
  if (timer_at_) world_.loop.cancel(timer_);
  timer_at_ = due;
  if (!due || *due <= world_.clock.steady()) {
    // Due already, and still not leased: something else is at its limit, and dispatches when it is not.
    timer_at_.reset();
    return;
  }
  timer_ = world_.loop.at(*due, [this] {
    timer_at_.reset();
    dispatch();
  });
}

void Engine::collect_results(size_t lane) {
  if (state_ == State::ended) return;  // of a lane that was left behind: it comes too late
  for (visit::VisitResult& finished : lanes_[lane]->results().collect()) settle(std::move(finished));
  check_limits();
  dispatch();
}

void Engine::settle(visit::VisitResult finished) {
  lane_watch_->end(finished.disposition.lease.id);
  forget_hang(finished.disposition);
  const bool is_allowed_more = !finished.new_ranges.empty();
  ledger_->end_visit(std::move(finished));
  if (is_allowed_more) frontier_->look_at_refused();
}

// --- watching

void Engine::tick() {
  const SteadyTime now = world_.clock.steady();
  if (state_ != State::paused) events_.tell_running_time(now - last_tick_);
  mind_load(now - last_tick_ - kTick);
  last_tick_ = now;
  recent_.emplace_back(statistics_.documents(), statistics_.bytes());
  if (recent_.size() > kRateTicks) recent_.erase(recent_.begin());
  check_space();
  look_at_lanes(now);
  look_at_activity(now);
  check_limits();
  for (const std::string& notice : frontier_->take_notices()) events_.tell(CrawlEvent::Source::pattern, notice);
  if (actions_) actions_->wake();
  const uint64_t ticks_a_line = std::max<uint64_t>(1, settings_.crawl.progress_interval / kTick);
  if (++ticks_ % ticks_a_line == 0) events_.tell_progress(progress_line());
  take_checkpoint_if_due();
  if (on_tick_) on_tick_(status());
  dispatch();
  tick_timer_ = world_.loop.at(now + kTick, [this] { tick(); });
}

void Engine::mind_load(Duration late) {
  const aio::ProcessUse use = world_.use ? world_.use() : aio::ProcessUse();
  const double seconds = std::chrono::duration<double>(kTick + std::max(late, Duration(0))).count();
  const double processors = std::max<double>(1, static_cast<double>(lanes_.size()));
  VisitsLimit::Load load;
  load.was_reached = std::exchange(limit_was_reached_, false);
  load.processor = std::chrono::duration<double>(use.processor - use_.processor).count() / seconds / processors;
  load.lag = late;
  load.backlog = rate(committer_->backlog(), static_cast<double>(memory_shares(settings_).finished));
  load.memory = rate(use.memory, static_cast<double>(settings_.memory.total));
  visits_limit_.observe(load);
  use_ = use;
}

// Beyond that only so many visits go on that the crawl does not stand still.
bool Engine::has_memory() const { return use_.memory < static_cast<uint64_t>(settings_.memory.total); }

void Engine::check_space() {
  const auto free = world_.files.free_space(launch_.collection);
  if (!free) return;
  const bool low = *free < static_cast<uint64_t>(settings_.limits.min_free_space);
  if (low && !disk_low_)
    log_warn("crawl", "paused: {} free on the disk of {}, min-free-space is {}; the crawl goes on when there is room",
             format_size(static_cast<long long>(*free)), launch_.collection,
             format_size(settings_.limits.min_free_space));
  if (!low && disk_low_) log_warn("crawl", "there is room on the disk again: the crawl goes on");
  disk_low_ = low;
}

bool Engine::is_over() const {
  if (committer_->is_fatal()) return true;
  if (gives_up_lanes_ ? visiting() != 0 : frontier_->visiting() != 0) return false;
  if (state_ == State::running && actions_ && actions_->is_busy()) return false;
  // Who has paused it may be about to give it something.
  const bool is_held = state_ == State::paused && paused_at_.empty();
  return state_ == State::stopping || (ran_dry() && !recover_ && !is_held);
}

void Engine::stop(std::string why) {
  if (state_ == State::stopping || state_ == State::ended) return;
  state_ = State::stopping;
  log_info("crawl", "stops: {}", why);
  // No `note`: it changes nothing for which another checkpoint would be worth having.
  events_.tell(CrawlEvent::Source::operated, "stops the crawl: " + why);
  end_ = {EndReason::stopped, std::move(why)};
  changed_.notify();
}

// --- the run

aio::Task<CrawlEnd> Engine::run() {
  began_ = last_tick_ = last_checkpoint_ = world_.clock.steady();
  bytes_at_checkpoint_ = statistics_.bytes();
  operated_ = false;
  retract_report();
  nursery_.spawn(committer_->run());
  nursery_.spawn(keep_seen());
  if (recover_) nursery_.spawn(take_over_recovery_log());
  committer_->on_change([this] {
    if (committer_->is_fatal()) changed_.notify();
    seen_changed_.notify();
    if (actions_) actions_->wake();
    dispatch();
  });
  tick_timer_ = world_.loop.at(began_ + kTick, [this] { tick(); });
  check_space();
  look_at_activity(began_);
  check_limits();
  dispatch();
  std::optional<aio::Loop::TimerId> grace;
  if (actions_) nursery_.spawn(actions_->run(settings_.crawl.action_interval));
  while (!is_over() || looks_once_more()) {
    if (state_ == State::stopping && !grace) {
      // Visits in flight get a moment to end by themselves; then their connections are closed.
      grace = world_.loop.at(world_.clock.steady() + settings_.crawl.stop_grace, [this] {
        for (const auto& lane : lanes_) lane->abort();
        gives_up_lanes_ = true;
        changed_.notify();
      });
    }
    co_await changed_.wait();
  }
  if (actions_) actions_->close();
  co_await drain_lanes();
  if (grace) world_.loop.cancel(*grace);
  world_.loop.cancel(tick_timer_);
  if (timer_at_) world_.loop.cancel(timer_);
  events_.tell_running_time(world_.clock.steady() - last_tick_);
  end_.text = end_text();
  if (has_left_any_)
    for (const StandingLane& lane : lane_watch_->standing(world_.clock.steady()))
      end_.text += "; left behind: " + describe(lane);
  log_info("crawl", "ended: {}; {} documents", end_.text, statistics_.documents());
  events_.tell_progress(progress_line());
  committer_->close();
  state_ = State::ended;
  seen_changed_.notify();
  co_await nursery_.join();
  Result<void> written;
  if (!committer_->committed_everything()) {
    end_ = {EndReason::failed, committer_->trouble()};
    written = fail(ErrorCode::io, end_.text);
  } else {
    std::function<void()> work = [&] { written = write_results(); };
    co_await world_.blocking.run(world_.loop, std::move(work));
    if (!written) end_ = {EndReason::failed, written.error().message};
    co_await take_last_checkpoint();
  }
  if (!written) note_end(world_.files, launch_, end_.text);
  co_return end_;
}

// It tells of an end: a crawl that goes on and dies has none.
void Engine::retract_report() {
  if (world_.files.exists(launch_.end_note())) {
    (void)world_.files.remove(launch_.end_note());
    (void)world_.files.sync_dir(launch_.state());
  }
  const std::string report = launch_.reports() + "/crawl-report.txt";
  if (!world_.files.exists(report)) return;
  (void)world_.files.remove(report);
  (void)world_.files.sync_dir(launch_.reports());
}

// What the seen-set has to write is written in small steps between the groups; at once where the crawl waits for it.
aio::Task<void> Engine::keep_seen() {
  while (state_ != State::ended && !committer_->is_fatal()) {
    store::SeenTask* const task = seen_.next_task();
    if (task == nullptr) {
      co_await seen_changed_.wait();
      continue;
    }
    Result<bool> stepped;
    std::function<void()> work = [&] { stepped = task->step(); };
    co_await world_.blocking.run(world_.loop, std::move(work));
    seen_.settle(stepped);
    if (stepped) {
      seen_changed_.notify();
      if (actions_) actions_->wake();
      dispatch();
    } else if (stepped.error().code == ErrorCode::corrupt) {
      committer_->fail(stepped.error());
    } else {
      log_warn("crawl", "{}; it is tried again", stepped.error().message);
      co_await aio::sleep_for(world_.loop, kSeenRetry);
    }
  }
}

// What follows `prefix` in the key, and the value, of each such row of the state.
Result<std::map<std::string, std::string, std::less<>>> Engine::rows_of(std::string_view prefix) {
  std::map<std::string, std::string, std::less<>> found;
  const auto rows = kv_->cursor(kMeta);
  for (rows->seek(prefix); rows->valid() && rows->key().starts_with(prefix); rows->next())
    found.emplace(rows->key().substr(prefix.size()), rows->value());
  TRY_VOID(rows->status());
  return found;
}

// Reports, index and page list: made from what is committed, so they can be made again.
Result<void> Engine::write_results() {
  const frontier::Stats stats = frontier_->stats();
  const bool is_done = end_.reason == EndReason::finished;
  const std::string status = is_done ? "F" + end_.text.substr(1) : "Finished - " + end_.text;
  TRY(auto losses, rows_of(kLossRow));
  ReportFacts facts{launch_.name, status, stats.queued, stats.queued_over, {}};
  for (auto& [key, text] : losses) facts.losses.push_back(std::move(text));
  facts.steps = step_reports(lanes_);
  TRY_VOID(write_reports(world_.files, launch_, statistics_, facts));
  TRY(const auto journals, store::log_parts(world_.files, launch_.cdx_journal()));
  TRY(const auto torn, rows_of(kLostCapturesRow));
  // No visit is in flight any more, and none waits to be committed.
  constexpr uint64_t kLeast = 16 << 20, kMost = 256 << 20;
  const MemoryShares shares = memory_shares(settings_);
  cdx::SortLimits limits;
  limits.memory = std::clamp<uint64_t>(shares.finished + shares.hosts, kLeast, kMost);
  if (!torn.empty()) limits.keep = [&](std::string_view line) { return !is_lost(line, torn); };
  TRY_VOID(cdx::sort_files(world_.files, journals, launch_.index(), limits));
  TRY_VOID(cdx::write_index_meta(world_.files, launch_.index(), journals));
  return rebuild_pages(world_.files, launch_.collection);
}

// --- telling

std::string Engine::end_text() const {
  if (end_.reason == EndReason::limit && runs_dry_) {
    const auto blocked = statistics_.statuses().find(status::kBlockedByRuntimeLimit);
    return fmt::format(
        "{}; {} given up", end_.text,
        counted(blocked == statistics_.statuses().end() ? 0 : blocked->second.urls, "URL was", "URLs were"));
  }
  if (!end_.text.empty()) return end_.text;
  const frontier::Stats stats = frontier_->stats();
  std::string text = "finished";
  if (stats.queued_over > 0)
    text += fmt::format("; {}, since quotas are used up", counted(stats.queued_over, "URL waits", "URLs wait"));
  if (const uint64_t retired = stats.queued_retired_by_operator(); retired > 0)
    text += fmt::format("; {}, retired by the operator", counted(retired, "URL waits", "URLs wait"));
  return text;
}

// Empty where there is nothing to say.
std::string Engine::why_slow() const {
  const auto limit = static_cast<uint64_t>(settings_.limits.max_documents);
  const uint64_t visits = frontier_->visiting();
  if (limit != 0 && !runs_dry_ && visits > 0 && statistics_.documents() + visits >= limit)
    return fmt::format("max-documents: the last of its {} are taken by {}", counted(limit, "place"),
                       counted(visits, "visit that still runs", "visits that still run"));
  return slow_because(survey().waits, visits_limit_.now());
}

Status Engine::status() const {
  static constexpr const char* kStates[] = {"running", "paused", "stopping", "ended"};
  Status status;
  status.state = kStates[static_cast<int>(state_)];
  if (state_ == State::running && frontier_->is_empty() && !ran_dry()) {
    status.state = "empty";
    status.waits_for = why_empty(frontier_->stats());
  }
  if (!committer_->trouble().empty())
    status.waits_for = committer_->trouble();
  else if (!lane_watch_->lane_for(0))
    status.waits_for = "every lane stands still: stop the crawl, and resume it";
  else if (only_held_visits_left())
    status.waits_for =
        "only visits of lanes that stand still are left: the crawl stops in a few minutes, and can be resumed";
  else if (!paused_at_.empty())
    status.waits_for = paused_at_ + ": raise that limit and resume, or stop the crawl";
  else if (recover_)
    status.waits_for = "the recovery log is being taken over";
  else if (disk_low_)
    status.waits_for = "the disk is almost full";
  else if (committer_->backlog() >= memory_shares(settings_).finished)
    status.waits_for = "the disk is slower than the crawl";
  else if (!has_memory())
    status.waits_for = "the memory that it may use is full";
  else if (seen_.is_behind())
    status.waits_for = "the set of known URLs is being written to disk";
  status.elapsed = statistics_.running_time();
  status.documents = statistics_.documents();
  status.bytes = statistics_.bytes();
  status.novel_bytes = statistics_.novel_bytes();
  status.warc_bytes = statistics_.warc_bytes();
  status.limits = limits_in_use(settings_.limits, limit_counts());
  status.failed = statistics_.failed();
  status.excluded = statistics_.excluded();
  const frontier::Stats stats = frontier_->stats();
  status.queued = stats.queued;
  status.seen = stats.seen;
  status.visiting = stats.visiting;
  status.active_hosts = stats.hosts;
  status.hosts_aside = stats.hosts_aside;
  status.late_median = stats.late_median;
  status.late_p99 = stats.late_p99;
  status.queued_retired = stats.queued_retired;
  status.queued_over_quota = stats.queued_over;
  status.backlog = committer_->backlog();
  const double seconds = std::chrono::duration<double>(status.elapsed).count();
  status.documents_per_second_average = rate(status.documents, seconds);
  status.bytes_per_second_average = rate(status.bytes, seconds);
  if (recent_.size() > 1) {
    const double span = static_cast<double>(recent_.size() - 1);
    status.documents_per_second = rate(recent_.back().first - recent_.front().first, span);
    status.bytes_per_second = rate(recent_.back().second - recent_.front().second, span);
  }
  const frontier::Survey& found = survey();
  status.slowest = found.slowest;
  status.waits = found.waits;
  if (state_ == State::running && status.waits_for.empty()) status.slow_because = why_slow();
  status.checkpoints = checkpoints_;
  status.standing = lane_watch_->standing(world_.clock.steady());
  return status;
}

// With millions of hosts a survey takes a good part of a second: one holds for twenty times as long as it took, so that
// being asked again and again costs the crawl a twentieth at most.
const frontier::Survey& Engine::survey() const {
  constexpr int kTimes = 20;
  const SteadyTime now = world_.clock.steady();
  if (now < survey_holds_until_) return survey_;
  survey_ = frontier_->survey(5);
  const SteadyTime done = world_.clock.steady();
  survey_holds_until_ = done + kTimes * (done - now);
  return survey_;
}

// Heritrix's columns: timestamp discovered queued downloaded doc/s(avg) KB/s(avg) dl-failures busy-thread mem-use-KB
// heap-size-KB congestion max-depth avg-depth.
std::string Engine::progress_line() const {
  const Status status = this->status();
  const auto& largest = survey().largest;
  const uint64_t deepest = largest.empty() ? 0 : largest.front().queued;
  const uint64_t queues = std::max<uint64_t>(1, frontier_->stats().queues);
  return fmt::format("{} {:>10} {:>10} {:>10} {:.2f}({:.2f}) {:.0f}({:.0f}) {:>6} {:>5} {:>8} {:>8} {:>6} {:>8} {:>6}",
                     rfc3339(world_.clock.wall()), status.seen, status.queued, status.documents,
                     status.documents_per_second, status.documents_per_second_average, status.bytes_per_second / 1000,
                     status.bytes_per_second_average / 1000, status.failed, status.visiting,
                     (status.backlog + seen_.memory_bytes()) / 1024, settings_.memory.total / 1024, "1.00", deepest,
                     status.queued / queues);
}

}  // namespace caddis::crawl
