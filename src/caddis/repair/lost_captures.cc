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
  struct Capture {
    uint64_t offset;
    std::string url;
    bool is_of_request;  // other than a GET
    auto operator<=>(const Capture&) const = default;
  };
  std::vector<Capture> captures;
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
    if (offset >= lost->second.file.committed) return {};
    const auto is_method = [](const auto& member) { return member.first == "method"; };
    const bool is_of_request = std::ranges::any_of(capture->extra, is_method);
    lost->second.captures.push_back({offset, std::move(capture->url), is_of_request});
    return {};
  });
}

// Moves the URLs of captures behind the last whole one; returns where that ends.
Result<uint64_t> take_lost(io::Files& disk, LostPart& lost, LostCaptures& found) {
  auto& captures = lost.captures;
  std::ranges::sort(captures);
  size_t whole = 0;
  const auto end_of = [&](size_t i) { return i + 1 < captures.size() ? captures[i + 1].offset : lost.file.committed; };
  while (whole < captures.size() && end_of(whole) <= lost.file.found) ++whole;
  for (size_t i = whole; i < captures.size(); ++i)
    (captures[i].is_of_request ? found.requests : found.urls).push_back(std::move(captures[i].url));
  // The journal says nothing: all captures were lost before, and now what the file begins with is torn; or the journal
  // itself is short.
  if (captures.empty() && !lost.file.at.empty()) return end_of_records(disk, lost.file.at);
  return whole < captures.size() ? captures[whole].offset : lost.file.found;
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
    TRY(found.whole[name], take_lost(disk, lost, found));
  }
  for (std::vector<std::string>* const urls : {&found.urls, &found.requests}) {
    std::ranges::sort(*urls);
    urls->erase(std::ranges::unique(*urls).begin(), urls->end());
  }
  return found;
}

}  // namespace caddis::repair
