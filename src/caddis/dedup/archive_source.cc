// Responses, resources and revisits of WARC and ARC files.
#include <fmt/format.h>

#include "caddis/dedup/archive_block.h"
#include "caddis/dedup/sources.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/views.h"

namespace caddis::dedup {
namespace {

using warc::Record;
using warc::RecordType;

constexpr size_t kMaxFact = 1024;  // a longer record id or etag is none
constexpr size_t kMaxFlaws = 20;

// A value that can be sent and stored again.
std::string fact(std::string_view text) {
  if (text.size() > kMaxFact) return {};
  for (const char c : text)
    if (static_cast<unsigned char>(c) < ' ') return {};
  return std::string(text);
}

std::string_view mime_of(const Record& record, const warc::HttpHead& head) {
  return warc::is_http(record.header()) ? head.get("content-type") : record.header().content_type();
}

Result<void> take_original(Record& record, Intake& intake) {
  const warc::Header& header = record.header();
  const std::string url(header.target_uri());
  const auto date = header.date();
  // A part of a capture has a part of its payload.
  if (!date || header.has("WARC-Segment-Number")) return intake.unreadable(), Result<void>();
  const bool wants_digest = header.payload_digest().empty() && intake.is_wanted(url, 0, {});
  TRY(const ArchiveBlock block, read_archive_block(record, wants_digest));
  TRY_VOID(record.finish());
  if (!record.complete()) return intake.unreadable(), Result<void>();
  const warc::HttpHead head(block.http_head);
  const Original original{url, *date, fact(header.get("WARC-Record-ID")), fact(head.get("etag")),
                          fact(head.get("last-modified"))};
  const std::string_view digest = header.payload_digest().empty() ? block.digest : header.payload_digest();
  return intake.capture({original, digest, head.status(), mime_of(record, head)});
}

Result<void> take_revisit(Record& record, Intake& intake) {
  const warc::Revisit revisit(record.header());
  const auto date = revisit.refers_to_date();
  if (revisit.profile() != warc::Revisit::Profile::identical_payload_digest || !date ||
      revisit.refers_to_target_uri().empty() || revisit.payload_digest().empty())
    return intake.unresolved(), Result<void>();
  const std::string url(revisit.refers_to_target_uri()), digest(revisit.payload_digest());
  const Original original{url, *date, fact(record.header().get("WARC-Refers-To")), {}, {}};
  TRY(const ArchiveBlock block, read_archive_block(record, false));
  const warc::HttpHead head(block.http_head);
  return intake.witness({original, digest, head.status(), head.get("content-type")});
}

}  // namespace

Result<ReadSource> read_archive(io::Files& files, const std::string& path, Intake& intake) {
  TRY(const auto file, files.open_read(path));
  const warc::FileSource source(*file);
  warc::Reader reader(source);
  ReadSource result;
  const auto take_flaws = [&] {
    for (const warc::Finding& finding : reader.take_findings())
      if (finding.level == warc::Level::error && result.flaws.size() < kMaxFlaws)
        result.flaws.push_back(fmt::format("{}: at offset {}: {}", path, finding.offset, finding.message));
  };
  for (;;) {
    TRY(Record * record, reader.next());
    if (record == nullptr) break;
    const bool has_url = !record->header().target_uri().empty();
    if (has_url && (record->type() == RecordType::response || record->type() == RecordType::resource))
      TRY_VOID(take_original(*record, intake));
    if (has_url && record->type() == RecordType::revisit) TRY_VOID(take_revisit(*record, intake));
    take_flaws();
  }
  take_flaws();
  return result;
}

}  // namespace caddis::dedup
