#include "caddis/replay/capture_records.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/replay/archive_file.h"
#include "caddis/replay/body.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/source.h"

namespace caddis::replay {
namespace {

constexpr int kLookedAt = 6;  // records behind the capture
constexpr uint64_t kMostOfARecord = 256 * 1024;
constexpr size_t kMostOfAHead = 64 * 1024;

bool is_about(const warc::Header& header, std::string_view id, std::string_view uri) {
  const auto ids = header.all("WARC-Concurrent-To");
  if (!ids.empty())
    return std::ranges::any_of(ids, [&](std::string_view one) {
      return one == id || (one.size() > 2 && one.substr(1, one.size() - 2) == id);
    });
  const std::string_view refers = header.bare_uri("WARC-Refers-To");
  return refers.empty() ? header.target_uri() == uri : refers == id;
}

// Reads what is small; nothing of what is not.
std::string block_of(warc::Record& record) {
  auto block = record.read_all(kMostOfARecord);
  return block ? *std::move(block) : std::string();
}

Result<void> read_followers(const io::File& file, uint64_t behind, std::string_view id, std::string_view uri,
                            CaptureRecords& into) {
  const warc::FileSource source(file);
  warc::ReaderOptions options;
  options.resync = false;
  warc::Reader reader(source, options, behind);
  for (int i = 0; i < kLookedAt; ++i) {
    TRY(warc::Record* const record, reader.next());
    if (record == nullptr) return {};
    const warc::RecordType type = record->type();
    const bool is_other = type != warc::RecordType::request && type != warc::RecordType::metadata;
    if (is_other || !is_about(record->header(), id, uri)) return {};
    const std::string block = block_of(*record);
    if (type == warc::RecordType::request && into.request_head.empty())
      into.request_head = block.substr(0, std::min(block.find("\r\n\r\n"), kMostOfAHead));
    if (type == warc::RecordType::metadata && into.metadata.empty()) into.metadata = warc::parse_warc_fields(block);
  }
  return {};
}

void read_warcinfo(const io::File& file, CaptureRecords& into) {
  auto first = warc::read_record_at(file, 0);
  if (!first || (*first)->type() != warc::RecordType::warcinfo) return;
  into.warcinfo = warc::parse_warc_fields(block_of(**first));
}

}  // namespace

Result<CaptureRecords> read_capture_records(const Collection& collection, const cdx::Capture& capture) {
  const auto offset = capture.offset_number();
  if (!offset) return fail(ErrorCode::corrupt, "the index has no offset for " + capture.url);
  // Records behind it are read as well.
  cdx::Capture begin = capture;
  begin.length.clear();
  TRY(std::unique_ptr<io::File> opened, open_for_reader(collection, begin));
  const std::shared_ptr<io::File> file = std::move(opened);
  TRY(const auto body,
      StoredBody::open(file, *offset, capture.length_number(), capture.filename + " at offset " + capture.offset));
  CaptureRecords records;
  const warc::Header& header = body->header();
  for (size_t i = 0; i < header.size(); ++i) records.header.emplace_back(header[i].name, header[i].value);
  records.response_head = body->http_head().substr(0, kMostOfAHead);
  const auto length = capture.length_number();
  // Records that cannot be read here are left out: the capture itself can.
  if (length && *length > 0)
    static_cast<void>(read_followers(*file, *offset + *length, header.id(), header.target_uri(), records));
  read_warcinfo(*file, records);
  return records;
}

std::string_view value_of(const warc::WarcFields& fields, std::string_view name) {
  for (const auto& [known, value] : fields)
    if (equals_ignore_case(known, name)) return value;
  return {};
}

}  // namespace caddis::replay
