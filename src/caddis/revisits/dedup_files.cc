// A record of usual size is read into memory, judged, and copied or replaced. A large one is read twice: by a reader of
// its own to be judged, and by that of the file to be copied.
#include "caddis/revisits/dedup_files.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "caddis/io/digest.h"
#include "caddis/revisits/payload_meter.h"
#include "caddis/revisits/record_fields.h"
#include "caddis/warc/finding.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/views.h"
#include "caddis/warc/writer.h"

namespace caddis::revisits {
namespace {

constexpr uint64_t kInMemory = 8 << 20;

bool is_wanted(const DedupOptions& options, const MeteredPayload& payload) {
  return payload.flaw.empty() && dedup::is_wanted(options.which, payload.mime, payload.size);
}

// As the crawler writes it (archive/capture.h), with the id of the record, which others may name. The revisit of a
// resource has an empty block, and keeps its type.
std::string revisit_record(const warc::Header& header, const MeteredPayload& payload, const dedup::Original& original) {
  auto fields = warc::RecordFields::revisit(header.get("WARC-Record-ID"), header.get("WARC-Date"), header.target_uri(),
                                            warc::kProfileIdenticalPayload, payload.digest, original.record_id,
                                            original.url, warc::referred_date(original.date));
  fields.content_type(is_resource(header) || !header.content_type().empty() ? header.content_type()
                                                                            : warc::kHttpResponse);
  keep_other_fields(header, fields);
  fields.block_digest(io::digest_label(io::sha1(payload.http_head))).truncated(warc::Truncated::length);
  return fields.header_block(payload.http_head.size()) + payload.http_head;
}

class Deduplication {
 public:
  Deduplication(const DedupOptions& options, const KnownPayloads& known) : options_(options), known_(known) {}

  Result<void> use(warc::Record& record, const io::File& file, warc::RecordCopy& copy) {
    if (!may_be_original(record.header())) return keep(record, copy, {});
    return record.content_length() <= kInMemory ? use_small(record, copy) : use_large(record, file, copy);
  }
  const DedupReport& report() const { return report_; }

 private:
  Result<void> use_small(warc::Record& record, warc::RecordCopy& copy) {
    std::string block;
    TRY(const MeteredPayload payload, measure(record, meter_, &block));
    TRY(const auto original, judge(record, payload));
    return original ? replace(record, payload, *original, copy) : keep(record, copy, block);
  }

  Result<void> use_large(warc::Record& record, const io::File& file, warc::RecordCopy& copy) {
    if (record.offset_in_member() > 0) return keep(record, copy, {});
    TRY(const auto again, warc::read_record_at(file, record.offset()));
    TRY(const MeteredPayload payload, measure(*again, meter_, nullptr));
    TRY(const auto original, judge(record, payload));
    return original ? replace(record, payload, *original, copy) : keep(record, copy, {});
  }

  Result<std::optional<dedup::Original>> judge(const warc::Record& record, const MeteredPayload& payload) {
    if (!payload.flaw.empty()) ++report_.uncertain;
    if (payload.is_broken_coding)
      options_.how.report({record.offset(), warc::Level::error, "payload-chunks",
                           fmt::format("the response of {} stays one: {}", record.header().target_uri(), payload.flaw),
                           ""});
    if (!is_wanted(options_, payload)) return std::nullopt;
    ++report_.payloads;
    return known_.original_of(record.header(), payload);
  }

  static Result<void> keep(warc::Record& record, warc::RecordCopy& copy, std::string_view front) {
    TRY(const bool whole, copy.copy(record, front));
    // The reader has told why, and the file is refused for it.
    return whole ? Result<void>()
                 : fail(ErrorCode::corrupt, fmt::format("the record at offset {} is damaged or cut", record.offset()));
  }

  Result<void> replace(const warc::Record& record, const MeteredPayload& payload, const dedup::Original& original,
                       warc::RecordCopy& copy) {
    ++report_.revisits;
    report_.saved += payload.size;
    return copy.add(revisit_record(record.header(), payload, original));
  }

  const DedupOptions& options_;
  const KnownPayloads& known_;
  PayloadMeter meter_;
  DedupReport report_;
};

}  // namespace

Result<void> learn_payloads(io::Files& files, const std::string& path, const DedupOptions& options,
                            KnownPayloads& known) {
  TRY(const auto file, files.open_read(path));
  const warc::FileSource source(*file);
  warc::Reader reader(source);
  PayloadMeter meter;
  const auto refuse_damage = [&reader]() -> Result<void> {
    for (const warc::Finding& finding : reader.take_findings())
      if (is_damage(finding)) return refuse_damaged(finding);
    return {};
  };
  for (uint64_t told = 0;;) {
    TRY(warc::Record* const record, reader.next());
    TRY_VOID(refuse_damage());
    if (record == nullptr) return {};
    if (record->is_arc()) return refuse_arc();
    if (may_be_original(record->header())) {
      TRY(const MeteredPayload payload, measure(*record, meter, nullptr));
      if (is_wanted(options, payload)) TRY_VOID(known.add(record->header(), payload));
    }
    TRY_VOID(record->finish());
    TRY_VOID(refuse_damage());
    const uint64_t at = record->offset() + record->length();
    if (options.how.progress && at > told) options.how.progress(at - std::exchange(told, at));
  }
}

Result<DedupReport> dedup_file(io::Files& files, const std::string& from, const std::string& to,
                               const DedupOptions& options, const KnownPayloads& known) {
  Deduplication deduplication(options, known);
  const UseRecord use = [&](warc::Record& record, const io::File& file, warc::RecordCopy& copy) {
    return deduplication.use(record, file, copy);
  };
  TRY(const RewriteReport file, rewrite_file(files, from, to, options.how, use));
  DedupReport report = deduplication.report();
  static_cast<RewriteReport&>(report) = file;
  return report;
}

}  // namespace caddis::revisits
