#include "caddis/warc/check.h"

#include <array>
#include <optional>
#include <unordered_set>
#include <vector>

#include "caddis/base/blank_line.h"
#include "caddis/base/hash.h"
#include "caddis/base/strings.h"
#include "caddis/io/base32.h"
#include "caddis/io/digest.h"
#include "caddis/warc/digest_field.h"
#include "caddis/warc/field_check.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"
#include "fmt/format.h"

namespace caddis::warc {
namespace {

// Running digests are kept and used again: one for each purpose and algorithm.
class DigestPool {
 public:
  io::Digest& get(io::DigestAlgorithm algorithm) {
    auto& slot = slots_[static_cast<size_t>(algorithm)];
    if (!slot) slot.emplace(algorithm);
    return *slot;
  }

 private:
  std::array<std::optional<io::Digest>, 5> slots_;
};

// A digest in the form that the field uses.
std::string in_form_of(std::string_view field, std::string_view raw) {
  const std::string_view value = field.substr(field.find(':') + 1);
  return trim(value).size() == raw.size() * 2 ? to_hex(raw) : io::base32(raw);
}

// The digest of the payload as readers find it that end a head at its first blank line. It differs from the payload
// only where such a line stands before the end of the head.
class ReadersPayload {
 public:
  explicit ReadersPayload(io::Digest* digest) : digest_(digest) {}
  // Bytes of the body, as stored. At the end of the block once more, with none.
  void body(const PayloadSplitter& splitter, std::string_view bytes) {
    if (digest_ == nullptr) return;
    if (!begun_) {
      begun_ = true;
      const size_t begin = after_blank_line(splitter.head());
      differs_ = begin < splitter.head().size();
      if (differs_) digest_->update(std::string_view(splitter.head()).substr(begin));
    }
    if (differs_) digest_->update(bytes);
  }
  // Empty where there is no difference.
  std::string finish() { return differs_ ? digest_->finish() : std::string(); }

 private:
  io::Digest* digest_;
  bool begun_ = false, differs_ = false;
};

class FileCheck {
 public:
  FileCheck(const ByteSource& source, const std::function<void(const Finding&)>& report)
      : reader_(source), report_(report) {}

  Result<CheckSummary> run() {
    for (;;) {
      TRY(Record * record, reader_.next());
      forward();
      if (record == nullptr) return summary_;
      ++summary_.records;
      TRY_VOID(check(*record));
      forward();
    }
  }

 private:
  void tell(const Finding& finding) {
    if (finding.level == Level::error) ++summary_.errors;
    if (finding.level == Level::warning) ++summary_.warnings;
    report_(finding);
  }
  void tell(Level level, std::string code, std::string message, std::string repair = {}) {
    tell(Finding{offset_, level, std::move(code), std::move(message), std::move(repair)});
  }
  void forward() {
    for (const Finding& finding : reader_.take_findings()) tell(finding);
  }

  Result<void> check(Record& record) {
    offset_ = record.offset();
    const Header& header = record.header();
    check_fields(header, record.content_length(),
                 [this](Level level, std::string code, std::string message, std::string repair) {
                   tell(level, std::move(code), std::move(message), std::move(repair));
                 });
    const std::string_view id = header.id();
    if (!id.empty() && !ids_.insert(siphash(id, 0, 0)).second) {
      tell(Level::warning, "record-id-repeated", fmt::format("an earlier record has the id {} too", id),
           "records that are copies of each other can be left out");
    }
    return check_digests(record);
  }

  // The digest that a field asks for, if it can be computed.
  std::optional<DigestField> wanted(std::string_view name, std::string_view value) {
    if (value.empty()) return std::nullopt;
    auto field = parse_digest_field(value);
    if (!field) {
      tell(Level::warning, "digest-form", fmt::format("{}: {} names no known algorithm; not verified", name, value));
    } else if (!field->usual_form && !field->raw.empty()) {
      tell(Level::info, "digest-form",
           fmt::format("{}: {} is not in the usual form (base32 in upper case)", name, value));
    }
    return field;
  }

  // A segment's or a revisit's payload digest is that of bytes which are not all here.
  static bool payload_is_here(const Header& header) {
    return header.type() != RecordType::revisit && header.type() != RecordType::continuation &&
           !header.has("WARC-Segment-Number");
  }

