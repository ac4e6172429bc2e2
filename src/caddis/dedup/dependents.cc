#include "caddis/dedup/dependents.h"

#include "caddis/base/time_format.h"
#include "caddis/collection/archive_folders.h"
#include "caddis/collection/layout.h"
#include "caddis/dedup/archive_block.h"
#include "caddis/dedup/index_lines.h"
#include "caddis/dedup/payload_digest.h"
#include "caddis/warc/views.h"

namespace caddis::dedup {
namespace {

std::string raw_digest(std::string_view text) {
  const auto digest = parse_digest(text);
  return digest ? digest->raw : std::string();
}

std::string capture_name(std::string_view timestamp, std::string_view url) {
  return std::string(timestamp.substr(0, 14)).append(" ").append(url);
}

}  // namespace

void DependentSearch::remember(const warc::Record& record, std::string_view digest) {
  digests_.insert(raw_digest(digest));
  if (!record.header().id().empty()) ids_.emplace(record.header().id());
  if (const auto date = record.header().date())
    captures_.insert(capture_name(timestamp14(*date), record.header().target_uri()));
}

Result<void> DependentSearch::add_archive(const std::string& path) {
  archives_.emplace(io::base_name(path));
  TRY(const auto file, files_.open_read(path));
  const warc::FileSource source(*file);
  warc::Reader reader(source);
  for (;;) {
    TRY(warc::Record * record, reader.next());
    if (record == nullptr) return {};
    (void)reader.take_findings();
    if (record->type() != warc::RecordType::response && record->type() != warc::RecordType::resource) continue;
    const bool wants_digest = record->header().payload_digest().empty();
    TRY(const ArchiveBlock block, read_archive_block(*record, wants_digest));
    remember(*record, wants_digest ? block.digest : record->header().payload_digest());
  }
}

bool DependentSearch::is_of_archive(const cdx::Capture& capture) const {
  return archives_.contains(io::base_name(capture.filename));
}

Result<void> DependentSearch::note_elsewhere(const cdx::Capture& capture) {
  if (capture.is_revisit() || is_of_archive(capture)) return {};
  if (std::string digest = raw_digest(capture.digest); digests_.contains(digest)) elsewhere_.insert(std::move(digest));
  return {};
}

Result<std::unique_ptr<io::File>> DependentSearch::open_archive(const std::string& name) const {
  for (const std::string& place : collection::places_of_archive(files_, collection::Layout(collection_), name))
    if (files_.exists(place)) return files_.open_read(place);
  return fail(ErrorCode::not_found, name + " is not in " + collection_);
}

Result<void> DependentSearch::judge(const cdx::Capture& capture,
                                    const std::function<Result<void>(const Dependent&)>& use) {
  const std::string digest = raw_digest(capture.digest);
  if (!capture.is_revisit() || is_of_archive(capture) || (!digest.empty() && !digests_.contains(digest))) return {};
  const auto file = open_archive(capture.filename);
  const auto offset = capture.offset_number();
  if (!file || !offset) return ++unread_, Result<void>();
  const auto record = warc::read_record_at(**file, *offset);
  if (!record || (*record)->type() != warc::RecordType::revisit) return ++unread_, Result<void>();
  const warc::Revisit revisit((*record)->header());
  const bool is_elsewhere = elsewhere_.contains(digest);
  Dependent dependent{capture, std::string(revisit.refers_to_target_uri()), {}, is_elsewhere};
  if (const auto date = revisit.refers_to_date()) dependent.original_date = timestamp14(*date);
  const bool tells = !revisit.refers_to().empty() || !dependent.original_url.empty();
  const bool needs = ids_.contains(revisit.refers_to()) ||
                     captures_.contains(capture_name(dependent.original_date, dependent.original_url));
  return needs || (!tells && !digest.empty() && !is_elsewhere) ? use(dependent) : Result<void>();
}

Result<uint64_t> DependentSearch::find(const std::function<Result<void>(const Dependent& dependent)>& use) {
  digests_.erase("");
  TRY_VOID(each_capture(files_, collection_, [&](const cdx::Capture& capture) { return note_elsewhere(capture); }));
  TRY_VOID(each_capture(files_, collection_, [&](const cdx::Capture& capture) { return judge(capture, use); }));
  return unread_;
}

}  // namespace caddis::dedup
