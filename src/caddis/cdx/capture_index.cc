#include "caddis/cdx/capture_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/capture_scan.h"
#include "caddis/cdx/capture_store.h"
#include "caddis/cdx/filtered_lines.h"
#include "caddis/cdx/member_lines.h"
#include "caddis/cdx/zipnum.h"

namespace caddis::cdx {
using std::chrono::seconds;

namespace {

Result<std::shared_ptr<LineSource>> open_lines(io::Files& files, const std::string& path, url::KeyPolicy policy,
                                               const std::shared_ptr<BrokenLines>& broken) {
  if (is_zipnum_name(path)) return ZipNumLines::open(files, path, std::move(policy), broken);
  TRY(auto sorted, SortedFile::open(files, path));
  TRY_VOID(sorted->check_order());
  return std::make_shared<FileLines>(std::move(sorted), std::move(policy), broken);
}

}  // namespace

CaptureIndex::CaptureIndex(io::Files& files, const Clock& clock, std::string collection)
    : files_(files),
      clock_(clock),
      layout_(collection.empty() ? std::nullopt : std::optional<collection::Layout>(std::move(collection))) {}

CaptureIndex::CaptureIndex(CaptureIndex& whole, std::shared_ptr<const CaptureFilter> filter)
    : files_(whole.files_), clock_(whole.clock_), view_{&whole, std::move(filter), {}} {}

CaptureIndex::CaptureIndex(std::vector<CaptureIndex*> members)
    : files_(members.front()->files_), clock_(members.front()->clock_), view_{nullptr, nullptr, std::move(members)} {}

Result<CaptureIndex::Sources> CaptureIndex::filtered_sources() {
  TRY(Sources all, view_.whole->sources());
  for (std::shared_ptr<LineSource>& source : all)
    source = std::make_shared<FilteredLines>(std::move(source), *view_.filter);
  return all;
}

Result<CaptureIndex::Sources> CaptureIndex::sources_of_members() {
  Sources all;
  for (uint32_t i = 0; i < view_.members.size(); ++i) {
    TRY(const Sources own, view_.members[i]->sources());
    for (const auto& source : own) all.push_back(std::make_shared<MemberLines>(source, i + 1));
  }
  return all;
}

// A capture that two of them hold counts twice.
Result<CaptureIndex::Size> CaptureIndex::size_of_members() {
  Size total;
  for (CaptureIndex* const member : view_.members) {
    TRY(const Size own, member->size());
    total.captures += own.captures;
    total.exact = total.exact && own.exact;
  }
  return total;
}

// Few are counted, for what is hidden must not be told by a number. Of many the whole is an estimate anyway.
Result<CaptureIndex::Size> CaptureIndex::size_as_seen() {
  constexpr uint64_t kCountedBytes = 256 * 1024;
  TRY(const Sources all, sources());
  std::vector<ScanPart> parts;
  for (const auto& source : all) parts.push_back({source, "", "\xFF"});
  TRY(auto scan, CaptureScan::start(parts, CaptureScan::Direction::forward));
  Size seen;
  for (uint64_t budget = kCountedBytes;;) {
    TRY(const auto found, scan.next(budget));
    if (found == CaptureScan::Found::end) return seen;
    if (found == CaptureScan::Found::nothing_yet) break;
    ++seen.captures;
  }
  TRY(Size about, view_.whole->size());
  about.exact = false;
  return about;
}

void CaptureIndex::publish() {
  Sources all;
  std::vector<std::string> problems = journal_problems_;
  for (auto& [path, file] : open_) {
    if (file.lines)
      all.push_back(file.lines);
    else
      problems.push_back(file.problem);
  }
  for (const auto& [path, journal] : journals_) journal.lines.append_sources(all);
  const std::scoped_lock lock(mutex_);
  published_.sources = std::move(all);
  published_.problems = std::move(problems);
  published_.at = clock_.steady();
}

Result<void> CaptureIndex::refresh() {
  if (!layout_) return {};
  const auto fresh = [this] {
    const std::scoped_lock lock(mutex_);
    return std::pair(published_.at.has_value(), published_.at && clock_.steady() - *published_.at < seconds(1));
  };
  const auto [ever, is_fresh] = fresh();
  if (is_fresh) return {};
  std::unique_lock only(refreshing_, std::defer_lock);
  if (!ever)
    only.lock();
  else if (!only.try_lock())
    return {};
  if (fresh().second) return {};
  TRY_VOID(find_journals());
  TRY_VOID(refresh_files());
  TRY_VOID(refresh_journals());
  publish();
  return {};
}

CaptureIndex::OpenFile CaptureIndex::open_file(const std::string& path, uint64_t size, IndexMeta meta) {
  OpenFile file{size, std::move(meta.text), nullptr, {}, false};
  if (!meta.policy) {
    file.problem = fmt::format("{}: not used: {}", path, meta.problem);
    return file;
  }
  auto lines = open_lines(files_, path, *std::move(meta.policy), broken_);
  if (lines) {
    file.lines = *std::move(lines);
  } else {
    file.problem = "not used: " + lines.error().message;
    file.again = lines.error().code == ErrorCode::io || lines.error().code == ErrorCode::not_found;
  }
  return file;
}

Result<void> CaptureIndex::refresh_files() {
  const std::string folder = layout_->indexes();
  std::map<std::string, OpenFile> kept;
  if (files_.is_directory(folder)) {
    TRY(const auto entries, files_.list(folder));
    for (const auto& entry : entries) {
      if (entry.is_directory || !(collection::is_index_name(entry.name) || is_zipnum_name(entry.name))) continue;
      const std::string path = io::join_path(folder, entry.name);
      if (!only_launch_.empty() && path != layout_->index_of(only_launch_)) continue;
      const auto known = open_.find(path);
      IndexMeta meta = read_index_meta(files_, path);
      std::string told;
      if (known != open_.end() && known->second.size == entry.size && known->second.meta == meta.text) {
        OpenFile& file = known->second;
        if (file.lines && file.lines->disordered()) {
          file.lines.reset();
          file.problem = path + " is not sorted, so that captures in it would not be found: sort it with LC_ALL=C sort";
          log_warn("cdx", "{}", file.problem);
        }
        if (!file.again) {
          kept.insert(open_.extract(known));
          continue;
        }
        told = file.problem;
      }
      OpenFile file = open_file(path, entry.size, std::move(meta));
      if (!file.problem.empty() && file.problem != told) log_warn("cdx", "{}", file.problem);
      kept.emplace(path, std::move(file));
    }
  }
  open_ = std::move(kept);
  return {};
}

Result<void> CaptureIndex::find_journals() {
  TRY(const auto launches, collection::launch_folders(files_, *layout_));
  journal_problems_.clear();
  for (const collection::Launch& launch : launches) {
    if (!only_launch_.empty() && launch.name != only_launch_) continue;
    const std::string path = launch.cdx_journal();
    if (!files_.is_directory(launch.state())) {
      journals_.erase(path);
      continue;
    }
    const IndexMeta meta = read_index_meta(files_, path);
    const auto known = journals_.find(path);
    if (known != journals_.end() && meta.policy != known->second.lines.policy()) journals_.erase(known);
    if (!meta.policy) {
      journal_problems_.push_back(path + ": not used: " + meta.problem);
      continue;
    }
    auto& journal = journals_.try_emplace(path, JournalIndex(files_, path, *meta.policy), launch.index()).first->second;
    TRY_VOID(journal.lines.open_segments());
  }
  return {};
}

Result<void> CaptureIndex::refresh_journals() {
  for (auto& [path, journal] : journals_) TRY_VOID(journal.lines.refresh(indexed_of_journal(journal.index)));
  return {};
}

// How much of a launch's journal the index holds that was made of it when the crawl ended.
std::vector<uint64_t> CaptureIndex::indexed_of_journal(const std::string& index_path) {
  const auto index = open_.find(index_path);
  if (index == open_.end() || !index->second.lines) return {};
  return read_index_meta(files_, index_path).journal;
}

void CaptureIndex::add_line(std::string_view line) { memory_->add(line); }

Result<CaptureIndex::Sources> CaptureIndex::sources() {
  if (view_.whole != nullptr) return filtered_sources();
  if (!view_.members.empty()) return sources_of_members();
  TRY_VOID(refresh());
  Sources all;
  {
    const std::scoped_lock lock(mutex_);
    all = published_.sources;
  }
  if (memory_->size() > 0) all.push_back(memory_);
  all.insert(all.end(), added_.begin(), added_.end());
  return all;
}

Result<UrlCaptures> CaptureIndex::captures_of(std::string_view url) {
  TRY(const Sources all, sources());
  return UrlCaptures::find(url, all);
}

Result<UrlCaptures> CaptureIndex::captures_like(const Capture& capture) {
  TRY(Sources all, sources());
  const url::KeyPolicy& shown = shown_policy(all);
  const bool is_one = shown.periods().size() == 1 &&
                      std::ranges::all_of(all, [&](const auto& source) { return source->policy() == shown; });
  // Others have keyed it in their own way, perhaps: by what stands there it is found.
  if (is_one)
    return UrlCaptures(capture.urlkey, asked(std::move(all), {capture.url, capture.urlkey, MatchType::exact}));
  return UrlCaptures::find(capture.url, all);
}

Result<UrlCaptures::Neighbours> CaptureIndex::neighbours(const Capture& capture) {
  TRY(const UrlCaptures captures, captures_like(capture));
  return captures.neighbours(capture.timestamp);
}

bool CaptureIndex::has_sources() {
  if (view_.whole != nullptr) return view_.whole->has_sources();
  const auto found = sources();
  return found && !found->empty();
}

std::vector<std::string> CaptureIndex::problems() {
  if (view_.whole != nullptr) return view_.whole->problems();
  std::vector<std::string> told;
  for (CaptureIndex* const member : view_.members)
    for (std::string& problem : member->problems()) told.push_back(std::move(problem));
  if (!view_.members.empty()) return told;
  const std::scoped_lock lock(mutex_);
  told = published_.problems;
  const std::string folder = layout_ ? layout_->indexes() + "/" : std::string();
  for (std::string& problem : told)
    for (size_t at; !folder.empty() && (at = problem.find(folder)) != std::string::npos;)
      problem.erase(at, folder.size());
  for (std::string& problem : unanswered()) told.push_back(std::move(problem));
  return told;
}

std::vector<std::string> CaptureIndex::unanswered() const {
  if (view_.whole != nullptr) return view_.whole->unanswered();
  std::vector<std::string> told;
  for (const CaptureIndex* const member : view_.members)
    for (std::string& problem : member->unanswered()) told.push_back(std::move(problem));
  for (const auto& source : added_)
    if (std::string problem = source->problem(); !problem.empty()) told.push_back(std::move(problem));
  return told;
}

Result<void> CaptureIndex::scan(std::string_view from, std::string_view to, const Sink& sink) {
  TRY(const Sources all, sources());
  std::vector<ScanPart> parts;
  for (const auto& source : all) parts.push_back({source, std::string(from), std::string(to)});
  TRY(auto scan, CaptureScan::start(parts, CaptureScan::Direction::forward));
  for (;;) {
    uint64_t budget = UINT64_MAX;
    TRY(const auto found, scan.next(budget));
    if (found == CaptureScan::Found::end) return {};
    if (found == CaptureScan::Found::capture && !sink(scan.line(), scan.capture())) return {};
  }
}

Result<CaptureIndex::Size> CaptureIndex::size() {
  if (view_.whole != nullptr) return size_as_seen();
  if (!view_.members.empty()) return size_of_members();
  constexpr uint64_t kCountedBytes = 4u << 20;
  TRY(const Sources all, sources());
  Size total;
  for (const auto& source : all) {
    if (const auto* memory = dynamic_cast<const MemoryLines*>(source.get())) {
      total.captures += memory->size();
    } else if (auto* file = dynamic_cast<FileLines*>(source.get())) {
      TRY(const auto count, file->count_lines(std::max<uint64_t>(kCountedBytes / all.size(), 64 * 1024)));
      total.captures += count.lines;
      total.exact = total.exact && count.exact;
    } else if (const auto* store = dynamic_cast<const CaptureStore*>(source.get())) {
      total.captures += store->estimated_captures();
      total.exact = false;
    } else if (auto* zipnum = dynamic_cast<ZipNumLines*>(source.get())) {
      total.captures += zipnum->estimated_lines();
      total.exact = false;
    }
  }
  return total;
}

}  // namespace caddis::cdx
