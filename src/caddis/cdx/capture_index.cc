#include "caddis/cdx/capture_index.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
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

bool is_index_name(std::string_view name) { return name.ends_with(".cdxj") || name.ends_with(".cdx"); }

// Whether two lines with one key and timestamp speak of the same record.
struct Place {
  std::string filename, offset;
  bool operator==(const Place&) const = default;
};

// Passes each capture on once: lines of one capture in several files stand next to each other, but for other captures
// of the same URL in the same second.
class Once {
 public:
  bool is_new(const Capture& capture) {
    if (capture.urlkey != key_ || capture.timestamp != timestamp_) {
      key_ = capture.urlkey;
      timestamp_ = capture.timestamp;
      places_.clear();
    }
    Place place{capture.filename, capture.offset};
    if (std::ranges::find(places_, place) != places_.end()) return false;
    places_.push_back(std::move(place));
    return true;
  }

 private:
  std::string key_, timestamp_;
  std::vector<Place> places_;
};

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
    : files_(files), clock_(clock), collection_(std::move(collection)) {}

std::vector<LineSource*> CaptureIndex::sources() {
  std::vector<LineSource*> all;
  for (auto& [path, file] : open_)
    if (file.lines) all.push_back(file.lines.get());
  for (auto& [path, journal] : journals_)
    if (journal.lines().size() > 0) all.push_back(&journal.lines());
  if (memory_.size() > 0) all.push_back(&memory_);
  return all;
}

Result<void> CaptureIndex::refresh() {
  if (collection_.empty()) return {};
  const SteadyTime now = clock_.steady();
  if (ever_refreshed_ && now - refreshed_ < seconds(1)) return {};
  TRY_VOID(refresh_files());
  TRY_VOID(refresh_journals());
  refreshed_ = now;
  ever_refreshed_ = true;
  return {};
}

Result<void> CaptureIndex::refresh_files() {
  const std::string folder = io::join_path(collection_, "indexes");
  std::map<std::string, OpenFile> kept;
  if (files_.is_directory(folder)) {
    TRY(const auto entries, files_.list(folder));
    for (const auto& entry : entries) {
      if (entry.is_directory || !is_index_name(entry.name)) continue;
      const std::string path = io::join_path(folder, entry.name);
      const auto known = open_.find(path);
      if (known != open_.end() && known->second.size == entry.size) {
        kept.insert(open_.extract(known));
        continue;
      }
      OpenFile file{entry.size, nullptr};
      const std::string policy = meta_of(files_, path, "key_policy");
      if (!policy.empty() && !policy.starts_with("ia-surt")) {
        log_warn("cdx", "{}: not used: its keys are '{}', not ia-surt; index its archive files anew (caddis index add)",
                 path, policy);
      } else {
        TRY(auto sorted, SortedFile::open(files_, path));
        file.lines = std::make_unique<FileLines>(std::move(sorted));
      }
      kept.emplace(path, std::move(file));
    }
  }
  open_ = std::move(kept);
  return {};
}

Result<void> CaptureIndex::refresh_journals() {
  const std::string crawls = io::join_path(collection_, "crawls");
  if (!files_.is_directory(crawls)) return {};
  TRY(const auto launches, files_.list(crawls));
  for (const auto& launch : launches) {
    if (!launch.is_directory) continue;
    const std::string state = io::join_path(io::join_path(crawls, launch.name), "state");
    const std::string path = io::join_path(state, "cdx-journal");
    if (!files_.is_directory(state)) {
      journals_.erase(path);
      continue;
    }
    TRY_VOID(journals_.try_emplace(path, files_, path).first->second.refresh(indexed_of_journal(launch.name)));
  }
  return {};
}

