#include "caddis/repair/lost_captures.h"

#include <algorithm>
#include <utility>

#include "caddis/cdx/journal.h"
#include "caddis/cdx/line.h"
#include "caddis/warc/reader.h"

namespace caddis::repair {
namespace {

struct LostPart {
  store::ShortFile file;
  std::vector<std::pair<uint64_t, std::string>> captures;  // offset, URL
};
using LostParts = std::map<std::string, LostPart, std::less<>>;  // by base names

// Where the last record ends that is whole.
Result<uint64_t> end_of_records(io::Files& disk, const std::string& path) {
  TRY(const auto file, disk.open_read(path));
  const warc::FileSource source(*file);
  warc::Reader reader(source, warc::ReaderOptions{.resync = false});
  for (uint64_t end = 0;;) {
    const auto next = reader.next();
    if (!next || *next == nullptr || !(*next)->finish() || !(*next)->complete()) return end;
    end = (*next)->offset() + (*next)->length();
  }
}

Result<void> read_captures(io::Files& disk, const store::LogParts& journal, LostParts& parts) {
  return cdx::each_capture_line(disk, journal, [&](std::string_view line) -> Result<void> {
    auto capture = cdx::parse_line(line);
    const auto tells_of = [&](const auto& part) { return line.contains(part.first); };
    if (!capture && std::ranges::any_of(parts, tells_of)) return std::unexpected(std::move(capture).error());
    const auto lost = capture ? parts.find(capture->filename) : parts.end();
    if (lost == parts.end()) return {};
    const uint64_t offset = capture->offset_number().value_or(lost->second.file.committed);
    // Captures that lay behind were lost and queued before.
    if (offset < lost->second.file.committed) lost->second.captures.emplace_back(offset, std::move(capture->url));
    return {};
  });
}

// Moves the URLs of captures behind the last whole one; returns where that ends.
Result<uint64_t> take_lost(io::Files& disk, LostPart& lost, std::vector<std::string>& urls) {
  auto& captures = lost.captures;
  std::ranges::sort(captures);
  size_t whole = 0;
  const auto end_of = [&](size_t i) { return i + 1 < captures.size() ? captures[i + 1].first : lost.file.committed; };
  while (whole < captures.size() && end_of(whole) <= lost.file.found) ++whole;
  for (size_t i = whole; i < captures.size(); ++i) urls.push_back(std::move(captures[i].second));
  // The journal says nothing: all captures were lost before, and now what the file begins with is torn; or the journal
  // itself is short.
  if (captures.empty() && !lost.file.at.empty()) return end_of_records(disk, lost.file.at);
  return whole < captures.size() ? captures[whole].first : lost.file.found;
}

}  // namespace

Result<LostCaptures> find_lost_captures(io::Files& disk, const store::LogParts& journal,
                                        const std::vector<store::ShortFile>& files) {
  LostCaptures found;
  LostParts parts;
  for (const store::ShortFile& file : files) parts[std::string(io::base_name(file.path))].file = file;
  if (parts.empty()) return found;
  TRY_VOID(read_captures(disk, journal, parts));
  for (auto& [name, lost] : parts) {
    TRY(found.whole[name], take_lost(disk, lost, found.urls));
  }
  std::ranges::sort(found.urls);
  found.urls.erase(std::ranges::unique(found.urls).begin(), found.urls.end());
  return found;
}

}  // namespace caddis::repair
