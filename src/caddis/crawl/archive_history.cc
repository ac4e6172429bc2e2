#include "caddis/crawl/archive_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/index_meta.h"
#include "caddis/cdx/line.h"
#include "caddis/collection/archive_folders.h"
#include "caddis/collection/launch.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"

namespace caddis::crawl {
namespace {

constexpr uint64_t kMostOfHead = 64 << 10;

// The front of a response, with its head as far as it is there.
Result<std::string> front_of(warc::Record& record) {
  std::string front;
  while (front.size() < kMostOfHead && !warc::HttpHead::find_end(front)) {
    TRY(const std::string_view piece, record.read_block());
    if (piece.empty()) break;
    front += piece.substr(0, kMostOfHead - front.size());
  }
  return front;
}

// Whether it may be a document. If parts are asked for (fetch.range), some servers answer 206 to all of it.
bool is_of_document(const cdx::Capture& capture) { return capture.status == "200" || capture.status == "206"; }

// Whether a response is not just a part of its document: "bytes 0-12/13".
bool has_whole(const warc::HttpHead& head) {
  constexpr int kPartialContent = 206;
  constexpr std::string_view kFromStart = "bytes 0-";
  if (head.status() != kPartialContent) return true;
  const std::string_view range = head.get("Content-Range");
  const size_t slash = range.find('/');
  if (!range.starts_with(kFromStart) || slash == std::string_view::npos) return false;
  const auto last = parse_int(range.substr(kFromStart.size(), slash - kFromStart.size()));
  const auto size = parse_int(range.substr(slash + 1));
  return last && size && *last + 1 == *size;
}

}  // namespace

Result<std::unique_ptr<ArchiveHistory>> ArchiveHistory::open(io::Files& files, const collection::Launch& launch,
                                                             std::vector<std::string>& notices) {
  std::unique_ptr<ArchiveHistory> history(new ArchiveHistory(files, launch.layout()));
  const std::string folder = history->layout_.indexes();
  if (!files.exists(folder)) return history;
  TRY(const auto entries, files.list(folder));
  for (const auto& entry : entries) {
    const std::string path = io::join_path(folder, entry.name);
    if (!collection::is_index_name(entry.name) || path == launch.index()) continue;
    auto file = cdx::SortedFile::open(files, path);
    const cdx::IndexMeta meta = cdx::read_index_meta(files, path);
    if (file && meta.policy)
      history->indexes_.push_back(std::make_unique<cdx::FileLines>(*std::move(file), *meta.policy));
    else
      notices.push_back(fmt::format("servers are not asked about captures of {}: {}", path,
                                    file ? meta.problem : file.error().message));
  }
  return history;
}

Result<std::vector<cdx::Capture>> ArchiveHistory::captures_of(std::string_view url) const {
  std::vector<cdx::Capture> captures;
  for (const auto& index : indexes_) {
    const std::string key = cdx::index_key(url, index->policy()) + " ";
    TRY(const auto cursor, index->seek(key));
    while (!cursor->at_end() && cursor->line().starts_with(key)) {
      if (auto capture = index->parse(cursor->line()); capture && capture->url == url)
        captures.push_back(*std::move(capture));
      TRY_VOID(cursor->next());
    }
  }
  std::ranges::sort(captures, std::ranges::greater(), &cdx::Capture::timestamp);
  return captures;
}

// The server is asked about the state that was seen last. A revisit stands for the response with its payload.
Result<std::optional<cdx::Capture>> ArchiveHistory::latest_response(std::string_view url) const {
  TRY(const auto captures, captures_of(url));
  if (captures.empty()) return std::nullopt;
  const cdx::Capture& last = captures.front();
  if (!last.is_revisit() && !is_of_document(last)) return std::nullopt;
  for (const cdx::Capture& capture : captures)
    if (!capture.is_revisit() && is_of_document(capture) && capture.digest == last.digest) return capture;
  return std::nullopt;
}

Result<std::optional<std::string>> ArchiveHistory::place_of(const cdx::Capture& capture) const {
  for (const std::string& path : collection::places_of_archive(files_, layout_, capture.filename))
    if (files_.exists(path)) return path;
  return std::nullopt;
}

Result<std::optional<dedup::StoredCapture>> ArchiveHistory::latest(std::string_view url) const {
  TRY(const auto line, latest_response(url));
  if (!line || !line->offset_number()) return std::nullopt;
  TRY(const auto path, place_of(*line));
  if (!path) return std::nullopt;
  TRY(const auto file, files_.open_read(*path));
  TRY(warc::SingleRecord record, warc::read_record_at(*file, *line->offset_number()));
  const warc::Header& header = record->header();
  if (record->type() != warc::RecordType::response || header.target_uri() != url) return std::nullopt;
  dedup::StoredCapture stored{.original = {.url = std::string(url),
                                           .date = {},
                                           .record_id = std::string(header.get("WARC-Record-ID")),
                                           .etag = {},
                                           .last_modified = {}},
                              .digest = std::string(header.payload_digest()),
                              .mime = cdx::index_mime(line->mime),
                              .path = *path,
                              .offset = *line->offset_number()};
  TRY(stored.original.date, parse_w3c_date(header.get("WARC-Date")));
  TRY(const std::string front, front_of(*record));
  const warc::HttpHead head(front);
  stored.original.etag = head.get("ETag");
  stored.original.last_modified = head.get("Last-Modified");
  // A part of a payload is no payload.
  const bool is_whole = header.get("WARC-Truncated").empty() && !stored.digest.empty() && has_whole(head);
  if (!is_whole || (stored.original.etag.empty() && stored.original.last_modified.empty())) return std::nullopt;
  return stored;
}

Result<std::string> ArchiveHistory::response(const dedup::StoredCapture& capture, uint64_t limit) const {
  TRY(const auto file, files_.open_read(capture.path));
  TRY(warc::SingleRecord record, warc::read_record_at(*file, capture.offset));
  std::string bytes;
  while (bytes.size() < limit) {
    TRY(const std::string_view piece, record->read_block());
    if (piece.empty()) break;
    bytes += piece.substr(0, limit - bytes.size());
  }
  return bytes;
}

}  // namespace caddis::crawl