// How much of a launch's journal the index holds that was made of it when the crawl ended.
std::vector<uint64_t> CaptureIndex::indexed_of_journal(std::string_view launch) {
  const std::string path = io::join_path(io::join_path(collection_, "indexes"), std::string(launch) + ".cdxj");
  const auto index = open_.find(path);
  if (index == open_.end() || !index->second.lines) return {};
  std::vector<uint64_t> sizes;
  const std::string text = meta_of(files_, path, "journal");
  for (const std::string_view size : split(text, ' '))
    sizes.push_back(static_cast<uint64_t>(parse_int(size).value_or(0)));
  return sizes;
}

void CaptureIndex::add_line(std::string_view line) {
  const std::lock_guard lock(mutex_);
  memory_.add(line);
}

bool CaptureIndex::has_sources() {
  const std::lock_guard lock(mutex_);
  (void)refresh();
  return !sources().empty();
}

Result<void> CaptureIndex::scan(std::string_view from, std::string_view to, const Sink& sink) {
  const std::lock_guard lock(mutex_);
  TRY_VOID(refresh());
  struct Reader {
    LineSource* source;
    std::unique_ptr<LineCursor> cursor;
  };
  std::vector<Reader> readers;
  for (LineSource* source : sources()) {
    TRY(auto cursor, source->seek(from));
    readers.push_back({source, std::move(cursor)});
  }
  Once once;
  for (;;) {
    Reader* least = nullptr;
    for (Reader& reader : readers)
      if (!reader.cursor->at_end() && (least == nullptr || reader.cursor->line() < least->cursor->line()))
        least = &reader;
    if (least == nullptr || least->cursor->line() >= to) return {};
    auto capture = least->source->parse(least->cursor->line());
    if (capture && once.is_new(*capture) && !sink(least->cursor->line(), *capture)) return {};
    TRY_VOID(least->cursor->next());
  }
}

Result<std::vector<Capture>> CaptureIndex::closest(std::string_view urlkey, std::string_view timestamp, size_t limit) {
  std::vector<Capture> found;
  {
    const std::lock_guard lock(mutex_);
    TRY_VOID(refresh());
    for (LineSource* source : sources()) TRY_VOID(collect_near(*source, urlkey, timestamp, limit, found));
  }
  const auto by_place = [](const Capture& capture) {
    return std::tie(capture.timestamp, capture.filename, capture.offset);
  };
  std::ranges::sort(found, {}, by_place);
  Once once;
  std::erase_if(found, [&](const Capture& capture) { return !once.is_new(capture); });
  std::ranges::sort(found, {}, [&](const Capture& capture) {
    return std::tuple_cat(std::tuple(timestamp_distance(capture.timestamp, timestamp)), by_place(capture));
  });
  if (found.size() > limit) found.resize(limit);
  return found;
}

Result<CaptureIndex::Neighbours> CaptureIndex::neighbours(std::string_view urlkey, std::string_view timestamp) {
  const std::lock_guard lock(mutex_);
  TRY_VOID(refresh());
  const std::string prefix = std::string(urlkey) + ' ';
  const std::string here = prefix + std::string(timestamp);
  Neighbours found;
  for (LineSource* source : sources()) {
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
  const std::lock_guard lock(mutex_);
  TRY_VOID(refresh());
  constexpr uint64_t kCountedBytes = 4u << 20;
  Size total;
  total.captures = memory_.size();
  for (auto& [path, journal] : journals_) total.captures += journal.lines().size();
  for (auto& [path, open] : open_) {
    if (!open.lines) continue;
    SortedFile& file = open.lines->file();
    uint64_t lines = 0, at = file.begin();
    std::string line;
    while (at < file.size() && at - file.begin() < kCountedBytes) {
      TRY(at, file.read_line(at, line));
      ++lines;
    }
    if (at < file.size()) {
      lines = static_cast<uint64_t>(static_cast<double>(lines) * static_cast<double>(file.size() - file.begin()) /
                                    static_cast<double>(at - file.begin()));
      total.exact = false;
    }
    total.captures += lines;
  }
  return total;
}

}  // namespace caddis::cdx
