// Records are copied as they lie in their files: a gzip member is one already, and a plain record becomes one. Each is
// copied once, wherever it is asked for: by the query, or by a revisit.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "caddis/base/random.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/base/version.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/indexer.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/query_run.h"
#include "caddis/collection/archive_folders.h"
#include "caddis/io/gzip.h"
#include "caddis/wacz/gather.h"

namespace caddis::wacz {
namespace {

constexpr uint64_t kPiece = 1 << 20;
constexpr size_t kLongestHead = 64 * 1024;
constexpr size_t kMostRemarks = 50;
constexpr size_t kNearest = 20;

struct Reference {
  std::string url, time;  // the time as 14 digits
};

class RecordCopier {
 public:
  RecordCopier(io::Files& files, cdx::CaptureIndex& index, const std::string& collection, io::File& out)
      : files_(files), index_(index), layout_(collection), out_(out) {}

  Result<void> copy(const cdx::Capture& capture) {
    TRY(const bool was_new, copy_record(capture));
    if (was_new) ++copied_.captures;
    return capture.is_revisit() ? copy_original(capture) : Result<void>();
  }
  CopiedCaptures& copied() { return copied_; }

 private:
  void remark(std::string words) {
    if (copied_.remarks.size() < kMostRemarks) copied_.remarks.push_back(std::move(words));
  }

  Result<std::unique_ptr<io::File>> open(const std::string& name) {
    if (name.empty() || name.starts_with('/') || name.find("..") != std::string::npos)
      return fail(ErrorCode::denied, "the index names a file outside of the collection: " + name);
    for (const std::string& path : collection::places_of_archive(files_, layout_, name))
      if (files_.exists(path)) return files_.open_read(path);
    return fail(ErrorCode::not_found, name + ": the index names this archive file, but it is not there");
  }

  // False if it is there already, or cannot be copied.
  Result<bool> copy_record(const cdx::Capture& capture) {
    const auto offset = capture.offset_number(), length = capture.length_number();
    if (!places_.insert(capture.filename + ' ' + capture.offset).second) return false;
    const bool is_plain = capture.filename.ends_with(".warc");
    if (!offset || !length || *length == 0 || (!is_plain && !capture.filename.ends_with(".warc.gz"))) {
      remark(fmt::format("{} of {} is left out: the index does not say how long its record is, or it is in {}",
                         capture.url, capture.timestamp, capture.filename));
      return false;
    }
    auto file = open(capture.filename);
    if (!file) {
      remark(std::move(file).error().message);
      return false;
    }
    TRY_VOID(is_plain ? copy_plain(**file, *offset, *length) : copy_bytes(**file, *offset, *length));
    return true;
  }

  Result<void> each_piece(const io::File& file, uint64_t offset, uint64_t length,
                          const std::function<Result<void>(std::string_view)>& use) {
    std::string piece;
    while (length > 0) {
      piece.resize(std::min(length, kPiece));
      TRY(const size_t got, file.read_at(offset, piece.data(), piece.size()));
      if (got == 0) return fail(ErrorCode::corrupt, "an archive file ends before its index says");
      TRY_VOID(use(std::string_view(piece).substr(0, got)));
      offset += got;
      length -= got;
    }
    return {};
  }
  Result<void> copy_bytes(const io::File& file, uint64_t offset, uint64_t length) {
    return each_piece(file, offset, length, [&](std::string_view piece) { return out_.append(piece); });
  }
  Result<void> copy_plain(const io::File& file, uint64_t offset, uint64_t length) {
    io::GzipStream gzip(io::GzipEffort::small);
    std::string out;
    TRY_VOID(each_piece(file, offset, length, [&](std::string_view piece) -> Result<void> {
      gzip.write(piece, out);
      return out_.append(std::exchange(out, {}));
    }));
    gzip.finish(out);
    return out_.append(out);
  }

  // Returns what the head of a revisit record says of its original.
  Result<Reference> reference_of(const cdx::Capture& capture) {
    TRY(const auto file, open(capture.filename));
    std::string bytes(std::min<uint64_t>(capture.length_number().value_or(0), kLongestHead), '\0');
    TRY(const size_t got, file->read_at(capture.offset_number().value_or(0), bytes.data(), bytes.size()));
    bytes.resize(got);
    if (io::looks_like_gzip(bytes)) {
      std::string text(kLongestHead, '\0');
      std::string_view input = bytes;
      io::GunzipStream gunzip;
      TRY(const auto step, gunzip.inflate(input, std::span(text)));
      text.resize(step.written);
      bytes = std::move(text);
    }
    Reference reference;
    for (std::string_view line : split(bytes, '\n')) {
      line = trim(line);
      if (line.empty()) break;
      const size_t colon = line.find(':');
      if (colon == std::string_view::npos) continue;
      const std::string_view value = trim(line.substr(colon + 1));
      if (equals_ignore_case(line.substr(0, colon), "WARC-Refers-To-Target-URI")) reference.url = value;
      if (equals_ignore_case(line.substr(0, colon), "WARC-Refers-To-Date"))
        if (const auto date = parse_w3c_date(value)) reference.time = timestamp14(*date);
    }
    return reference;
  }