  Result<void> check_digests(Record& record) {
    const Header& header = record.header();
    const auto block = wanted("WARC-Block-Digest", header.block_digest());
    std::optional<DigestField> payload = wanted("WARC-Payload-Digest", header.payload_digest());
    if (!payload_is_here(header)) payload.reset();

    io::Digest* block_digest = block ? &block_pool_.get(block->algorithm) : nullptr;
    io::Digest* raw_digest = payload ? &raw_pool_.get(payload->algorithm) : nullptr;
    io::Digest* entity_digest = payload ? &entity_pool_.get(payload->algorithm) : nullptr;
    const bool http = is_http(header);
    PayloadSplitter splitter(http);
    ReadersPayload readers(payload && http ? &readers_pool_.get(payload->algorithm) : nullptr);
    uint64_t block_bytes = 0;
    for (;;) {
      TRY(const std::string_view piece, record.read_block());
      if (piece.empty()) break;
      block_bytes += piece.size();
      if (block_digest) block_digest->update(piece);
      if (raw_digest) {
        splitter.feed(
            piece,
            [&](std::string_view bytes) {
              raw_digest->update(bytes);
              readers.body(splitter, bytes);
            },
            [&](std::string_view bytes) { entity_digest->update(bytes); });
      }
    }
    TRY_VOID(record.finish());
    summary_.bytes += block_bytes;
    const std::string block_raw = block ? block_digest->finish() : std::string();
    const std::string raw = payload ? raw_digest->finish() : std::string();
    const std::string entity = payload ? entity_digest->finish() : std::string();
    readers.body(splitter, {});
    const std::string readers_raw = readers.finish();
    // Of a damaged record it is known already that its bytes are wrong.
    if (!record.complete()) return {};
    if (block) compare_block(header, *block, block_raw);
    if (payload && !readers_raw.empty() && payload->raw == readers_raw) return holds_for_readers();
    if (payload) compare_payload(header, *payload, splitter, raw, entity);
    return {};
  }

  Result<void> holds_for_readers() {
    ++summary_.digests;
    tell(Level::info, "payload-digest-blank-line",
         "a blank line stands before the end of the HTTP head; WARC-Payload-Digest is that of all behind it, where "
         "many readers take the body to begin");
    return {};
  }

  void compare_block(const Header& header, const DigestField& field, const std::string& computed) {
    ++summary_.digests;
    if (field.raw == computed) return;
    tell(Level::error, "block-digest",
         fmt::format("the block's digest is {}:{}, WARC-Block-Digest says {}", io::to_string(field.algorithm),
                     in_form_of(header.block_digest(), computed), header.block_digest()),
         "the block was altered after it was written, or written with a wrong digest: compare with another copy");
  }

  void compare_payload(const Header& header, const DigestField& field, const PayloadSplitter& splitter,
                       const std::string& raw, const std::string& entity) {
    ++summary_.digests;
    const bool chunked = splitter.was_chunked();
    if (field.raw == (chunked ? entity : raw)) return;
    if (chunked && field.raw == raw) {
      return tell(
          Level::warning, "payload-digest-chunked",
          fmt::format("WARC-Payload-Digest is that of the body with its chunk sizes; by the standard it is that of the "
                      "body after transfer decoding, {}:{}",
                      io::to_string(field.algorithm), in_form_of(header.payload_digest(), entity)),
          "deduplication and indexes by digest will not find it among captures that were not chunked");
    }
    const std::string by_standard = in_form_of(header.payload_digest(), chunked ? entity : raw);
    std::string message = fmt::format("the payload's digest is {}:{}, WARC-Payload-Digest says {}",
                                      io::to_string(field.algorithm), by_standard, header.payload_digest());
    if (chunked)
      message += fmt::format(" (and over the chunked bytes it is {})", in_form_of(header.payload_digest(), raw));
    if (chunked && !splitter.decoder().has_all_data()) message += "; the chunked body is cut or broken";
    if (!header.truncated().empty()) {
      return tell(Level::warning, "payload-digest",
                  message + fmt::format("; the record is truncated ({}), the digest may be that of the whole",
                                        header.truncated()));
    }
    tell(Level::error, "payload-digest", std::move(message),
         "if the block digest is right, only the field is wrong; otherwise compare with another copy");
  }

  Reader reader_;
  const std::function<void(const Finding&)>& report_;
  CheckSummary summary_;
  uint64_t offset_ = 0;
  std::unordered_set<uint64_t> ids_;
  DigestPool block_pool_, raw_pool_, entity_pool_, readers_pool_;
};

}  // namespace

Result<CheckSummary> check_file(const ByteSource& source, const std::function<void(const Finding&)>& report) {
  return FileCheck(source, report).run();
}

}  // namespace caddis::warc
