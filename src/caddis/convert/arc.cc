#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/convert/convert.h"
#include "caddis/convert/warc_builder.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"
#include "fmt/format.h"

namespace caddis::convert {
namespace {

// Crawlers of the time wrote files of 100 MB, and few records are larger than that.
constexpr uint64_t kMaxBlock = 2ULL << 30;

bool is_http_url(std::string_view url) {
  return starts_with_ignore_case(url, "http://") || starts_with_ignore_case(url, "https://");
}

class ArcConversion {
 public:
  ArcConversion(const io::File& file, WarcBuilder& builder, const ConvertOptions& options)
      : source_(file), reader_(source_), builder_(builder), options_(options), date_(rfc3339(options.now)) {}

  Result<ConvertReport> run() {
    for (;;) {
      TRY(warc::Record* const record, reader_.next());
      take_findings();
      if (record == nullptr) return std::move(report_);
      if (!record->is_arc())
        return fail(ErrorCode::parse, fmt::format("the record at offset {} is none of an ARC file", record->offset()));
      TRY_VOID(convert(*record));
      if (options_.progress) options_.progress(record->length());
    }
  }

 private:
  // A wrong length in a record's line is mended by reading on to the next record. The last record of a file may be
  // short of what its line says, which is wrong often; it is kept, and says that it may be cut.
  void take_findings() {
    for (const warc::Finding& finding : reader_.take_findings()) {
      if (finding.level != warc::Level::error) continue;
      length_was_wrong_ = length_was_wrong_ || finding.code == "content-length" || finding.code == "cut";
      is_cut_ = is_cut_ || finding.code == "cut";
      report_.is_damaged = report_.is_damaged || (finding.code != "content-length" && finding.code != "cut");
      note(finding.offset, finding.message);
    }
  }

  void note(uint64_t offset, std::string_view text) {
    report_.notes.push_back(fmt::format("at offset {}: {}", offset, text));
  }

  Result<void> convert(warc::Record& record) {
    auto block = record.read_all(kMaxBlock);
    if (!block && block.error().code != ErrorCode::limit) return std::unexpected(std::move(block).error());
    TRY_VOID(record.finish());
    take_findings();
    const bool whole = record.complete() || length_was_wrong_;
    length_was_wrong_ = false;
    if (!block || !whole) {
      ++report_.left_out;
      note(record.offset(), block ? "the record is damaged and left out" : block.error().message);
      return {};
    }
    const std::string_view date = record.header().get("WARC-Date");
    if (!date.empty()) date_ = date;  // one that is none is that of the record before
    return record.type() == warc::RecordType::warcinfo ? add_version_block(record, *block)
                                                       : add_capture(record, *block);
  }

  Result<void> add_version_block(const warc::Record& record, std::string_view block) {
    auto fields = warc::RecordFields(warc::RecordType::metadata, builder_.new_id(), date_);
    fields.target_uri(record.header().target_uri()).content_type("text/plain");
    return builder_.add(std::move(fields), {}, block, false);
  }

  Result<void> add_capture(const warc::Record& record, std::string_view block) {
    const std::string_view url = record.header().target_uri(), ip = record.header().get("WARC-IP-Address");
    const bool dns = starts_with_ignore_case(url, "dns:");
    const auto head = warc::HttpHead::find_end(block);
    if (!dns && is_http_url(url) && block.starts_with("HTTP/")) {
      auto fields = warc::RecordFields::response(builder_.new_id(), date_, url);
      fields.ip_address(ip).content_type(warc::kHttpResponse);
      if (is_cut_) fields.truncated(warc::Truncated::unspecified);
      const size_t size = head.value_or(block.size());
      return builder_.add(std::move(fields), block.substr(0, size), block.substr(size));
    }
    // Some crawlers kept no heads.
    std::string_view type = dns ? "text/dns" : record.header().content_type();
    if (type.find('/') == std::string_view::npos) type = "application/octet-stream";  // "no-type" stood there
    auto fields = warc::RecordFields::resource(builder_.new_id(), date_, url, type);
    if (is_cut_) fields.truncated(warc::Truncated::unspecified);
    return builder_.add(std::move(fields.ip_address(ip)), {}, block);
  }

  warc::FileSource source_;
  warc::Reader reader_;
  WarcBuilder& builder_;
  const ConvertOptions& options_;
  ConvertReport report_;
  std::string date_;
  bool length_was_wrong_ = false, is_cut_ = false;
};

}  // namespace

Result<ConvertReport> convert_arc(io::Files& files, const std::string& from, const std::string& to,
                                  const ConvertOptions& options) {
  TRY(const auto file, files.open_read(from));
  TRY(WarcBuilder builder, WarcBuilder::create(files, to, io::base_name(from), options));
  TRY(ConvertReport report, ArcConversion(*file, builder, options).run());
  if (builder.records() == 0) {
    return fail(ErrorCode::parse, report.notes.empty() ? "there is no ARC record in it"
                                                       : "there is no sound ARC record in it; " + report.notes.front());
  }
  report.records = builder.records();
  TRY(report.written, builder.commit());
  return report;
}

}  // namespace caddis::convert