  static bool is_original(const cdx::Capture& capture, const cdx::Capture& revisit) {
    return !capture.is_revisit() && !capture.digest.empty() && cdx::same_digest(capture.digest, revisit.digest);
  }

  Result<std::optional<cdx::Capture>> original_of(const cdx::Capture& revisit) {
    if (const auto reference = reference_of(revisit); reference && !reference->url.empty()) {
      TRY(const auto captures, index_.captures_of(reference->url));
      TRY(auto near, captures.closest(reference->time.empty() ? revisit.timestamp : reference->time, kNearest));
      for (cdx::Capture& capture : near)
        if (is_original(capture, revisit)) return std::move(capture);
    }
    std::optional<cdx::Capture> found;
    TRY(const auto captures, index_.captures_like(revisit));
    TRY_VOID(captures.each([&](cdx::Capture& capture) {
      if (is_original(capture, revisit)) found = std::move(capture);
      return !found;
    }));
    return found;
  }

  Result<void> copy_original(const cdx::Capture& revisit) {
    TRY(const auto original, original_of(revisit));
    if (!original) {
      remark(fmt::format("{} of {} is a revisit whose original was not found", revisit.url, revisit.timestamp));
      return {};
    }
    TRY(const bool was_new, copy_record(*original));
    if (was_new) ++copied_.originals;
    return {};
  }

  io::Files& files_;
  cdx::CaptureIndex& index_;
  const collection::Layout layout_;
  io::File& out_;
  std::set<std::string> places_;
  CopiedCaptures copied_;
};

// A collection that nobody has indexed: in memory, as replay does it.
Result<void> index_archives(io::Files& files, const std::string& collection, cdx::CaptureIndex& index) {
  const collection::Layout layout(collection);
  for (const std::string& folder : collection::archive_folders(files, layout)) {
    if (!files.is_directory(folder)) continue;
    TRY(const auto archives, cdx::find_archives(files, folder));
    for (const std::string& path : archives)
      TRY_VOID(cdx::index_archive(files, path, io::base_name(path), [&](std::string_view line) -> Result<void> {
        index.add_line(line);
        return {};
      }));
  }
  return {};
}

std::string warcinfo(const cdx::Query& query, WallTime now, std::string_view file_name) {
  const std::string fields = fmt::format(
      "software: Caddis/{}\r\nformat: WARC File Format 1.1\r\ndescription: captures of {}\r\n", kVersion, query.url);
  SeededRandom random(system_seed());
  const std::string id = "<urn:uuid:" + random.uuid() + ">";
  return fmt::format(
      "WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: {}\r\nWARC-Date: {}\r\nWARC-Filename: {}\r\n"
      "Content-Type: application/warc-fields\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n",
      id, rfc3339(now), file_name, fields.size(), fields);
}

}  // namespace

Result<CopiedCaptures> copy_captures(io::Files& files, const Clock& clock, const std::string& collection,
                                     const cdx::Query& query, const std::string& output) {
  cdx::CaptureIndex index(files, clock, collection);
  if (!index.has_sources()) TRY_VOID(index_archives(files, collection, index));
  TRY(const auto out, files.open_append(output));
  TRY_VOID(out->append(io::gzip_member(warcinfo(query, clock.wall(), io::base_name(output)), io::GzipEffort::small)));
  RecordCopier copier(files, index, collection, *out);
  TRY(auto run, cdx::QueryRun::start(index, query, cdx::kServedHeld));
  for (cdx::Capture capture;;) {
    uint64_t budget = UINT64_MAX;
    TRY(const auto found, run.next(capture, budget));
    if (found == cdx::QueryRun::Found::end) break;
    if (found == cdx::QueryRun::Found::capture) TRY_VOID(copier.copy(capture));
  }
  TRY_VOID(out->sync());
  if (copier.copied().captures == 0)
    return fail(ErrorCode::not_found, fmt::format("{} has no captures of {}", collection, query.url));
  return std::move(copier.copied());
}

}  // namespace caddis::wacz
