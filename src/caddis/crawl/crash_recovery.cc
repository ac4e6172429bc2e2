// Crash recovery of a launch, in the order in which it happens: files that are missing are given up or refused; all
// streams are cut to their committed lengths, or to those of an earlier group if the disk has lost bytes since; what
// was captured in lost parts of WARC files is looked up in the index journal. What is to be made again is queued when
// the frontier is open. Rows of the store tell a next process of all that until the group with it is committed.

#include "caddis/crawl/crash_recovery.h"
#include "caddis/collection/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "caddis/base/counted.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/journal.h"
#include "caddis/cdx/line.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/url_intake.h"
#include "caddis/warc/reader.h"

namespace caddis::crawl {
namespace {

// Where the last record ends that is whole.
Result<uint64_t> end_of_records(io::Files& files, const std::string& path) {
  TRY(const auto file, files.open_read(path));
  const warc::FileSource source(*file);
  warc::Reader reader(source, warc::ReaderOptions{.resync = false});
  for (uint64_t end = 0;;) {
    const auto next = reader.next();
    if (!next || *next == nullptr || !(*next)->finish() || !(*next)->complete()) return end;
    end = (*next)->offset() + (*next)->length();
  }
}

Error error_of_missing(const std::vector<store::MissingFile>& files, bool all_are_archives) {
  constexpr size_t kNamed = 5;
  std::string names;
  for (size_t i = 0; i < std::min(files.size(), kNamed); ++i) names += (i == 0 ? "" : ", ") + files[i].path;
  if (files.size() > kNamed) names += fmt::format(" and {} more", files.size() - kNamed);
  const bool is_one = files.size() == 1;
  return Error{
      ErrorCode::config,
      fmt::format(
          "{} that this crawl wrote {} there any more: {}. Put {} back (a link will do), or say what became of {}: {}",
          counted(files.size(), "file"), is_one ? "is not" : "are not", names, is_one ? "it" : "them",
          is_one ? "it" : "them",
          all_are_archives
              ? "'--missing moved' where WARC files are kept elsewhere now, so that their captures stand; '--missing "
                "lost' fetches again what was captured in them"
              : "with '--missing lost' the crawl goes back to where nothing but WARC files is missing, if that is "
                "among "
                "its latest groups, else on without the lines and known URLs that are gone; what was captured in "
                "missing WARC files is fetched again")};
}

bool is_archive_of(const collection::Launch& launch, const store::MissingFile& file) {
  return file.is_complete && file.path.starts_with(launch.archive());
}

}  // namespace

Result<void> refuse_missing(const collection::Launch& launch, const std::vector<store::MissingFile>& missing,
                            MissingFiles what) {
  const bool all_are_archives =
      std::ranges::all_of(missing, [&](const auto& file) { return is_archive_of(launch, file); });
  const bool is_said = what == MissingFiles::lost || (what == MissingFiles::moved && all_are_archives);
  if (missing.empty() || is_said) return {};
  return std::unexpected(error_of_missing(missing, all_are_archives));
}

bool is_seen_log(const collection::Launch& launch, const std::string& path) {
  return path.starts_with(launch.seen_log());
}

bool CrashRecovery::is_archive(const store::MissingFile& file) const { return is_archive_of(state_.launch, file); }

void CrashRecovery::add_report(const std::string& report) {
  notices_.push_back(report);
  lost_.reports.push_back(report);
}

// Gives those whose captures are to be made again. Logs that are lost are left to the recovery: it takes back what they
// say of.
Result<std::vector<store::MissingFile>> CrashRecovery::give_up_missing(MissingFiles what) {
  TRY(const std::vector<store::MissingFile> missing, state_.streams->missing());
  TRY_VOID(refuse_missing(state_.launch, missing, what));
  std::vector<store::MissingFile> lost;
  for (const store::MissingFile& file : missing) {
    if (!is_archive(file)) continue;
    state_.streams->give_up(file.path);
    if (what == MissingFiles::moved) {
      notices_.push_back(fmt::format("{} is not there any more: it was moved, and its captures stand", file.path));
      continue;
    }
    lost_.reports.push_back(
        fmt::format("{} is not there any more: what was captured in it is fetched again", file.path));
    lost.push_back(file);
  }
  return lost;
}

Result<std::vector<std::pair<uint64_t, GroupUndo>>> CrashRecovery::read_groups() {
  std::vector<std::pair<uint64_t, GroupUndo>> groups;
  const auto rows = state_.kv->cursor(kMeta);
  for (rows->seek(kGroupRow); rows->valid() && rows->key().starts_with(kGroupRow); rows->next()) {
    TRY(const uint64_t number, number_of_group_row(rows->key()));
    TRY(GroupUndo record, decode_group_undo(rows->value()));
    groups.emplace_back(number, std::move(record));
  }
  TRY_VOID(rows->status());
  if (!groups.empty()) {
    groups_.first = groups.front().first;
    groups_.next = groups.back().first + 1;
  }
  return groups;
}

Result<void> CrashRecovery::recover(MissingFiles what, bool is_rolled_back) {
  TRY(const auto missing, give_up_missing(what));
  // In the archive, only files that this launch had begun and no commit knows are its to take away.
  std::set<std::string, std::less<>> begun;
  store::Batch settled;
  const auto rows = state_.kv->cursor(kMeta);
  for (rows->seek(kBegunRow); rows->valid() && rows->key().starts_with(kBegunRow); rows->next()) {
    begun.insert(state_.launch.archive() + "/" + std::string(rows->value()) + collection::kOpenSuffix);
    settled.erase(kMeta, std::string(rows->key()));
  }
  TRY_VOID(rows->status());
  const auto keep = [&](std::string_view path) {
    return path.starts_with(state_.launch.archive()) && !begun.contains(path);
  };
  TRY(auto groups, read_groups());
  // A process that died on its way back, before it committed anything, may have written into the files again.
  TRY(const auto went_back, state_.kv->get(kMeta, kWentBackRow));
  uint64_t last = UINT64_MAX;
  if (went_back) {
    TRY(last, number_of_group_row(*went_back));
  }
  std::vector<store::StreamEnds> earlier;
  for (const auto& [number, group] : groups)
    if (number <= last) earlier.push_back(group.before);
  TRY(const auto report,
      state_.streams->recover({state_.launch.logs(), state_.launch.archive()}, keep, earlier, went_back.has_value()));
  TRY(lost_.told_before, loss_rows_of_next_group());
  for (const auto* files : {&report.mended, &report.shorter})
    for (const auto& lost : *files)
      lost_.reports.push_back(fmt::format("{}: the disk has lost {} that it had said were safe", lost.path,
                                          counted(lost.committed - lost.found, "byte")));
  if (report.went_back_to) {
    settled.put(kMeta, kWentBackRow, group_row(groups[*report.went_back_to].first));
    // Bytes that come in the place of lost ones may hide the loss from a next start.
    for (size_t i = 0; i < lost_.reports.size(); ++i) settled.put(kMeta, loss_row(i), lost_.reports[i]);
  }
  TRY_VOID(state_.kv->write(settled, report.went_back_to ? store::Durability::synced : store::Durability::lazy));
  if (report.went_back_to)
    lost_.groups.assign(std::make_move_iterator(groups.begin() + static_cast<ptrdiff_t>(*report.went_back_to)),
                        std::make_move_iterator(groups.end()));
  LostParts parts;
  for (const auto& lost : report.shorter) {
    lost_.is_seen_torn |= is_seen_log(state_.launch, lost.path);
    if (lost.path.starts_with(state_.launch.archive()))
      parts[std::string(io::base_name(lost.path))].part = lost;
    else
      TRY_VOID(cut_torn(lost));
  }
  for (const store::MissingFile& file : missing)
    parts[std::string(io::base_name(file.path))].part = {file.path, file.length, 0, {}};
  TRY_VOID(find_lost_captures(std::move(parts)));
  if (what == MissingFiles::moved && report.went_back_to)
    notices_.push_back(
        "what moved files hold of the groups that are taken back is fetched again, too: it will be in "
        "the archive twice");
  this->report(report, is_rolled_back);
  return {};
}

void CrashRecovery::report(const store::RecoveryReport& report, bool is_rolled_back) {
  const std::string_view why = is_rolled_back        ? "newer than the checkpoint"
                               : report.went_back_to ? "taken back"
                                                     : "not committed";
  for (const auto& cut : report.cut)
    if (!cut.saved_as.empty())
      notices_.push_back(fmt::format("{}: {} {} moved to {}; what was in there is fetched again", cut.path,
                                     counted(cut.found - cut.committed, "byte that was", "bytes that were"), why,
                                     cut.saved_as));
  for (const auto& orphan : report.orphans) notices_.push_back(fmt::format("an unknown file was moved to {}", orphan));
  if (report.went_back_to) {
    size_t visits = 0;
    for (const auto& [number, group] : lost_.groups) visits += group.visits.size();
    lost_.reports.push_back(
        fmt::format("the crawl went back by {} for it, to where nothing is missing: {} made again, and counted "
                    "twice in these figures",
                    counted(lost_.groups.size(), "group"), counted(visits, "visit is", "visits are")));
  }
  if (!report.shorter.empty())
    lost_.reports.push_back(
        fmt::format("what was lost lies further back than the latest groups: {} made again; of lost lines of logs only "
                    "the number of "
                    "bytes is known. Where the index journal is short, make the index anew with 'caddis index add'",
                    counted(lost_.urls.size(), "capture is", "captures are")));
  notices_.insert(notices_.end(), lost_.reports.begin(), lost_.reports.end());
}

// The last row or line of a log may be there in part.
Result<void> CrashRecovery::cut_torn(const store::RecoveryReport::Cut& lost) {
  if (!state_.files.exists(lost.path)) return {};
  if (is_seen_log(state_.launch, lost.path))
    return state_.streams->cut_torn(lost.path, lost.found - lost.found % sizeof(uint64_t));
  constexpr uint64_t kLongestLine = 1 << 20;
  const uint64_t from = lost.found - std::min(lost.found, kLongestLine);
  std::string end(static_cast<size_t>(lost.found - from), '\0');
  TRY(const auto file, state_.files.open_read(lost.path));
  TRY(const size_t got, file->read_at(from, end.data(), end.size()));
  end.resize(got);
  return state_.streams->cut_torn(lost.path, from + end.rfind('\n') + 1);
}

// The index journal says which captures lay in the lost parts of files. A URL that was captured several times there is
// fetched again once.
Result<void> CrashRecovery::find_lost_captures(LostParts parts) {
  if (parts.empty()) return {};
  TRY(const auto journals, store::log_parts(state_.files, state_.launch.cdx_journal()));
  TRY_VOID(cdx::each_capture_line(state_.files, journals, [&](std::string_view line) -> Result<void> {
    auto capture = cdx::parse_line(line);
    const auto tells_of = [&](const auto& part) { return line.contains(part.first); };
    if (!capture && std::ranges::any_of(parts, tells_of)) return std::unexpected(std::move(capture).error());
    const auto lost = capture ? parts.find(capture->filename) : parts.end();
    if (lost == parts.end()) return {};
    const uint64_t offset = capture->offset_number().value_or(lost->second.part.committed);
    // Captures that lay behind were lost and queued before.
    if (offset < lost->second.part.committed) lost->second.captures.emplace_back(offset, std::move(capture->url));
    return {};
  }));
  for (auto& [name, lost] : parts) TRY_VOID(take_lost_captures(name, lost.part, std::move(lost.captures)));
  std::ranges::sort(lost_.urls);
  lost_.urls.erase(std::ranges::unique(lost_.urls).begin(), lost_.urls.end());
  return {};
}

// Takes the captures behind the last whole one.
Result<void> CrashRecovery::take_lost_captures(const std::string& name, const store::RecoveryReport::Cut& lost,
                                               LostPart::Captures captures) {
  std::ranges::sort(captures);
  size_t whole = 0;
  const auto end_of = [&](size_t i) { return i + 1 < captures.size() ? captures[i + 1].first : lost.committed; };
  while (whole < captures.size() && end_of(whole) <= lost.found) ++whole;
  uint64_t end = whole < captures.size() ? captures[whole].first : lost.found;
  // The journal says nothing: all captures were lost before, and now what the file begins with is torn; or the journal
  // itself is short.
  if (captures.empty() && state_.files.exists(lost.path)) {
    TRY(end, end_of_records(state_.files, lost.path));
  }
  for (size_t i = whole; i < captures.size(); ++i) lost_.urls.push_back(std::move(captures[i].second));
  lost_.files.emplace_back(name, end);
  if (!state_.files.exists(lost.path)) return {};
  // Shorter than what every file begins with: nothing of it is whole.
  return state_.streams->cut_torn(lost.path, end <= lost.found ? end : 0);
}

std::string CrashRecovery::loss_row(size_t report) const {
  return fmt::format("{}{:016x}-{}", kLossRow, groups_.next, lost_.told_before + report);
}

// They are left by a process that died on its way back, before the group with them was committed.
Result<size_t> CrashRecovery::loss_rows_of_next_group() {
  const std::string prefix = fmt::format("{}{:016x}-", kLossRow, groups_.next);
  size_t count = 0;
  const auto rows = state_.kv->cursor(kMeta);
  for (rows->seek(prefix); rows->valid() && rows->key().starts_with(prefix); rows->next()) ++count;
  TRY_VOID(rows->status());
  return count;
}

Result<void> CrashRecovery::queue_lost(CommitPath& path, UrlIntake& intake) {
  for (size_t i = 0; i < lost_.reports.size(); ++i) path.outputs.meta().put(loss_row(i), lost_.reports[i]);
  for (const auto& [name, end] : lost_.files)
    path.outputs.meta().put(std::string(kLostCapturesRow) + name, std::to_string(end));
  path.outputs.meta().erase(kWentBackRow);
  for (const auto& [number, group] : lost_.groups) {
    TRY_VOID(path.ledger.remember_rows(group.seen));
    path.outputs.meta().erase(group_row(number));
  }
  for (const auto& [number, group] : lost_.groups)
    for (const UndoEntry& visit : group.visits) TRY_VOID(queue_again(visit, path, intake));
  for (const std::string& url : lost_.urls) {
    UndoEntry visit;
    visit.candidate.url = url;
    visit.candidate.hops = "I";
    if (url.starts_with("dns:")) {
      visit.kind = frontier::LeaseKind::dns;
      visit.host = url.substr(url.find(':') + 1);
    }
    TRY_VOID(queue_again(visit, path, intake));
  }
  lost_ = {};
  return {};
}

Result<void> CrashRecovery::queue_again(const UndoEntry& visit, CommitPath& path, UrlIntake& intake) {
  if (visit.kind != frontier::LeaseKind::url)
    return state_.frontier->admin().forget(visit.kind, visit.host, visit.origin);
  const auto url = url::Url::parse(visit.candidate.url);
  if (!url) return {};  // then it was not visited before, either
  TRY(frontier::ScheduledUrl scheduled, intake.form_of(*url));
  const std::string own_seed = std::move(scheduled.candidate.seed);
  scheduled.candidate = visit.candidate;
  scheduled.candidate.force = scheduled.candidate.again = true;
  if (scheduled.candidate.seed.empty()) scheduled.candidate.seed = own_seed;
  std::vector<frontier::ScheduledUrl> one;
  one.push_back(std::move(scheduled));
  path.ledger.schedule(std::move(one));
  return {};
}

}  // namespace caddis::crawl
