#include "caddis/crawl/frontier_log_import.h"

#include <fmt/format.h>

#include "caddis/aio/blocking.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/event_log.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/recovery_line.h"
#include "caddis/crawl/recovery_reader.h"
#include "caddis/crawl/seen_tasks.h"
#include "caddis/crawl/url_intake.h"
#include "caddis/url/crawl_schemes.h"

namespace caddis::crawl {
namespace {

constexpr uint64_t kMostUncommitted = 100'000;  // lines

}  // namespace

Result<void> note_import(io::Files& files, const collection::Launch& launch, const RecoverOptions& wanted,
                         std::vector<std::string>& notices) {
  if (files.exists(launch.recovery_note())) {
    TRY(const std::string note, files.read_all(launch.recovery_note()));
    TRY(const RecoverOptions before, read_recover_note(note));
    if (before.path != wanted.path)
      notices.push_back(
          fmt::format("the recovery log {} was not taken over whole, and {} is taken over in its place: give "
                      "--recover {} again afterwards",
                      before.path, wanted.path, before.path));
  }
  return files.write_atomically(launch.recovery_note(), write_recover_note(wanted));
}

Result<std::optional<RecoverOptions>> pending_import(io::Files& files, const collection::Launch& launch) {
  std::optional<RecoverOptions> pending;
  if (!files.exists(launch.recovery_note())) return pending;
  TRY(const std::string note, files.read_all(launch.recovery_note()));
  TRY(pending, read_recover_note(note));
  if (const auto log = RecoveryReader::open(files, pending->path); !log)
    return fail(log.error().code,
                fmt::format("{}; that recovery log was not taken over whole: put it back, or remove {} to go on "
                            "without what else waits in it",
                            log.error().message, launch.recovery_note()));
  return pending;
}

FrontierLogImport::FrontierLogImport(Parts parts, RecoverOptions options)
    : parts_(parts), options_(std::move(options)), forms_(std::make_unique<UrlForms>(parts.intake.forms())) {}

FrontierLogImport::~FrontierLogImport() = default;

bool FrontierLogImport::is_given_up() const { return parts_.lifecycle.is_ending() || parts_.path.committer.is_fatal(); }

aio::Task<bool> FrontierLogImport::run(std::function<void(const std::string&)> tell) {
  RecoverCounts counts;
  Result<void> done = co_await read(counts, true);
  if (done && !options_.include_only) done = co_await read(counts, false);
  if (is_given_up()) {
    tell(
        fmt::format("the recovery log {} is not taken over whole: it is read again, from its beginning, when "
                    "the crawl is resumed; nothing of it is visited until then",
                    options_.path));
    co_return false;
  }
  if (!done) {
    parts_.lifecycle.stop({EndReason::failed, done.error().message});
    co_return false;
  }
  const std::string report = recover_report(options_, counts);
  std::function<commit::Committer::Work()> prepare = [this, &report] {
    return commit::Committer::Work([this, &report] { return finish(report); });
  };
  // Should this fail, all of it is done again when the crawl is resumed, and nothing comes of it.
  if (const Result<void> ended = co_await parts_.path.committer.at_commit(std::move(prepare)); !ended)
    log_warn("crawl", "the recovery log is taken over, but {}", ended.error().message);
  tell(report);
  parts_.log.log_operator_action(fmt::format("takes over {}", report.substr(0, report.find('\n'))));
  co_return true;
}

Result<void> FrontierLogImport::finish(const std::string& report) {
  io::Files& files = parts_.state.files;
  const collection::Launch& launch = parts_.state.launch;
  TRY_VOID(files.write_atomically(launch.reports() + "/recovery-report.txt", report));
  TRY_VOID(files.remove(launch.recovery_note()));
  return files.sync_dir(launch.state());
}

aio::Task<Result<void>> FrontierLogImport::read(RecoverCounts& counts, bool finished) {
  commit::Committer& committer = parts_.path.committer;
  store::SeenSet& seen = parts_.state.seen;
  aio::Event& seen_changed = parts_.seen_tasks.changed();
  CO_TRY(const auto reader, RecoveryReader::open(parts_.state.files, options_.path));
  uint64_t line = 0, uncommitted = 0, group = committer.groups();
  for (;;) {
    Result<std::string_view> text;
    std::function<void()> work = [&] { text = reader->next(); };
    co_await parts_.blocking.run(parts_.loop, std::move(work));
    if (!text) co_return std::unexpected(text.error());
    if (text->empty() || is_given_up()) break;
    const uint64_t before = line;
    take_lines(*text, finished, line, counts);
    // Lines that the committer has stand in memory until they are committed.
    if (committer.groups() != group) uncommitted = 0;
    group = committer.groups();
    uncommitted += line - before;
    const auto is_ahead = [&] {
      return seen.is_behind() || (uncommitted > kMostUncommitted && committer.groups() == group);
    };
    if (seen.is_behind()) seen_changed.notify();
    while (is_ahead() && !parts_.lifecycle.has_ended() && !committer.is_fatal()) co_await seen_changed.wait();
  }
  counts.lines = line;
  if (!finished) co_return Result<void>();
  for (const std::string& flaw : reader->flaws()) counts.problems.push_back(flaw);
  co_return Result<void>();
}

// Returns nothing if it is left out, which is counted.
Result<std::optional<frontier::ScheduledUrl>> FrontierLogImport::form_of(const RecoveryLine& line, bool finished,
                                                                         RecoverCounts& counts) {
  const std::optional<frontier::ScheduledUrl> none;
  const bool asks_scope = options_.in_scope && !finished;
  if (line.is_request) {
    TRY(auto asked, forms_->of_request(line.url, asks_scope));
    counts.out_of_scope += !asked;
    return asked;
  }
  TRY(const url::Url url, url::Url::parse(line.url));
  if (!url::can_be_crawled(url)) {
    counts.other_schemes += !finished;
    return none;
  }
  TRY(const url::Url plain, url::Url::parse(url.without_fragment()));
  TRY(frontier::ScheduledUrl scheduled, forms_->of(plain));
  scheduled.candidate.hops = line.hops;
  scheduled.candidate.via = line.via;
  if (!line.hops.empty()) scheduled.candidate.seed.clear();  // the log does not tell from which seed it comes
  if (asks_scope && !forms_->is_in_scope(url, line.hops, line.via)) {
    ++counts.out_of_scope;
    return none;
  }
  return std::optional(std::move(scheduled));
}

void FrontierLogImport::take_lines(std::string_view text, bool finished, uint64_t& line, RecoverCounts& counts) {
  std::vector<KnownUrl> known;
  std::vector<frontier::ScheduledUrl> queued;
  for (const std::string_view one : split(text.substr(0, text.size() - 1), '\n')) {
    ++line;
    const auto parsed = parse_recovery_line(one);
    if (!parsed) {
      if (finished) counts.count_bad(line, parsed.error().message);
      continue;
    }
    const bool wanted =
        finished ? parsed->is_finished(options_.retry_failures) : parsed->event == RecoveryLine::Event::queued;
    if (!wanted) continue;
    auto scheduled = form_of(*parsed, finished, counts);
    if (!scheduled)
      counts.count_bad(line, scheduled.error().message);
    else if (*scheduled && finished)
      known.push_back({(*scheduled)->fingerprint, *parsed});
    else if (*scheduled)
      queued.push_back(**std::move(scheduled));
  }
  if (!known.empty()) counts.finished += parts_.path.ledger.remember(known);
  if (queued.empty()) return;
  const auto answers = parts_.path.ledger.schedule(std::move(queued));
  const auto taken = static_cast<uint64_t>(std::ranges::count(answers, frontier::ScheduleAnswer::accepted));
  counts.queued += taken;
  counts.known += answers.size() - taken;
}

}  // namespace caddis::crawl
