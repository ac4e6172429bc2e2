#include "caddis/crawl/seed_intake.h"

#include <fmt/format.h>

#include "caddis/aio/blocking.h"
#include "caddis/base/counted.h"
#include "caddis/base/strings.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/event_log.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/seed_rows.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/url_intake.h"

namespace caddis::crawl {
namespace {

constexpr uint64_t kMostUncommitted = 20'000;  // seeds
constexpr uint64_t kSeedMemory = 512;          // of a seed that is not committed, about
constexpr uint64_t kReported = 1000;           // lines that are no seeds: the first ones are in the report

}  // namespace

std::string write_seed_list_progress(const SeedListProgress& p) {
  return fmt::format("{} {} {} {} {} {} {}", p.bytes, p.lines, p.taken, p.known, p.bad, p.done ? 1 : 0, p.scope_lines);
}

Result<SeedListProgress> read_seed_list_progress(std::string_view row) {
  constexpr size_t kNumbers = 7, kNumbersBefore = 6;  // lines of the scope were not counted
  uint64_t numbers[kNumbers] = {};
  const auto parts = split(row, ' ');
  bool is_fine = parts.size() == kNumbers || parts.size() == kNumbersBefore;
  for (size_t i = 0; is_fine && i < parts.size(); ++i) {
    const auto number = parse_int(parts[i]);
    is_fine = number && *number >= 0;
    if (is_fine) numbers[i] = static_cast<uint64_t>(*number);
  }
  if (!is_fine) return fail(ErrorCode::corrupt, fmt::format("'{}' does not say how far a list of seeds was read", row));
  return SeedListProgress{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5] == 1, numbers[6]};
}

Result<std::unique_ptr<SeedIntake>> SeedIntake::open(const Parts& parts, Hooks hooks) {
  std::unique_ptr<SeedIntake> intake(new SeedIntake(parts, std::move(hooks)));
  TRY(auto lists, seed_lists(parts.state.files, parts.state.launch));
  uint64_t lines = 0;
  for (SeedList& list : lists) {
    Pending pending{std::move(list), {}};
    TRY(const auto row, parts.state.kv->get(kMeta, std::string(kSeedListRow) + pending.list.file));
    if (row) {
      TRY(pending.progress, read_seed_list_progress(*row));
    }
    if (pending.progress.done) continue;
    TRY_VOID(SeedListReader::open(parts.state.files, pending.list, pending.progress.bytes));
    TRY(const uint64_t all, count_lines(parts.state.files, pending.list));
    lines += all - std::min(all, pending.progress.lines);
    intake->pending_.push_back(std::move(pending));
  }
  if (intake->pending_.empty()) return nullptr;
  parts.state.scope->reserve_seeds(lines);
  parts.state.addresses.reserve_seeds(lines);
  return intake;
}

bool SeedIntake::is_given_up() const {
  return parts_.lifecycle.is_ending() || parts_.path.committer.is_fatal() || hooks_.gives_up();
}

aio::Task<void> SeedIntake::run(std::function<void(const std::string&)> tell) {
  for (Pending& pending : pending_) {
    config::SeedProblems problems;
    const Result<void> taken = co_await take(pending, problems);
    if (!taken) parts_.lifecycle.stop({EndReason::failed, taken.error().message});
    if (!taken || is_given_up()) break;
    tell_of(pending, problems, tell);
  }
  ended_ = true;
}

// Memory holds what the committer has been given until it is committed.
bool SeedIntake::has_room(uint64_t group) const {
  const bool is_far_ahead = uncommitted_ > kMostUncommitted && parts_.path.committer.groups() < group;
  return !is_far_ahead && hooks_.can_take();
}

aio::Task<Result<void>> SeedIntake::take(Pending& pending, config::SeedProblems& problems) {
  CO_TRY(auto reader, SeedListReader::open(parts_.state.files, pending.list, pending.progress.bytes));
  uint64_t group = parts_.path.committer.present_group();
  while (!pending.progress.done) {
    Result<Part> part;
    // The worker has look-ups of its own, by the settings of now.
    UrlForms forms = parts_.intake.forms();
    std::function<void()> work = [&] { part = read_part(reader, forms, pending, problems); };
    co_await parts_.blocking.run(parts_.loop, std::move(work));
    if (!part) co_return std::unexpected(std::move(part).error());
    while (!is_given_up() && !has_room(group)) co_await changed_.wait();
    if (is_given_up()) co_return Result<void>();
    if (const uint64_t present = parts_.path.committer.present_group(); present != group) {
      group = present;
      uncommitted_ = 0;
    }
    take_part(pending, *std::move(part));
    hooks_.on_taken();
  }
  co_return Result<void>();
}

Result<SeedIntake::Part> SeedIntake::read_part(SeedListReader& reader, UrlForms& forms, const Pending& pending,
                                               config::SeedProblems& problems) {
  Part part;
  part.progress = pending.progress;
  SeedListProgress& progress = part.progress;
  TRY(std::string_view text, reader.next());
  progress.done = text.empty();
  progress.bytes = reader.offset();
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (progress.done) return part;
  for (const std::string_view line : split(text, '\n')) {
    ++progress.lines;
    const std::string_view seed = config::seed_on_line(line);
    if (seed.empty()) continue;
    if (auto scope_line = config::parse_scope_line(seed)) {
      ++progress.scope_lines;
      part.scope_lines.push_back(*std::move(scope_line));
      continue;
    }
    auto scheduled = forms.of(seed);
    if (scheduled) {
      scheduled->candidate.is_seed = true;
      part.seeds.push_back(*std::move(scheduled));
      continue;
    }
    if (++progress.bad <= kReported) part.unusable.emplace_back(seed);
    problems.add(fmt::format("{}:{}: {}", pending.list.shown, progress.lines, scheduled.error().message));
  }
  return part;
}

void SeedIntake::take_part(Pending& pending, Part part) {
  const uint64_t seeds = part.seeds.size();
  parts_.intake.take_scope_lines(part.scope_lines);
  for (const std::string& line : part.unusable) parts_.state.statistics.seeds().add_unusable(line);
  const TakenUrls taken = parts_.intake.take_seeds(std::move(part.seeds), kListedSeed);
  SeedListProgress& progress = part.progress;
  progress.taken += taken.urls;
  progress.known += seeds - std::min(seeds, taken.urls);
  pending.progress = progress;
  parts_.path.outputs.meta().put(std::string(kSeedListRow) + pending.list.file, write_seed_list_progress(progress));
  uncommitted_ += seeds;
  parts_.path.committer.commit_soon(seeds * kSeedMemory);
}

void SeedIntake::tell_of(const Pending& pending, const config::SeedProblems& problems,
                         const std::function<void(const std::string&)>& tell) {
  const SeedListProgress& progress = pending.progress;
  for (const std::string& problem : problems.told()) tell(problem);
  std::string told = fmt::format("{}: {} taken, {} known already, {} bad", counted(progress.lines, "line"),
                                 counted(progress.taken, "URL"), progress.known, progress.bad);
  if (progress.scope_lines > 0)
    told += fmt::format("; {}", counted(progress.scope_lines, "line of the scope", "lines of the scope"));
  parts_.log.log_operator_action(fmt::format("seeds of {}: {}", pending.list.shown, told));
}

}  // namespace caddis::crawl
