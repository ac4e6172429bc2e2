#include "caddis/cdx/capture_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/capture_scan.h"
#include "caddis/cdx/flat_json.h"

namespace caddis::cdx {
namespace {

using std::chrono::seconds;

// What a sibling `<file>.meta` says under a name; empty where there is none.
std::string meta_of(io::Files& files, const std::string& index_path, std::string_view name) {
  const std::string path = index_path + ".meta";
  if (!files.exists(path)) return {};
  const auto text = files.read_all(path, 64 * 1024);
  if (!text) return {};
  FlatJson json(*text);
  while (json.next())
    if (json.name() == name) return std::string(json.text());
  return {};
}

Result<void> collect_near(LineSource& source, std::string_view urlkey, std::string_view timestamp, size_t limit,
                          std::vector<Capture>& found) {
  const std::string prefix = std::string(urlkey) + ' ';
  TRY(auto cursor, source.seek(prefix + std::string(timestamp)));
  const auto take = [&] {
    auto capture = source.parse(cursor->line());
    if (capture) found.push_back(*std::move(capture));
  };
  size_t taken = 0;
  for (; taken < limit && !cursor->at_end() && cursor->line().starts_with(prefix); ++taken) {
    take();
    TRY_VOID(cursor->next());
  }
  TRY(cursor, source.seek(prefix + std::string(timestamp)));
  for (taken = 0; taken < limit; ++taken) {
    TRY(const bool moved, cursor->previous());
    if (!moved || !cursor->line().starts_with(prefix)) break;
    take();
  }
  return {};
}

// The capture on which the cursor stands, where it is one of the key's.
std::optional<Capture> capture_at(const LineSource& source, const LineCursor& cursor, std::string_view prefix) {
  if (cursor.at_end() || !cursor.line().starts_with(prefix)) return std::nullopt;
  auto capture = source.parse(cursor.line());
  return capture ? std::optional(*std::move(capture)) : std::nullopt;
}

Result<std::optional<Capture>> capture_before(LineSource& source, std::string_view key, std::string_view prefix) {
  TRY(const auto cursor, source.seek(key));
  TRY(const bool moved, cursor->previous());
  return moved ? capture_at(source, *cursor, prefix) : std::nullopt;
}

Result<std::optional<Capture>> capture_from(LineSource& source, std::string_view key, std::string_view prefix) {
  TRY(const auto cursor, source.seek(key));
  return capture_at(source, *cursor, prefix);
}

void keep_earlier(std::optional<Capture>& kept, std::optional<Capture> other) {
  if (other && (!kept || other->timestamp < kept->timestamp)) kept = std::move(other);
}
void keep_later(std::optional<Capture>& kept, std::optional<Capture> other) {
  if (other && (!kept || other->timestamp > kept->timestamp)) kept = std::move(other);
}

}  // namespace

long long timestamp_distance(std::string_view a, std::string_view b) {
  const auto first = parse_timestamp(a);
  const auto second = parse_timestamp(b);
  const WallTime x = first ? *first : WallTime{};
  const WallTime y = second ? *second : WallTime{};
  return std::llabs(std::chrono::duration_cast<seconds>(x - y).count());
}

CaptureIndex::CaptureIndex(io::Files& files, const Clock& clock, std::string collection)
    : files_(files),
      clock_(clock),
      layout_(collection.empty() ? std::nullopt : std::optional<collection::Layout>(std::move(collection))) {}

void CaptureIndex::publish() {
  Sources all;
  std::vector<std::string> problems;
  for (auto& [path, file] : open_) {
    if (file.lines)
      all.push_back(file.lines);
    else
      problems.push_back(file.problem);
  }
  for (auto& [path, journal] : journals_)
    if (journal.lines()->size() > 0) all.push_back(journal.lines());
  const std::scoped_lock lock(mutex_);
  published_ = std::move(all);
  problems_ = std::move(problems);
  refreshed_ = clock_.steady();
  ever_refreshed_ = true;
}

Result<void> CaptureIndex::refresh() {
  if (!layout_) return {};
  const auto fresh = [this] {
    const std::scoped_lock lock(mutex_);
    return std::pair(ever_refreshed_, ever_refreshed_ && clock_.steady() - refreshed_ < seconds(1));
  };
  const auto [ever, is_fresh] = fresh();
  if (is_fresh) return {};
  std::unique_lock only(refreshing_, std::defer_lock);
  if (!ever)
    only.lock();
  else if (!only.try_lock())
    return {};
  if (fresh().second) return {};
  TRY_VOID(refresh_files());
  TRY_VOID(refresh_journals());
  publish();
  return {};
}

CaptureIndex::OpenFile CaptureIndex::open_file(const std::string& path, uint64_t size) {
  OpenFile file{size, nullptr, {}, false};
  const std::string policy = meta_of(files_, path, "key_policy");
  if (!policy.empty() && !policy.starts_with("ia-surt")) {
    file.problem = fmt::format(
        "{}: not used: its keys are '{}', not ia-surt; index its archive files anew (caddis index add)", path, policy);
    return file;
  }
  auto sorted = SortedFile::open(files_, path);
  const auto usable = sorted ? (*sorted)->check_order() : std::unexpected(sorted.error());
  if (usable) {
    file.lines = std::make_shared<FileLines>(*std::move(sorted));
  } else {
    file.problem = "not used: " + usable.error().message;
    file.again = usable.error().code == ErrorCode::io || usable.error().code == ErrorCode::not_found;
  }
  return file;
}

Result<void> CaptureIndex::refresh_files() {
  const std::string folder = layout_->indexes();
  std::map<std::string, OpenFile> kept;
  if (files_.is_directory(folder)) {
    TRY(const auto entries, files_.list(folder));
    for (const auto& entry : entries) {
      if (entry.is_directory || !collection::is_index_name(entry.name)) continue;
      const std::string path = io::join_path(folder, entry.name);
      const auto known = open_.find(path);
      std::string told;
      if (known != open_.end() && known->second.size == entry.size) {
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
      OpenFile file = open_file(path, entry.size);
      if (!file.problem.empty() && file.problem != told) log_warn("cdx", "{}", file.problem);
      kept.emplace(path, std::move(file));
    }
  }
  open_ = std::move(kept);
  return {};
}

Result<void> CaptureIndex::refresh_journals() {
  TRY(const auto launches, collection::launch_folders(files_, *layout_));
  for (const collection::Launch& launch : launches) {
    const std::string path = launch.cdx_journal();
    if (!files_.is_directory(launch.state())) {
      journals_.erase(path);
      continue;
    }
    TRY_VOID(journals_.try_emplace(path, files_, path).first->second.refresh(indexed_of_journal(launch)));
  }
  return {};
}

// How much of a launch's journal the index holds that was made of it when the crawl ended.
std::vector<uint64_t> CaptureIndex::indexed_of_journal(const collection::Launch& launch) {
  const std::string path = launch.index();
  const auto index = open_.find(path);
  if (index == open_.end() || !index->second.lines) return {};
  std::vector<uint64_t> sizes;
  const std::string text = meta_of(files_, path, "journal");
  for (const std::string_view size : split(text, ' '))
    sizes.push_back(static_cast<uint64_t>(parse_int(size).value_or(0)));
  return sizes;
}

void CaptureIndex::add_line(std::string_view line) { memory_->add(line); }

Result<CaptureIndex::Sources> CaptureIndex::sources() {
  TRY_VOID(refresh());
  Sources all;
  {
    const std::scoped_lock lock(mutex_);
    all = published_;
  }
  if (memory_->size() > 0) all.push_back(memory_);
  return all;
}

bool CaptureIndex::has_sources() {
  const auto found = sources();
  return found && !found->empty();
}

std::vector<std::string> CaptureIndex::problems() {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> told = problems_;
  const std::string folder = layout_ ? layout_->indexes() + "/" : std::string();
  for (std::string& problem : told)
    for (size_t at; !folder.empty() && (at = problem.find(folder)) != std::string::npos;)
      problem.erase(at, folder.size());
  return told;
}

Result<void> CaptureIndex::scan(std::string_view from, std::string_view to, const Sink& sink) {
  TRY(auto scan, CaptureScan::start(*this, from, to, CaptureScan::Direction::forward));
  for (;;) {
    uint64_t budget = UINT64_MAX;
    TRY(const auto found, scan.next(budget));
    if (found == CaptureScan::Found::end) return {};
    if (found == CaptureScan::Found::capture && !sink(scan.line(), scan.capture())) return {};
  }
}

Result<std::vector<Capture>> CaptureIndex::closest(std::string_view urlkey, std::string_view timestamp, size_t limit) {
  std::vector<Capture> found;
  TRY(const Sources all, sources());
  for (const auto& source : all) TRY_VOID(collect_near(*source, urlkey, timestamp, limit, found));
  const auto by_place = [](const Capture& capture) {
    return std::tie(capture.timestamp, capture.filename, capture.offset);
  };
  std::ranges::sort(found, {}, by_place);
  OncePerPlace once;
  std::erase_if(found, [&](const Capture& capture) { return !once.is_new(capture); });
  std::ranges::sort(found, {}, [&](const Capture& capture) {
    return std::tuple_cat(std::tuple(timestamp_distance(capture.timestamp, timestamp)), by_place(capture));
  });
  if (found.size() > limit) found.resize(limit);
  return found;
}

Result<CaptureIndex::Neighbours> CaptureIndex::neighbours(std::string_view urlkey, std::string_view timestamp) {
  TRY(const Sources all, sources());
  const std::string prefix = std::string(urlkey) + ' ';
  const std::string here = prefix + std::string(timestamp);
  Neighbours found;
  for (const auto& source : all) {
    TRY(auto first, capture_from(*source, prefix, prefix));
    if (!first) continue;
    keep_earlier(found.first, std::move(first));
    TRY(auto previous, capture_before(*source, here, prefix));
    keep_later(found.previous, std::move(previous));
    TRY(auto next, capture_from(*source, here + '!', prefix));
    keep_earlier(found.next, std::move(next));
    TRY(auto last, capture_before(*source, std::string(urlkey) + '!', prefix));
    keep_later(found.last, std::move(last));
  }
  return found;
}

Result<CaptureIndex::Size> CaptureIndex::size() {
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
    }
  }
  return total;
}

}  // namespace caddis::cdx
