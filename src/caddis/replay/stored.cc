#include "caddis/replay/stored.h"

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/query.h"
#include "caddis/warc/views.h"

namespace caddis::replay {
namespace {

struct RawRecord {
  warc::RecordType type = warc::RecordType::other;
  std::string target_uri, content_type;
  bool http = false;
  bool not_modified = false;             // a revisit whose head is that of a 304
  std::string refers_to_uri, refers_to;  // of a revisit; the time as 14 digits
  std::unique_ptr<StoredBody> body;
};

Result<RawRecord> read_record(const Collection& collection, const cdx::Capture& capture) {
  const auto offset = capture.offset_number();
  if (!offset)
    return fail(ErrorCode::corrupt, "the index has no offset for " + capture.url + " at " + capture.timestamp);
  TRY(auto file, collection.open_archive(capture.filename));
  const std::string where = capture.filename + " at offset " + capture.offset;
  TRY(auto body, StoredBody::open(std::move(file), *offset, capture.length_number(), where));
  const warc::Header& header = body->header();
  RawRecord raw;
  raw.type = header.type();
  raw.target_uri = header.target_uri();
  raw.content_type = header.content_type();
  raw.http = warc::is_http(header);
  if (raw.type == warc::RecordType::revisit) {
    const warc::Revisit revisit(header);
    raw.not_modified = revisit.profile() == warc::Revisit::Profile::server_not_modified;
    raw.refers_to_uri = revisit.refers_to_target_uri();
    if (const auto date = revisit.refers_to_date()) raw.refers_to = timestamp14(*date);
  }
  if (cdx::index_key(raw.target_uri) != cdx::index_key(capture.url))
    return fail(ErrorCode::corrupt, where + ": the record is of " + raw.target_uri + ", the index says " + capture.url +
                                        "; index the file anew (caddis index add)");
  raw.body = std::move(body);
  return raw;
}

bool same_payload(const cdx::Capture& original, const cdx::Capture& revisit) {
  return !original.is_revisit() &&
         (revisit.digest.empty() || original.digest.empty() || original.digest == revisit.digest);
}

std::optional<cdx::Capture> referred_capture(Collection& collection, const RawRecord& raw,
                                             const cdx::Capture& revisit) {
  if (raw.refers_to_uri.empty() || raw.refers_to.empty()) return std::nullopt;
  const auto captures = collection.whole_index().captures_of(raw.refers_to_uri);
  auto near = captures ? captures->closest(raw.refers_to, 20) : std::unexpected(captures.error());
  if (!near) return std::nullopt;
  for (cdx::Capture& capture : *near)
    if (same_payload(capture, revisit) && (capture.timestamp == raw.refers_to || capture.digest == revisit.digest))
      return capture;
  return std::nullopt;
}

// The latest earlier capture of the same URL with the digest, or failing that the first later one.
Result<std::optional<cdx::Capture>> capture_with_digest(Collection& collection, const cdx::Capture& revisit) {
  constexpr size_t kMost = 10'000;  // somebody waits
  std::optional<cdx::Capture> found;
  size_t seen = 0;
  TRY(const cdx::UrlCaptures captures, collection.whole_index().captures_like(revisit));
  TRY_VOID(captures.each([&](cdx::Capture& capture) {
    const bool later = capture.timestamp > revisit.timestamp;
    if ((later && found) || ++seen > kMost) return false;
    if (same_payload(capture, revisit)) found = std::move(capture);
    return !(later && found);
  }));
  return found;
}

Result<std::optional<cdx::Capture>> find_original(Collection& collection, const RawRecord& raw,
                                                  const cdx::Capture& revisit) {
  if (!revisit.original_filename.empty()) {
    cdx::Capture original = revisit;
    original.mime.clear();
    original.filename = revisit.original_filename;
    original.offset = revisit.original_offset;
    original.length = revisit.original_length;
    if (!raw.refers_to_uri.empty()) original.url = raw.refers_to_uri;
    return original;
  }
  if (auto referred = referred_capture(collection, raw, revisit)) return referred;
  return capture_with_digest(collection, revisit);
}

void set_head(Stored& stored, const RawRecord& raw) {
  stored.content_type = raw.http ? std::string() : raw.content_type;
  if (!raw.http) return;
  // A response without a head (HTTP/0.9, or damaged) is all body.
  auto head = http::parse_response_head(raw.body->http_head(), http::Mode::lenient);
  if (!head) return;
  stored.head = *std::move(head);
  stored.content_type = stored.head->find("content-type").value_or(std::string_view());
}

}  // namespace

Result<Stored> read_stored(Collection& collection, const cdx::Capture& capture) {
  TRY(RawRecord raw, read_record(collection, capture));
  Stored stored;
  stored.capture = capture;
  if (raw.type != warc::RecordType::revisit) {
    set_head(stored, raw);
    stored.body = std::move(raw.body);
    return stored;
  }
  TRY(const auto original, find_original(collection, raw, capture));
  if (!original)
    return fail(ErrorCode::not_found,
                "the capture of " + capture.timestamp +
                    " says that it is the same as an earlier one, which is not in this collection");
  TRY(RawRecord first, read_record(collection, *original));
  // The head of the visit itself, where it was kept and tells about this body.
  set_head(stored, raw.body->http_head().empty() || raw.not_modified ? first : raw);
  stored.body = std::move(first.body);
  return stored;
}

}  // namespace caddis::replay
