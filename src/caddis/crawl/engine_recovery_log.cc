// The engine takes over a recovery log (recover.h) before it visits anything.

#include <fmt/format.h>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/commit/committer.h"
#include "caddis/config/seeds.h"
#include "caddis/crawl/engine.h"
#include "caddis/crawl/recovery_line.h"
#include "caddis/crawl/recovery_reader.h"
#include "caddis/crawl/scheduled_url.h"
#include "caddis/crawl/visit_ledger.h"

namespace caddis::crawl {
namespace {

constexpr uint64_t kMostUncommitted = 100'000;  // lines

}  // namespace

// What is being taken over stands in a file from before the launch is one until all of it is committed.
Result<void> Engine::note_recovery(const LaunchOptions& options) {
  if (!options.recover) return {};
  if (world_.files.exists(launch_.recovery_note())) {
    TRY(const std::string note, world_.files.read_all(launch_.recovery_note()));
    TRY(const RecoverOptions before, read_recover_note(note));
    if (before.path != options.recover->path)
      notices_.push_back(
          fmt::format("the recovery log {} was not taken over whole, and {} is taken over in its place: give "
                      "--recover {} again afterwards",
                      before.path, options.recover->path, before.path));
  }
  return world_.files.write_atomically(launch_.recovery_note(), write_recover_note(*options.recover));
}

// Asked for now, or begun by a process that died. Where there is none, the crawl begins at once.
Result<void> Engine::begin_recovery() {
  if (!world_.files.exists(launch_.recovery_note())) return {};
  TRY(const std::string note, world_.files.read_all(launch_.recovery_note()));
  TRY(recover_, read_recover_note(note));
  if (const auto log = RecoveryReader::open(world_.files, recover_->path); !log)
    return fail(log.error().code,
                fmt::format("{}; that recovery log was not taken over whole: put it back, or remove {} to go on "
                            "without what else waits in it",
                            log.error().message, launch_.recovery_note()));
  return {};
}

aio::Task<void> Engine::take_over_recovery_log() {
  RecoverCounts counts;
  Result<void> read = co_await read_recovery_log(counts, true);
  if (read && !recover_->include_only) read = co_await read_recovery_log(counts, false);
  if (state_ == State::stopping || state_ == State::ended || committer_->is_fatal()) {
    if (on_notice_)
      on_notice_(
          fmt::format("the recovery log {} is not taken over whole: it is read again, from its beginning, when "
                      "the crawl is resumed; nothing of it is visited until then",
                      recover_->path));
    co_return;
  }
  if (!read) {
    end_ = {EndReason::failed, read.error().message};
    state_ = State::stopping;
    changed_.notify();
    co_return;
  }
  const std::string report = recover_report(*recover_, counts);
  std::function<commit::Committer::Work()> prepare = [this, &report] {
    return commit::Committer::Work([this, &report] { return end_recovery(report); });
  };
  // Should this fail, all of it is done again when the crawl is resumed, and nothing comes of it.
  if (const Result<void> ended = co_await committer_->at_commit(std::move(prepare)); !ended)
    log_warn("crawl", "the recovery log is taken over, but {}", ended.error().message);
  if (on_notice_) on_notice_(report);
  note(fmt::format("takes over {}", report.substr(0, report.find('\n'))));
  recover_.reset();
  if (auto injected = inject_seeds(); !injected) committer_->fail(injected.error());
  check_limits();
  dispatch();
  changed_.notify();
}

Result<void> Engine::end_recovery(const std::string& report) {
  TRY_VOID(world_.files.write_atomically(launch_.reports() + "/recovery-report.txt", report));
  TRY_VOID(world_.files.remove(launch_.recovery_note()));
  return world_.files.sync_dir(launch_.state());
}

aio::Task<Result<void>> Engine::read_recovery_log(RecoverCounts& counts, bool finished) {
  CO_TRY(const auto reader, RecoveryReader::open(world_.files, recover_->path));
  uint64_t line = 0, uncommitted = 0, group = committer_->groups();
  for (;;) {
    Result<std::string_view> text;
    std::function<void()> work = [&] { text = reader->next(); };
    co_await world_.blocking.run(world_.loop, std::move(work));
    if (!text) co_return std::unexpected(text.error());
    if (text->empty() || state_ == State::stopping || state_ == State::ended || committer_->is_fatal()) break;
    const uint64_t before = line;
    take_recovery_lines(*text, finished, line, counts);
    // What is given to the committer stands in memory until it is committed.
    if (committer_->groups() != group) uncommitted = 0;
    group = committer_->groups();
    uncommitted += line - before;
    const auto is_ahead = [&] {
      return seen_.is_behind() || (uncommitted > kMostUncommitted && committer_->groups() == group);
    };
    if (seen_.is_behind()) seen_changed_.notify();
    while (is_ahead() && state_ != State::ended && !committer_->is_fatal()) co_await seen_changed_.wait();
  }
  counts.lines = line;
  if (!finished) co_return Result<void>();
  for (const std::string& flaw : reader->flaws()) counts.problems.push_back(flaw);
  co_return Result<void>();
}

Result<frontier::ScheduledUrl> Engine::recovered_url(const url::Url& url, const RecoveryLine& line) {
  TRY(const url::Url plain, url::Url::parse(url.without_fragment()));
  TRY(frontier::ScheduledUrl scheduled, make_scheduled_url(plain));
  scheduled.candidate.hops = line.hops;
  scheduled.candidate.via = line.via;
  if (!line.hops.empty()) scheduled.candidate.seed.clear();  // the log does not tell from which seed it comes
  return scheduled;
}

void Engine::take_recovery_lines(std::string_view text, bool finished, uint64_t& line, RecoverCounts& counts) {
  std::vector<KnownUrl> known;
  std::vector<frontier::ScheduledUrl> scheduled_urls;
  for (const std::string_view one : split(text.substr(0, text.size() - 1), '\n')) {
    ++line;
    const auto parsed = parse_recovery_line(one);
    if (!parsed) {
      if (finished) counts.count_bad(line, parsed.error().message);
      continue;
    }
    const bool wanted =
        finished ? parsed->is_finished(recover_->retry_failures) : parsed->event == RecoveryLine::Event::queued;
    if (!wanted) continue;
    const auto url = url::Url::parse(parsed->url);
    if (url && !url->is_http()) {
      counts.other_schemes += !finished;
      continue;
    }
    auto scheduled = url ? recovered_url(*url, *parsed) : std::unexpected(url.error());
    if (!scheduled) {
      counts.count_bad(line, scheduled.error().message);
    } else if (finished) {
      known.push_back({scheduled->fingerprint, *parsed});
    } else if (recover_->in_scope &&
               !scope_->decide({*url, parsed->hops, parsed->via, false, sites_->of(*url).scope.get()}).accepted) {
      ++counts.out_of_scope;
    } else {
      scheduled_urls.push_back(*std::move(scheduled));
    }
  }
  if (!known.empty()) counts.finished += ledger_->remember(known);
  if (scheduled_urls.empty()) return;
  const uint64_t given = scheduled_urls.size(), before = frontier_->stats().queued;
  ledger_->schedule(std::move(scheduled_urls));
  const uint64_t taken = frontier_->stats().queued - before;
  counts.queued += taken;
  counts.known += given - taken;
}

}  // namespace caddis::crawl
