#include "caddis/cdx/journal_segments.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/cdx/journal.h"
#include "caddis/cdx/line_sorter.h"

namespace caddis::cdx {
namespace {

constexpr size_t kJoined = 8;              // so many of one tier become one of the next
constexpr uint64_t kMostAtOnce = kJoined;  // sizes of a segment that are sorted into one
constexpr std::string_view kSuffix = ".cdxj";

struct Name {
  std::string_view file;
  uint64_t from = 0, to = 0, size = 0;
};

std::string name_of(const Name& name) {
  return fmt::format("{}@{}-{}-{}{}", name.file, name.from, name.to, name.size, kSuffix);
}

std::optional<Name> parse_name(std::string_view text) {
  const size_t at = text.rfind('@');
  if (at == std::string_view::npos || !text.ends_with(kSuffix)) return {};
  const std::string_view numbers = text.substr(at + 1, text.size() - at - 1 - kSuffix.size());
  const auto parts = split(numbers, '-');
  if (parts.size() != 3) return {};
  std::vector<uint64_t> values;
  for (const std::string_view part : parts) {
    const auto value = parse_int(part);
    if (!value || *value < 0) return {};
    values.push_back(static_cast<uint64_t>(*value));
  }
  const Name name{text.substr(0, at), values[0], values[1], values[2]};
  // Whoever reads a name that is written in another way would make the same segment twice.
  return name.from < name.to && name_of(name) == text ? std::optional(name) : std::nullopt;
}

// The tier of a segment: 0 up to eight sizes, 1 up to 64, …
int tier_of(uint64_t bytes, uint64_t size) {
  int tier = 0;
  for (uint64_t most = size * kJoined; bytes >= most && tier < 16; most *= kJoined) ++tier;
  return tier;
}

std::string temporary_of(const std::string& journal) { return segments_folder(journal) + "/next"; }

// Gives a sorted file its name, under which others find it.
Result<void> publish(io::Files& files, const std::string& journal, std::string_view file, uint64_t from, uint64_t to) {
  const std::string folder = segments_folder(journal), made = temporary_of(journal);
  TRY(const auto opened, files.open_read(made));
  TRY(const uint64_t size, opened->size());
  TRY_VOID(files.rename(made, folder + "/" + name_of({file, from, to, size})));
  return files.sync_dir(folder);
}

Result<bool> make_next(io::Files& files, const std::string& journal, const store::LogParts& parts,
                       const JournalSegments& found, const SegmentLimits& limits) {
  for (size_t i = 0; i < parts.parts.size(); ++i) {
    const auto& [path, length] = parts.parts[i];
    const uint64_t from = found.covered[i];
    if (length - from < limits.size) continue;
    LineSorter sorter(files, temporary_of(journal), limits.memory);
    TRY(const uint64_t to, each_line_between(files, path, from, std::min(length, from + limits.size * kMostAtOnce),
                                             [&](std::string_view line) { return sorter.add(line); }));
    if (to == from) continue;
    TRY_VOID(sorter.finish());
    TRY_VOID(publish(files, journal, io::base_name(path), from, to));
    return true;
  }
  return false;
}

// The last eight segments of a file of the journal, if they are of one tier.
std::span<const JournalSegment> to_join(const JournalSegments& found, uint64_t size) {
  const std::span<const JournalSegment> chain(found.chain);
  for (size_t end = chain.size(); end >= kJoined; --end) {
    const auto last = chain.subspan(end - kJoined, kJoined);
    const int tier = tier_of(last.front().to - last.front().from, size);
    if (std::ranges::all_of(last, [&](const JournalSegment& one) {
          return one.part == last.front().part && tier_of(one.to - one.from, size) == tier;
        }))
      return last;
  }
  return {};
}

Result<bool> join(io::Files& files, const std::string& journal, const store::LogParts& parts,
                  const JournalSegments& found, const SegmentLimits& limits) {
  const auto joined = to_join(found, limits.size);
  if (joined.empty()) return false;
  LineSorter sorter(files, temporary_of(journal), limits.memory);
  for (const JournalSegment& one : joined) sorter.add_sorted(one.path);
  TRY_VOID(sorter.finish());
  TRY_VOID(publish(files, journal, io::base_name(parts.parts[joined.front().part].path), joined.front().from,
                   joined.back().to));
  for (const JournalSegment& one : joined) TRY_VOID(files.remove(one.path));
  return true;
}

}  // namespace

std::string segments_folder(const std::string& journal) { return journal + ".segments"; }

Result<store::LogParts> journal_parts(io::Files& files, const std::string& journal) {
  store::LogParts parts;
  TRY(const auto paths, store::log_parts(files, journal));
  for (const std::string& path : paths) {
    TRY(const auto file, files.open_read(path));
    TRY(const uint64_t size, file->size());
    parts.parts.push_back({path, size});
  }
  return parts;
}

Result<JournalSegments> find_segments(io::Files& files, const std::string& journal, const store::LogParts& parts) {
  JournalSegments found;
  found.covered.resize(parts.parts.size());
  const std::string folder = segments_folder(journal);
  if (!files.is_directory(folder)) return found;
  TRY(const auto entries, files.list(folder));
  // The longest of those that begin at the same place.
  std::map<std::pair<std::string_view, uint64_t>, std::pair<uint64_t, size_t>> longest;
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto name = parse_name(entries[i].name);
    if (entries[i].is_directory || !name || name->size != entries[i].size) continue;
    const auto part = std::ranges::find_if(
        parts.parts, [&](const store::LogParts::Part& one) { return io::base_name(one.path) == name->file; });
    if (part == parts.parts.end() || name->to > part->length) continue;
    auto& best = longest[{name->file, name->from}];
    best = std::max(best, {name->to, i});
  }
  std::vector<bool> is_used(entries.size());
  for (size_t part = 0; part < parts.parts.size(); ++part) {
    uint64_t& covered = found.covered[part];
    for (;;) {
      const auto next = longest.find({io::base_name(parts.parts[part].path), covered});
      if (next == longest.end()) break;
      const auto [to, index] = next->second;
      is_used[index] = true;
      found.chain.push_back({folder + "/" + entries[index].name, part, covered, to});
      covered = to;
    }
  }
  for (size_t i = 0; i < entries.size(); ++i)
    if (!is_used[i] && !entries[i].is_directory) found.others.push_back(folder + "/" + entries[i].name);
  return found;
}

