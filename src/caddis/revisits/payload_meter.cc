#include "caddis/revisits/payload_meter.h"

#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/inspect/record_facts.h"
#include "caddis/io/chunked.h"
#include "caddis/warc/digest_field.h"

namespace caddis::revisits {
namespace {

constexpr size_t kMaxUrl = 64 << 10;

bool is_control(char c) { return static_cast<unsigned char>(c) < ' '; }

}  // namespace

bool is_resource(const warc::Header& header) {
  const std::string_view url = header.target_uri();
  return header.type() == warc::RecordType::resource &&
         (starts_with_ignore_case(url, "http") || starts_with_ignore_case(url, "ftp"));
}

bool is_whole_capture(const warc::Header& header) {
  const std::string_view url = header.target_uri();
  const bool is_response =
      header.type() == warc::RecordType::response && warc::is_http(header) && starts_with_ignore_case(url, "http");
  return (is_response || is_resource(header)) && header.truncated().empty() && !header.has("WARC-Segment-Number") &&
         url.size() <= kMaxUrl && std::ranges::none_of(url, is_control) && header.date().has_value();
}

bool may_be_original(const warc::Header& header) {
  return header.version().starts_with("WARC/") && is_whole_capture(header);
}

PayloadMeter::PayloadMeter()
    : check_([this](warc::Level level, const std::string& code, std::string message, const std::string&) {
        note(level, code, std::move(message));
      }) {}

void PayloadMeter::note(warc::Level level, std::string_view code, std::string message) {
  if (code == "payload-digest-chunked") {
    is_of_chunks_ = true;
    return;
  }
  // A digest that cannot be verified, or holds only for readers that end a head early.
  const bool doubtful = level == warc::Level::error || code == "payload-digest" ||
                        code == "payload-digest-blank-line" || (code == "digest-form" && level != warc::Level::info);
  if (doubtful && flaw_.empty()) flaw_ = std::move(message);
}

void PayloadMeter::begin(const warc::Header& header) {
  header_ = &header;
  flaw_.clear();
  is_of_chunks_ = false;
  size_ = 0;
  splitter_.emplace(!is_resource(header));
  check_.begin(header);
  const auto field = warc::parse_digest_field(header.payload_digest());
  if (field && field->raw.empty() && flaw_.empty()) flaw_ = "WARC-Payload-Digest is in no known form";
}

void PayloadMeter::feed(std::string_view piece) {
  check_.feed(piece);
  const bool needs_label = header_->payload_digest().empty();
  splitter_->feed(
      piece,
      [&](std::string_view bytes) {
        size_ += bytes.size();
        raw_.update(bytes);
        if (needs_label) raw_sha1_.update(bytes);
      },
      [&](std::string_view bytes) {
        entity_.update(bytes);
        if (needs_label) entity_sha1_.update(bytes);
      });
}

MeteredPayload PayloadMeter::finish(bool complete) {
  check_.finish(complete);
  const std::string raw = raw_.finish(), entity = entity_.finish();
  const std::string raw_sha1 = raw_sha1_.finish(), entity_sha1 = entity_sha1_.finish();
  MeteredPayload payload;
  payload.flaw = std::exchange(flaw_, {});
  if (!complete) payload.flaw = "the record is damaged or cut";
  const bool resource = is_resource(*header_);
  if (payload.flaw.empty() && !splitter_->head_complete()) payload.flaw = "its HTTP head never ends";
  payload.http_head = splitter_->head();
  payload.mime =
      inspect::bare_mime(resource ? header_->content_type() : warc::HttpHead(payload.http_head).get("Content-Type"));
  payload.size = size_;
  const bool without_chunks = splitter_->was_chunked() && !is_of_chunks_;
  // Bytes that the chunks do not account for would be dropped, and nobody has compared them.
  const io::ChunkedDecoder& decoder = splitter_->decoder();
  const bool is_all_chunks = decoder.has_all_data() && decoder.consumed() == size_;
  if (payload.flaw.empty() && without_chunks && !is_all_chunks) {
    payload.flaw = "its chunked body is cut or broken";
    payload.is_broken_coding = true;
  }
  const auto field = warc::parse_digest_field(header_->payload_digest());
  payload.digest = field ? std::string(header_->payload_digest())
                         : io::digest_label(splitter_->was_chunked() ? entity_sha1 : raw_sha1);
  std::string told(io::to_string(field ? field->algorithm : io::DigestAlgorithm::sha1));
  payload.identity = io::sha256((resource ? "resource " : "") + told + ' ' + (without_chunks ? entity : raw));
  return payload;
}

Result<MeteredPayload> measure(warc::Record& record, PayloadMeter& meter, std::string* block) {
  meter.begin(record.header());
  for (;;) {
    TRY(const std::string_view piece, record.read_block());
    if (piece.empty()) break;
    meter.feed(piece);
    if (block != nullptr) *block += piece;
  }
  TRY_VOID(record.finish());
  return meter.finish(record.complete());
}

}  // namespace caddis::revisits
