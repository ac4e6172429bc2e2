#include "caddis/warc/digest_check.h"

#include "caddis/base/blank_line.h"
#include "caddis/base/strings.h"
#include "caddis/io/base32.h"
#include "fmt/format.h"

namespace caddis::warc {
namespace {

// A digest in the form that the field uses.
std::string in_form_of(std::string_view field, std::string_view raw) {
  const std::string_view value = field.substr(field.find(':') + 1);
  return trim(value).size() == raw.size() * 2 ? to_hex(raw) : io::base32(raw);
}

// A segment's or a revisit's payload digest is that of bytes which are not all here.
bool payload_is_here(const Header& header) {
  return header.type() != RecordType::revisit && header.type() != RecordType::continuation &&
         !header.has("WARC-Segment-Number");
}

}  // namespace

void ReadersPayload::body(const PayloadSplitter& splitter, std::string_view bytes) {
  if (digest_ == nullptr) return;
  if (!begun_) {
    begun_ = true;
    const size_t begin = after_blank_line(splitter.head());
    differs_ = begin < splitter.head().size();
    if (differs_) digest_->update(std::string_view(splitter.head()).substr(begin));
  }
  if (differs_) digest_->update(bytes);
}

io::Digest& DigestCheck::Pool::get(io::DigestAlgorithm algorithm) {
  auto& slot = slots_[static_cast<size_t>(algorithm)];
  if (!slot) slot.emplace(algorithm);
  return *slot;
}

// The digest that a field asks for, if it can be computed.
std::optional<DigestField> DigestCheck::wanted(std::string_view name, std::string_view value) {
  if (value.empty()) return std::nullopt;
  auto field = parse_digest_field(value);
  if (!field) {
    report_(Level::warning, "digest-form", fmt::format("{}: {} names no known algorithm; not verified", name, value),
            "");
  } else if (!field->usual_form && !field->raw.empty()) {
    report_(Level::info, "digest-form",
            fmt::format("{}: {} is not in the usual form (base32 in upper case)", name, value), "");
  }
  return field;
}

void DigestCheck::begin(const Header& header) {
  header_ = &header;
  block_holds_ = false;
  block_ = wanted("WARC-Block-Digest", header.block_digest());
  payload_ = wanted("WARC-Payload-Digest", header.payload_digest());
  if (!payload_is_here(header)) payload_.reset();
  const bool http = is_http(header);
  splitter_.emplace(http);
  readers_.emplace(payload_ && http ? &readers_pool_.get(payload_->algorithm) : nullptr);
}

void DigestCheck::feed(std::string_view piece) {
  if (block_) block_pool_.get(block_->algorithm).update(piece);
  if (!payload_) return;
  io::Digest& raw = raw_pool_.get(payload_->algorithm);
  io::Digest& entity = entity_pool_.get(payload_->algorithm);
  splitter_->feed(
      piece,
      [&](std::string_view bytes) {
        raw.update(bytes);
        readers_->body(*splitter_, bytes);
      },
      [&](std::string_view bytes) { entity.update(bytes); });
}

uint64_t DigestCheck::finish(bool complete) {
  // All are finished in any case: they begin anew with that.
  const std::string block = block_ ? block_pool_.get(block_->algorithm).finish() : std::string();
  const std::string raw = payload_ ? raw_pool_.get(payload_->algorithm).finish() : std::string();
  const std::string entity = payload_ ? entity_pool_.get(payload_->algorithm).finish() : std::string();
  readers_->body(*splitter_, {});
  const std::string readers = readers_->finish();
  if (!complete) return 0;
  if (block_) compare_block(block);
  if (payload_) compare_payload(raw, entity, readers);
  return (block_ ? 1 : 0) + (payload_ ? 1 : 0);
}

void DigestCheck::compare_block(const std::string& computed) {
  block_holds_ = block_->raw == computed;
  if (block_holds_) return;
  report_(Level::error, "block-digest",
          fmt::format("the block's digest is {}:{}, WARC-Block-Digest says {}", io::to_string(block_->algorithm),
                      in_form_of(header_->block_digest(), computed), header_->block_digest()),
          "the block was altered after it was written, or written with a wrong digest: compare with another copy");
}

void DigestCheck::compare_payload(const std::string& raw, const std::string& entity, const std::string& readers) {
  if (!readers.empty() && payload_->raw == readers) {
    return report_(Level::info, "payload-digest-blank-line",
                   "a blank line stands before the end of the HTTP head; WARC-Payload-Digest is that of all behind it, "
                   "where many readers take the body to begin",
                   "");
  }
  const bool chunked = splitter_->was_chunked();
  if (payload_->raw == (chunked ? entity : raw)) return;
  const std::string_view said = header_->payload_digest();
  const std::string by_standard = in_form_of(said, chunked ? entity : raw);
  if (chunked && payload_->raw == raw) {
    return report_(Level::warning, "payload-digest-chunked",
                   fmt::format("WARC-Payload-Digest is that of the body with its chunk sizes; by the standard it is "
                               "that of the body after transfer decoding, {}:{}",
                               io::to_string(payload_->algorithm), by_standard),
                   "deduplication and indexes by digest will not find it among captures that were not chunked");
  }
  std::string message = fmt::format("the payload's digest is {}:{}, WARC-Payload-Digest says {}",
                                    io::to_string(payload_->algorithm), by_standard, said);
  if (chunked) message += fmt::format(" (and over the chunked bytes it is {})", in_form_of(said, raw));
  if (chunked && !splitter_->decoder().has_all_data()) message += "; the chunked body is cut or broken";
  if (!header_->truncated().empty()) {
    message += fmt::format("; the record is truncated ({}), the digest may be that of the whole", header_->truncated());
    return report_(Level::warning, "payload-digest", std::move(message), "");
  }
  report_(Level::error, "payload-digest", std::move(message),
          "if the block digest is right, only the field is wrong; otherwise compare with another copy");
}

}  // namespace caddis::warc