Result<void> drop_segments(io::Files& files, const std::string& journal, const store::LogParts& parts) {
  TRY(const JournalSegments found, find_segments(files, journal, parts));
  for (const std::string& path : found.others) TRY_VOID(files.remove(path));
  return found.others.empty() ? Result<void>() : files.sync_dir(segments_folder(journal));
}

Result<bool> extend_segments(io::Files& files, const std::string& journal, const store::LogParts& parts,
                             const SegmentLimits& limits) {
  TRY(const JournalSegments found, find_segments(files, journal, parts));
  for (const std::string& path : found.others) TRY_VOID(files.remove(path));
  TRY(const bool is_joined, join(files, journal, parts, found, limits));
  if (is_joined) return true;
  const bool waits = std::ranges::any_of(parts.parts, [&, i = size_t{0}](const store::LogParts::Part& part) mutable {
    return part.length - found.covered[i++] >= limits.size;
  });
  if (!waits) return false;
  TRY_VOID(files.make_dirs(segments_folder(journal)));
  return make_next(files, journal, parts, found, limits);
}

Result<uint64_t> merge_segments(io::Files& files, const std::string& journal, const store::LogParts& parts,
                                const std::string& output, size_t memory) {
  TRY(const JournalSegments found, find_segments(files, journal, parts));
  LineSorter sorter(files, output, memory);
  for (const JournalSegment& one : found.chain) sorter.add_sorted(one.path);
  for (size_t i = 0; i < parts.parts.size(); ++i)
    TRY_VOID(each_line_between(files, parts.parts[i].path, found.covered[i], parts.parts[i].length,
                               [&](std::string_view line) { return sorter.add(line); }));
  auto written = sorter.finish();
  if (!written) return pass(std::move(written).error(), "writing " + output);
  return written;
}

Result<void> remove_segments(io::Files& files, const std::string& journal) {
  const std::string folder = segments_folder(journal);
  if (!files.is_directory(folder)) return {};
  TRY(const auto entries, files.list(folder));
  for (const auto& entry : entries) TRY_VOID(files.remove(folder + "/" + entry.name));
  return files.sync_dir(folder);
}

}  // namespace caddis::cdx
