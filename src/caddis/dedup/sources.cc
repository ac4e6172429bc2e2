#include "caddis/dedup/sources.h"

#include <algorithm>
#include <array>
#include <span>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/indexer.h"
#include "caddis/cdx/line.h"
#include "caddis/collection/archive_folders.h"
#include "caddis/collection/layout.h"
#include "caddis/dedup/index_info.h"
#include "caddis/io/gzip.h"
#include "caddis/io/text_lines.h"

namespace caddis::dedup {
namespace {

constexpr size_t kFront = 64 << 10;

// The first bytes of a file, inflated if it is gzip.
Result<std::string> front_of(io::Files& files, const std::string& path) {
  TRY(const auto file, files.open_read(path));
  std::string bytes(kFront, '\0');
  TRY(const size_t got, file->read_at(0, bytes.data(), bytes.size()));
  bytes.resize(got);
  if (!io::looks_like_gzip(bytes)) return bytes;
  io::GunzipStream gunzip;
  std::string text(kFront, '\0');
  std::string_view input = bytes;
  const auto step = gunzip.inflate(input, std::span(text));
  text.resize(step ? step->written : gunzip.damaged_output());
  return text;
}

bool is_log_line(std::string_view line) {
  const size_t blank = line.find(' ');
  return blank != std::string_view::npos && line.substr(0, blank).contains('T') &&
         parse_w3c_date(line.substr(0, blank)).has_value();
}

// The first line that is no header, nor the head of the record of a metadata file (ARC) from which a log was taken.
std::string_view first_capture(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const bool is_head = line.starts_with("metadata://");
    if (!line.empty() && line.front() != '!' && line.front() != ' ' && line != "\r" && !is_head) return line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

// The archive files of a collection that lie elsewhere.
Result<void> add_further(io::Files& files, const collection::Layout& layout, std::vector<std::string>& found) {
  const std::string inside = layout.folder() + "/";
  for (const std::string& folder : collection::archive_folders(files, layout)) {
    if (folder.starts_with(inside)) continue;
    if (!files.is_directory(folder)) {
      log_warn("dedup", "{}: this folder of the collection {} is not there, and is left out", folder, layout.folder());
      continue;
    }
    TRY(const auto more, cdx::find_archives(files, folder));
    found.insert(found.end(), more.begin(), more.end());
  }
  return {};
}

bool is_cdxj_line(std::string_view line) {
  const size_t first = line.find(' ');
  const size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  return second != std::string_view::npos && line.substr(second + 1).starts_with('{');
}

}  // namespace

std::string_view to_string(SourceKind kind) {
  constexpr std::array<std::string_view, 5> kNames = {"archive", "CDXJ", "CDX", "crawl.log", "digest index"};
  return kNames[static_cast<size_t>(kind)];
}

Result<SourceKind> kind_of(io::Files& files, const std::string& path) {
  TRY(const std::string front, front_of(files, path));
  if (front.starts_with(kIndexHead.substr(0, kIndexHead.find('/')))) return SourceKind::digest_index;
  if (front.starts_with("WARC/") || front.starts_with("filedesc:")) return SourceKind::archive;
  if (trim(front.substr(0, front.find('\n'))).starts_with("CDX ")) return SourceKind::cdx;
  const std::string_view line = first_capture(front);
  if (is_log_line(line)) return SourceKind::crawl_log;
  if (is_cdxj_line(line) || (line.empty() && !cdx::is_archive_name(path))) return SourceKind::cdxj;
  if (cdx::parse_line(line)) return SourceKind::cdx;
  if (cdx::is_archive_name(path)) return SourceKind::archive;  // its reader finds what is sound
  return fail(ErrorCode::unsupported,
              path + ": neither an archive (WARC, ARC) nor an index (CDXJ, CDX), a crawl.log or a digest index");
}

Result<std::vector<std::string>> find_sources(io::Files& files, const std::string& path) {
  std::vector<std::string> found;
  const collection::Layout layout(path);
  if (files.is_directory(path) && files.is_directory(layout.indexes())) {
    TRY(const auto entries, files.list(layout.indexes()));
    for (const auto& entry : entries)
      if (!entry.is_directory && collection::is_index_name(entry.name))
        found.push_back(io::join_path(layout.indexes(), entry.name));
  }
  if (!found.empty()) return found;
  TRY(found, cdx::find_archives(files, path));
  TRY_VOID(add_further(files, layout, found));
  if (found.empty())
    return fail(ErrorCode::not_found, path + ": neither indexes (indexes/*.cdxj) nor WARC or ARC files in this folder");
  return found;
}

}  // namespace caddis::dedup
