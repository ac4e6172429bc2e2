#include "caddis/cdx/indexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/posted_captures.h"
#include "caddis/collection/layout.h"
#include "caddis/io/digest.h"
#include "caddis/warc/payload.h"

namespace caddis::cdx {
namespace {

constexpr size_t kMaxProblems = 20;
constexpr size_t kMaxDepth = 16;  // of folders

bool is_indexed(warc::RecordType type) {
  return type == warc::RecordType::response || type == warc::RecordType::resource || type == warc::RecordType::revisit;
}

// What the block says: HTTP status and type, and its payload's digest where the header has none.
struct BlockFacts {
  int status = 0;
  std::string mime;
  std::string digest;
};

Result<BlockFacts> read_facts(warc::Record& record) {
  const bool http = warc::is_http(record.header());
  const bool wants_digest = record.header().payload_digest().empty() && record.type() != warc::RecordType::revisit;
  warc::PayloadSplitter splitter(http);
  io::Sha1 raw, entity;
  const auto raw_bytes = [&](std::string_view bytes) {
    if (wants_digest) raw.update(bytes);
  };
  const auto entity_bytes = [&](std::string_view bytes) {
    if (wants_digest) entity.update(bytes);
  };
  for (;;) {
    TRY(const std::string_view piece, record.read_block());
    if (piece.empty()) break;
    splitter.feed(piece, raw_bytes, entity_bytes);
    if (!wants_digest && (!http || splitter.head_complete())) break;
  }
  BlockFacts facts;
  if (http) {
    const warc::HttpHead head(splitter.head());
    facts.status = head.status();
    facts.mime = head.get("content-type");
  }
  if (wants_digest) {
    facts.digest = io::digest_label(splitter.was_chunked() ? entity.finish() : raw.finish());
  }
  return facts;
}

// Returns nothing if it is not indexed.
Result<std::optional<HeldCapture>> capture_of(warc::Record& record, std::string_view filename) {
  std::optional<HeldCapture> capture;
  if (record.header().target_uri().empty()) return capture;
  const auto date = record.header().date();
  TRY(BlockFacts facts, read_facts(record));
  TRY_VOID(record.finish());
  if (record.length() == 0) return capture;  // not the first of its member: no offset leads to it
  capture.emplace();
  capture->url = record.header().target_uri();
  if (date) capture->date = *date;
  if (record.type() == warc::RecordType::revisit)
    capture->mime = kRevisitMime;
  else
    capture->mime = warc::is_http(record.header()) ? facts.mime : std::string(record.header().content_type());
  capture->status = facts.status;
  const std::string_view digest = record.header().payload_digest();
  capture->digest = digest.empty() ? facts.digest : std::string(digest);
  capture->length = record.length();
  capture->offset = record.offset();
  capture->filename = filename;
  return capture;
}

// What a file is that holds no record.
Result<std::string> what_it_is(const io::File& file, const std::string& path) {
  char bytes[512];
  TRY(const size_t got, file.read_at(0, bytes, sizeof bytes));
  const std::string_view begin(bytes, got);
  if (begin.empty()) return std::string("it is empty");
  if (begin.starts_with("PK\x03\x04"))
    return "it is a zip archive, as WACZ files are: unpack it (unzip " + path +
           " -d FOLDER) and take the WARC files in FOLDER/archive/";
  if (begin.starts_with("\x1f\x8b"))
    return std::string("it is compressed by gzip, but what it holds is no WARC or ARC record");
  if (begin.starts_with("\x28\xb5\x2f\xfd"))
    return std::string("it is compressed by zstd, but what it holds is no WARC or ARC record");
  if (begin.starts_with("{") || begin.starts_with(" CDX") || begin.starts_with("!"))
    return std::string("it is text (an index or a list?), and holds no WARC or ARC record");
  return std::string("it is no WARC or ARC file");
}

void take(const std::vector<warc::Finding>& findings, IndexedFile& result) {
  for (const warc::Finding& finding : findings) {
    result.is_damaged = result.is_damaged || finding.level == warc::Level::error;
    if (result.problems.size() < kMaxProblems)
      result.problems.push_back(fmt::format("at offset {}: {}", finding.offset, finding.message));
  }
}

}  // namespace

Result<IndexedFile> index_archive(io::Files& files, const std::string& path, std::string_view filename,
                                  const std::function<Result<void>(std::string_view line)>& use,
                                  const url::KeyPolicy& policy) {
  TRY(const auto file, files.open_read(path));
  const warc::FileSource source(*file);
  warc::Reader reader(source);
  IndexedFile result;
  PostedCaptures captures([&](const CaptureFields& capture) -> Result<void> {
    ++result.lines;
    return use(cdxj_line(capture, policy));
  });
  uint64_t without_address = 0;
  for (;;) {
    TRY(warc::Record * record, reader.next());
    if (record == nullptr) break;
    ++result.records;
    if (record->type() == warc::RecordType::request) TRY_VOID(captures.ask(*record));
    if (is_indexed(record->type())) {
      TRY(auto capture, capture_of(*record, filename.empty() ? io::base_name(path) : filename));
      if (!record->complete()) {
        // A capture without its end: the finding tells of it.
      } else if (capture) {
        TRY_VOID(captures.add(RecordNames::of(record->header()), *std::move(capture)));
      } else if (record->length() == 0) {
        ++without_address;
      }
    }
    take(reader.take_findings(), result);
  }
  TRY_VOID(captures.end());
  take(reader.take_findings(), result);
  if (without_address > 0)
    result.problems.push_back(std::to_string(without_address) +
                              " records are not indexed: they share a gzip member or zstd frame with others and cannot "
                              "be reached by offset; pack the file again (caddis warc recompress)");
  if (result.records == 0) {
    TRY(result.foreign, what_it_is(*file, path));
  }
  log_info("cdx", "{}: {} records, {} of them indexed", path, result.records, result.lines);
  return result;
}

bool is_archive_name(std::string_view name) {
  if (const std::string_view open = collection::kOpenSuffix; name.ends_with(open)) name.remove_suffix(open.size());
  if (name.ends_with(".gz"))
    name.remove_suffix(3);
  else if (name.ends_with(".zst"))
    name.remove_suffix(4);
  return name.ends_with(".warc") || name.ends_with(".arc");
}

namespace {

Result<void> find_below(io::Files& files, const std::string& folder, size_t depth, std::vector<std::string>& found) {
  if (depth > kMaxDepth) return fail(ErrorCode::limit, folder + ": folders nested more than 16 deep");
  TRY(const auto entries, files.list(folder));
  for (const auto& entry : entries) {
    const std::string path = io::join_path(folder, entry.name);
    if (entry.is_directory)
      TRY_VOID(find_below(files, path, depth + 1, found));
    else if (is_archive_name(entry.name))
      found.push_back(path);
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> find_archives(io::Files& files, const std::string& path) {
  std::vector<std::string> found;
  if (!files.is_directory(path)) {
    if (!files.exists(path)) return fail(ErrorCode::not_found, path + ": no such file or folder");
    found.push_back(path);
    return found;
  }
  TRY_VOID(find_below(files, path, 0, found));
  std::ranges::sort(found);
  return found;
}

}  // namespace caddis::cdx
