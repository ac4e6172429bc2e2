#include "caddis/replay/stored.h"

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/query.h"
#include "caddis/io/digest.h"
#include "caddis/replay/archive_file.h"
#include "caddis/warc/views.h"

namespace caddis::replay {
namespace {

struct RawRecord {
  warc::RecordType type = warc::RecordType::other;
  std::string target_uri, content_type;
  bool http = false;
  bool not_modified = false;             // a revisit whose head and perhaps digest are those of a 304
  std::string refers_to_uri, refers_to;  // of a revisit; the time as 14 digits
  std::unique_ptr<StoredBody> body;
};

Result<RawRecord> read_record(const Collection& collection, const cdx::Capture& capture) {
  const auto offset = capture.offset_number();
  if (!offset)
    return fail(ErrorCode::corrupt, "the index has no offset for " + capture.url + " at " + capture.timestamp);
  TRY(auto file, open_for_reader(collection, capture));
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

bool may_be_same(const cdx::Capture& a, const cdx::Capture& b) {
  return a.digest.empty() || b.digest.empty() || cdx::same_digest(a.digest, b.digest);
}

bool is_original(const cdx::Capture& capture, const cdx::Capture& revisit) {
  return !capture.is_revisit() && may_be_same(capture, revisit);
}

using Served = std::span<const std::shared_ptr<Collection>>;

// A capture, and the collection whose files hold it.
struct Found {
  Collection* collection;
  cdx::Capture capture;
};

// The capture at that URL and time with the revisit's digest: the original, or another revisit of it.
std::optional<cdx::Capture> referred_capture(Collection& collection, const RawRecord& raw,
                                             const cdx::Capture& revisit) {
  if (raw.refers_to_uri.empty() || raw.refers_to.empty()) return std::nullopt;
  const auto captures = collection.originals().captures_of(raw.refers_to_uri);
  auto near = captures ? captures->closest(raw.refers_to, 20) : std::unexpected(captures.error());
  if (!near) return std::nullopt;
  std::optional<cdx::Capture> another;
  for (cdx::Capture& capture : *near) {
    const bool is_there = capture.timestamp == raw.refers_to;
    if (is_original(capture, revisit) && (is_there || cdx::same_digest(capture.digest, revisit.digest))) return capture;
    if (is_there && !another && capture.is_revisit() && may_be_same(capture, revisit)) another = std::move(capture);
  }
  return another;
}

// The latest earlier capture of the same URL with the digest, or failing that the first later one.
Result<std::optional<cdx::Capture>> capture_with_digest(Collection& collection, const cdx::Capture& revisit) {
  constexpr size_t kMost = 10'000;  // somebody waits
  std::optional<cdx::Capture> found;
  size_t seen = 0;
  TRY(const cdx::UrlCaptures captures, collection.originals().captures_like(revisit));
  TRY_VOID(captures.each([&](cdx::Capture& capture) {
    const bool later = capture.timestamp > revisit.timestamp;
    if ((later && found) || ++seen > kMost) return false;
    if (is_original(capture, revisit)) found = std::move(capture);
    return !(later && found);
  }));
  return found;
}

// Where a revisit leads: to its original, or a step nearer to it. Its own collection is asked first, then the others.
Result<std::optional<Found>> next_step(const Found& from, const RawRecord& raw, Served served) {
  const cdx::Capture& revisit = from.capture;
  if (!revisit.original_filename.empty()) {
    cdx::Capture original = revisit;
    original.mime.clear();
    original.filename = revisit.original_filename;
    original.offset = revisit.original_offset;
    original.length = revisit.original_length;
    original.original_filename.clear();
    if (!raw.refers_to_uri.empty()) original.url = raw.refers_to_uri;
    return std::optional(Found{from.collection, std::move(original)});
  }
  std::vector<Collection*> asked = {from.collection};
  for (const auto& other : served)
    if (other->members().empty() && other->name() != from.collection->name()) asked.push_back(other.get());
  std::optional<Found> another;  // a revisit
  for (Collection* const collection : asked) {
    if (auto referred = referred_capture(*collection, raw, revisit)) {
      if (!referred->is_revisit()) return std::optional(Found{collection, *std::move(referred)});
      if (!another) another = Found{collection, *std::move(referred)};
    }
    TRY(auto same, capture_with_digest(*collection, revisit));
    if (same) return std::optional(Found{collection, *std::move(same)});
  }
  return another;
}

// Heritrix writes the digest of what a 304 has, an empty body: nothing is found by it.
void forget_digest_of_nothing(cdx::Capture& capture, const RawRecord& raw) {
  static const std::string kOfNothing = io::digest_label(io::sha1(""));
  if (raw.not_modified && cdx::same_digest(capture.digest, kOfNothing)) capture.digest.clear();
}

// The record with the body. Revisits of revisits are followed, each once.
Result<RawRecord> original_record(Collection& collection, const cdx::Capture& revisit, const RawRecord& raw,
                                  Served served) {
  constexpr int kMostSteps = 500;
  Found at{&collection, revisit};
  forget_digest_of_nothing(at.capture, raw);
  std::string refers_to_uri = raw.refers_to_uri, refers_to = raw.refers_to;
  for (int step = 0; step < kMostSteps; ++step) {
    RawRecord from;
    from.refers_to_uri = std::move(refers_to_uri);
    from.refers_to = std::move(refers_to);
    TRY(auto next, next_step(at, from, served));
    if (!next)
      return fail(ErrorCode::not_found, "the capture of " + revisit.timestamp +
                                            " says that it is the same as an earlier one, which is not in this "
                                            "collection");
    at = *std::move(next);
    TRY(RawRecord record, read_record(*at.collection, at.capture));
    if (record.type != warc::RecordType::revisit) return record;
    forget_digest_of_nothing(at.capture, record);
    refers_to_uri = record.refers_to_uri;
    refers_to = record.refers_to;
  }
  return fail(ErrorCode::limit,
              "the capture of " + revisit.timestamp + " leads from revisit to revisit, and to no end");
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

Result<Stored> read_stored(Collection& shown, const cdx::Capture& capture, Served served) {
  Collection& collection = shown.holder_of(capture);
  TRY(RawRecord raw, read_record(collection, capture));
  Stored stored;
  stored.capture = capture;
  if (raw.type != warc::RecordType::revisit) {
    set_head(stored, raw);
    stored.body = std::move(raw.body);
    return stored;
  }
  TRY(RawRecord first, original_record(collection, capture, raw, served));
  // The head of the visit itself, where it was kept and tells about this body.
  set_head(stored, raw.body->http_head().empty() || raw.not_modified ? first : raw);
  stored.body = std::move(first.body);
  return stored;
}

}  // namespace caddis::replay
