#include "caddis/crawl/action_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/counted.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/commit/committer.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {
namespace {

constexpr uint64_t kLinesPerPart = 2000;
constexpr size_t kReported = 1000;  // bad lines, one by one
constexpr size_t kNamed = 10;       // of them, in the log
constexpr size_t kAtOnce = 20;      // files that wait for one commit
constexpr size_t kLongestName = 200;
constexpr size_t kMostScript = 1 << 20;
constexpr uint64_t kBegun = 1, kEnded = 2;  // passes of a script
constexpr size_t kStamp = 18;               // "20260102030405006."

std::string_view name_of(std::string_view file) { return file.substr(std::min(kStamp, file.size())); }

// For logs and reports, in which a line is a line.
std::string shown(std::string_view text) {
  std::string out(text.substr(0, 500));
  std::ranges::replace_if(out, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return out;
}

// A URL that failed is tried again.
bool is_recovered_part(const RecoveryLine& line, uint64_t pass) {
  return pass == 0 ? line.is_finished(true) : line.event == RecoveryLine::Event::queued;
}

}  // namespace

Result<void> ActionDirectory::open(store::Kv& kv) {
  for (const std::string& folder : {folder_, folder_ + "/taken", folder_ + "/done"})
    TRY_VOID(parts_.files.make_dirs(folder));
  TRY(const auto entries, parts_.files.list(folder_ + "/taken"));
  for (const io::DirectoryEntry& entry : entries)
    if (!entry.is_directory && entry.name.size() > kStamp) taken_.push_back(entry.name);
  const auto rows = kv.cursor(kMeta);
  for (rows->seek(kActionRow); rows->valid() && rows->key().starts_with(kActionRow); rows->next()) {
    const std::string file(rows->key().substr(kActionRow.size()));
    TRY(const ActionProgress progress, read_action_progress(rows->value()));
    // It has moved to done/: the row was to be erased with the next group.
    if (std::ranges::find(taken_, file) == taken_.end())
      parts_.rows.erase(file);
    else
      progress_.emplace(file, progress);
  }
  return rows->status();
}

void ActionDirectory::close() {
  closed_ = true;
  busy_ = false;
  changed_.notify();
}

void ActionDirectory::look_now() {
  busy_ = look_now_ = true;
  changed_.notify();
}

aio::Task<void> ActionDirectory::rest(Duration how_long) {
  const SteadyTime until = parts_.loop.clock().steady() + how_long;
  const auto timer = parts_.loop.at(until, [this] { changed_.notify(); });
  while (!closed_ && !look_now_ && parts_.loop.clock().steady() < until) co_await changed_.wait();
  parts_.loop.cancel(timer);
  look_now_ = false;
}

aio::Task<void> ActionDirectory::run(Duration interval) {
  while (!closed_) {
    Result<void> fine = co_await look();
    while (fine && !closed_ && !taken_.empty()) fine = co_await apply_taken();
    if (closed_) break;
    // Told once, however often it is tried.
    if (!fine && told_ != fine.error().message)
      log_warn("crawl", "the action directory: {}; it is tried again", fine.error().message);
    told_ = fine ? "" : fine.error().message;
    // A file that cannot be read does not keep a crawl from ending.
    const bool was_busy = std::exchange(busy_, look_now_ || (fine && (!sizes_.empty() || !taken_.empty())));
    if (was_busy && !busy_) hooks_.on_idle();
    const Duration wait = sizes_.empty() ? interval : std::min(interval, kWhole);
    co_await rest(wait);
  }
}

// --- taking files

aio::Task<Result<void>> ActionDirectory::look() {
  Result<std::vector<io::DirectoryEntry>> entries;
  std::function<void()> list = [&] {
    entries = parts_.files.list(folder_);
    if (const auto durable = sync_claims(); !durable) entries = std::unexpected(durable.error());
  };
  co_await parts_.blocking.run(parts_.loop, list);
  if (!entries) co_return std::unexpected(std::move(entries).error());
  std::map<std::string, uint64_t> growing;
  std::vector<std::string> whole;
  for (const io::DirectoryEntry& entry : *entries) {
    if (entry.is_directory || entry.name.starts_with('.') || entry.name.size() > kLongestName) continue;
    if (entry.size == 0 && !entry.is_link) continue;  // a link is refused, whatever it names
    const auto before = sizes_.find(entry.name);
    if (before != sizes_.end() && before->second == entry.size)
      whole.push_back(entry.name);
    else
      growing.emplace(entry.name, entry.size);
  }
  sizes_ = std::move(growing);
  if (whole.empty() || closed_) co_return Result<void>();
  std::vector<std::string> claimed;
  Result<void> fine;
  std::function<void()> take = [&] { fine = claim(whole, claimed); };
  co_await parts_.blocking.run(parts_.loop, take);
  files_taken_ += claimed.size();
  for (std::string& file : claimed) taken_.push_back(std::move(file));
  co_return fine;
}

Result<void> ActionDirectory::claim(const std::vector<std::string>& names, std::vector<std::string>& claimed) {
  WallTime now = parts_.loop.clock().wall();
  claims_are_durable_ = false;
  for (const std::string& name : names) {
    std::string file = timestamp17(now) + "." + name;
    for (; parts_.files.exists(taken(file)) || parts_.files.exists(done(file)); file = timestamp17(now) + "." + name)
      now += std::chrono::milliseconds(1);
    const auto renamed = parts_.files.rename(folder_ + "/" + name, taken(file));
    if (!renamed && parts_.files.exists(folder_ + "/" + name)) return renamed;
    if (renamed) claimed.push_back(std::move(file));  // otherwise its owner has taken it away
  }
  return sync_claims();
}

// A claim that a power cut takes back, when its file was applied, would let it be applied again.
Result<void> ActionDirectory::sync_claims() {
  if (claims_are_durable_) return {};
  TRY_VOID(parts_.files.sync_dir(folder_ + "/taken"));
  TRY_VOID(parts_.files.sync_dir(folder_));
  claims_are_durable_ = true;
  return {};
}

// --- applying them

void ActionDirectory::keep_progress(const std::string& file, const ActionProgress& progress) {
  progress_[file] = progress;
  parts_.rows.put(file, progress);
  parts_.committer.commit_soon();
}

// The first of them, which then wait for a commit together: a crawl has about one a second. One that cannot be read
// keeps those behind it waiting, not those before it.
aio::Task<Result<void>> ActionDirectory::apply_taken() {
  Result<void> fine;
  std::vector<std::string> reports;
  while (fine && reports.size() < std::min(kAtOnce, taken_.size())) {
    const std::string file = taken_[reports.size()];
    auto report = co_await apply(file);
    if (!report)
      fine = std::unexpected(std::move(report).error());
    else if (*report)
      reports.push_back(**std::move(report));
    else
      co_return Result<void>();
  }
  const auto settled = co_await settle(std::move(reports));
  co_return settled ? fine : settled;
}

// The report; nothing where the crawl ends meanwhile.
aio::Task<Result<std::optional<std::string>>> ActionDirectory::apply(const std::string& file) {
  Report report;
  const auto action = parse_action_name(name_of(file));
  if (!action) {
    report.refused = action.error().message;
  } else if (action->kind == ActionKind::script) {
    const auto went_on = co_await apply_script(file, *action, report);
    if (!went_on) co_return std::unexpected(went_on.error());
    if (!*went_on) co_return std::nullopt;
  } else {
    const uint64_t passes = action->kind == ActionKind::recover ? 2 : 1;
    for (uint64_t pass = 0; pass < passes; ++pass) {
      report = Report();
      const auto went_on = co_await apply_pass(file, *action, pass, report);
      if (!went_on && went_on.error().code != ErrorCode::unsupported) co_return std::unexpected(went_on.error());
      if (went_on && !*went_on) co_return std::nullopt;
      if (!went_on) report.refused = went_on.error().message;  // no file of bytes: it stays none
      if (!went_on) break;
    }
    if (action->kind == ActionKind::reports && report.refused.empty() && !progress_[file].done && write_reports_)
      report.told = co_await write_reports_();
  }
  co_return finish(file, report);
}

// That it begins is committed first: what a script has done when the crawl dies is not known, so it does not run twice.
aio::Task<Result<bool>> ActionDirectory::apply_script(const std::string& file, const ActionName& action,
                                                      Report& report) {
  ActionProgress progress = progress_[file];
  if (progress.pass > 0) {
    report.has_failed = progress.pass == kBegun;
    report.told = progress.pass == kEnded
                      ? "was run; what it printed is lost"
                      : "had begun when the crawl ended, and is not run again: look what it has done";
    co_return true;
  }
  Result<std::string> text;
  std::function<void()> read = [&] { text = read_script(file, action); };
  co_await parts_.blocking.run(parts_.loop, read);
  if (text && (run_script_ == nullptr || !*run_script_))
    text = fail(ErrorCode::unsupported, "this crawl runs no scripts");
  if (!text && text.error().code != ErrorCode::unsupported) co_return std::unexpected(text.error());
  if (!text) report.refused = text.error().message;
  if (!text) co_return true;
  progress.pass = kBegun;
  keep_progress(file, progress);
  if (!co_await wait_for_commit()) co_return false;
  ScriptRun run = co_await (*run_script_)(std::string(name_of(file)), *std::move(text));
  report.has_failed = !run.error.empty();
  report.told = run.error.empty() ? "was run" : fmt::format("failed: {}", shown(run.error));
  report.output = std::move(run.output);
  progress_[file].pass = kEnded;
  co_return true;
}

Result<std::string> ActionDirectory::read_script(const std::string& file, const ActionName& action) const {
  TRY(ActionReader reader, ActionReader::open(parts_.files, taken(file), action.is_gzip));
  std::string text;
  for (;;) {
    TRY(const auto line, reader.next());
    if (!line) break;
    if (line->size() >= ActionReader::kLongest || text.size() + line->size() > kMostScript)
      return fail(ErrorCode::unsupported, "a script has at most 1 MiB, and 128 KiB a line");
    text += fmt::format("{}\n", *line);
  }
  if (!reader.damage().empty()) return fail(ErrorCode::unsupported, reader.damage());
  return text;
}

aio::Task<Result<bool>> ActionDirectory::apply_pass(const std::string& file, const ActionName& action, uint64_t pass,
                                                    Report& report) {
  std::optional<ActionReader> reader;
  for (Part part; !part.at_end;) {
    const ActionProgress& so_far = progress_[file];
    // Lines that were applied before are read for the bad ones only.
    const bool is_over = so_far.done || so_far.pass > pass;
    const uint64_t skip = is_over ? ~0ULL : so_far.pass == pass ? so_far.lines : 0;
    const uint64_t from = part.lines;
    Result<Part> read;
    // The worker has look-ups of its own, by the settings of now.
    UrlForms forms = parts_.intake.forms();
    std::function<void()> work = [&] {
      if (!reader) {
        auto opened = ActionReader::open(parts_.files, taken(file), action.is_gzip);
        if (!opened) {
          read = std::unexpected(std::move(opened).error());
          return;
        }
        reader.emplace(*std::move(opened));
      }
      read = read_part(*reader, forms, action, pass, from, skip, report);
    };
    co_await parts_.blocking.run(parts_.loop, work);
    if (!read) co_return std::unexpected(std::move(read).error());
    part = *std::move(read);
    if (part.lines <= skip) continue;
    while (!closed_ && !hooks_.can_apply()) co_await changed_.wait();
    if (closed_) co_return false;
    const uint64_t lines = part.lines;
    const bool at_end = part.at_end;
    take(file, action, pass, std::move(part));
    part = Part();
    part.lines = lines;
    part.at_end = at_end;
  }
  co_return !closed_;
}

Result<ActionDirectory::Part> ActionDirectory::read_part(ActionReader& reader, UrlForms& forms,
                                                         const ActionName& action, uint64_t pass, uint64_t from,
                                                         uint64_t skip, Report& report) {
  Part part;
  part.lines = from;
  const uint64_t most = from + kLinesPerPart;
  const uint64_t to = from < skip ? std::min(most, skip) : most;
  const auto bad = [&](const std::string& why) {
    ++report.bad;
    if (report.first_bad.size() < kReported) report.first_bad.push_back({part.lines, why});
  };
  while (part.lines < to) {
    TRY(const auto line, reader.next());
    if (!line) {
      part.at_end = true;
      report.lines = part.lines;
      report.damage = reader.damage();
      break;
    }
    ++part.lines;
    if (auto scope_line = action.kind == ActionKind::seeds ? config::parse_scope_line(*line) : std::nullopt) {
      ++report.scope_lines;
      if (part.lines > skip) part.scope_lines.push_back(*std::move(scope_line));
      continue;
    }
    const auto parsed = parse_action_line(*line, action.kind);
    if (!parsed) {
      bad(parsed.error().message);
      continue;
    }
    if (!*parsed || (action.kind == ActionKind::recover && !is_recovered_part(**parsed, pass))) continue;
    auto scheduled = forms.of(**parsed, action);
    if (!scheduled)
      bad(scheduled.error().message);
    else if (part.lines > skip && *scheduled)
      part.scheduled_urls.push_back(**std::move(scheduled));
    else if (part.lines > skip)
      ++part.outside;
  }
  return part;
}

void ActionDirectory::take(const std::string& file, const ActionName& action, uint64_t pass, Part part) {
  ActionProgress progress = progress_[file];
  const bool as_seen = action.kind == ActionKind::include || (action.kind == ActionKind::recover && pass == 0);
  const uint64_t given = part.scheduled_urls.size();
  TakenUrls taken;
  parts_.intake.take_scope_lines(part.scope_lines);
  if (given > 0) {
    if (as_seen)
      taken.urls = parts_.intake.remember(part.scheduled_urls);
    else
      taken = parts_.intake.take(std::move(part.scheduled_urls));
    hooks_.on_applied();
  }
  progress.pass = pass;
  progress.lines = part.lines;
  progress.taken += taken.urls;
  progress.over_budget += taken.over_budget;
  progress.known += given - std::min(given, taken.urls + taken.over_budget);
  progress.outside += part.outside;
  keep_progress(file, progress);
}

// Tells what became of the file, in the group after which it is done.
std::string ActionDirectory::finish(const std::string& file, const Report& report) {
  ActionProgress progress = progress_[file];
  std::string told;
  if (!report.refused.empty()) {
    told = fmt::format("refused: {}", report.refused);
  } else if (!report.told.empty()) {
    told = report.told;
  } else {
    told = fmt::format(
        "{}: {} taken, {} known already, {}{} outside of the scope, {} bad", counted(report.lines, "line"),
        counted(progress.taken, "URL"), progress.known,
        progress.over_budget == 0 ? "" : fmt::format("{} over the budget of their host, ", progress.over_budget),
        progress.outside, report.bad);
    std::string numbers;
    for (size_t i = 0; i < std::min(kNamed, report.first_bad.size()); ++i)
      numbers += fmt::format("{}{}", i == 0 ? "" : ", ", report.first_bad[i].line);
    if (report.bad > 0)
      told += fmt::format(" ({} {}{})", report.bad == 1 ? "line" : "lines", numbers, report.bad > kNamed ? ", …" : "");
    if (report.scope_lines > 0)
      told += fmt::format("; {}", counted(report.scope_lines, "line of the scope", "lines of the scope"));
    if (!report.damage.empty()) told += fmt::format("; {}", shown(report.damage));
  }
  const std::string name = shown(name_of(file));
  if (!progress.done) {
    const bool is_fine = report.refused.empty() && report.bad == 0 && report.damage.empty() && !report.has_failed;
    if (!is_fine) log_warn("crawl", "action {}: {}", name, told);
    hooks_.log(fmt::format("action {}: {}", name, told));
    progress.done = true;
    keep_progress(file, progress);
  }
  std::string text = fmt::format("{}: {}\n", name, told);
  for (const Bad& bad : report.first_bad) text += fmt::format("line {}: {}\n", bad.line, shown(bad.why));
  if (report.bad > report.first_bad.size()) text += fmt::format("and {} more\n", report.bad - report.first_bad.size());
  text += report.output;
  return text;
}

aio::Task<bool> ActionDirectory::wait_for_commit() {
  const uint64_t group = parts_.committer.present_group();
  parts_.committer.commit_soon();
  while (!closed_ && parts_.committer.groups() < group) co_await changed_.wait();
  co_return parts_.committer.groups() >= group;
}

// Moves the first files, which have these reports, when all that was taken of them is committed.
aio::Task<Result<void>> ActionDirectory::settle(std::vector<std::string> reports) {
  if (reports.empty()) co_return Result<void>();
  if (!co_await wait_for_commit()) co_return Result<void>();
  for (const std::string& report : reports) {
    const std::string file = taken_.front();
    Result<void> moved;
    std::function<void()> work = [&] { moved = move_to_done(file, report); };
    co_await parts_.blocking.run(parts_.loop, work);
    CO_TRY_VOID(moved);
    taken_.pop_front();
    progress_.erase(file);
    if (closed_) continue;
    parts_.rows.erase(file);
    parts_.committer.commit_soon();
  }
  co_return Result<void>();
}

Result<void> ActionDirectory::move_to_done(const std::string& file, const std::string& report) {
  TRY_VOID(parts_.files.write_atomically(done(file) + ".report", report));
  TRY_VOID(parts_.files.rename(taken(file), done(file)));
  TRY_VOID(parts_.files.sync_dir(folder_ + "/done"));
  return parts_.files.sync_dir(folder_ + "/taken");
}

}  // namespace caddis::crawl
