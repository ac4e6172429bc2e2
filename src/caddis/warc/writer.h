// Building WARC/1.1 records as bytes (packer.h packs them). Nothing here touches a file: a lane builds and compresses, the committer appends.
//
//   auto fields = RecordFields::response(record_id(random), rfc3339(now), url);
//   fields.content_type(kHttpResponse).ip_address(ip).payload_digest(digest_label(payload)).block_digest(...);
//   append_record(out, fields, {head, body}, Compression::fast);      // one gzip member
//
// Grammar and the order of fields: docs/formats/warc.md. Line breaks and other controls in a value become blanks, so
// that no value can end the header.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/base/random.h"
#include "caddis/warc/packer.h"
#include "caddis/warc/record.h"

namespace caddis::warc {

// "<urn:uuid:…>", with the brackets that the fields for record ids have.
std::string record_id(Random& random);

inline constexpr std::string_view kHttpResponse = "application/http;msgtype=response";
inline constexpr std::string_view kHttpRequest = "application/http;msgtype=request";
inline constexpr std::string_view kWarcFields = "application/warc-fields";

enum class Truncated { length, time, disconnect, unspecified };

// The date of an original as a revisit names it: to the letter as in the original's own record, as far as it is known (an
// index has seconds only).
std::string referred_date(WallTime date);

// The header of a record to be. Every setter appends its field; empty values append nothing.
class RecordFields {
 public:
  // `id` with brackets (record_id), `date` in RFC 3339, as rfc3339() or rfc3339_micros() give it.
  RecordFields(RecordType type, std::string_view id, std::string_view date);
  static RecordFields warcinfo(std::string_view id, std::string_view date, std::string_view filename);
  static RecordFields response(std::string_view id, std::string_view date, std::string_view target_uri);
  static RecordFields request(std::string_view id, std::string_view date, std::string_view target_uri,
                              std::string_view concurrent_to);
  static RecordFields metadata(std::string_view id, std::string_view date, std::string_view target_uri,
                               std::string_view concurrent_to);
  static RecordFields resource(std::string_view id, std::string_view date, std::string_view target_uri,
                               std::string_view content_type);
  // An identical payload found at `original_uri` on `original_date` (referred_date); `original_id` may be empty if it is
  // not known.
  static RecordFields revisit(std::string_view id, std::string_view date, std::string_view target_uri,
                              std::string_view profile, std::string_view payload_digest, std::string_view original_id,
                              std::string_view original_uri, std::string_view original_date);

  RecordFields& target_uri(std::string_view uri);  // blanks and brackets percent-encoded
  RecordFields& content_type(std::string_view type);
  RecordFields& ip_address(std::string_view ip);
  RecordFields& concurrent_to(std::string_view id);
  RecordFields& warcinfo_id(std::string_view id);
  RecordFields& payload_digest(std::string_view labelled);
  RecordFields& block_digest(std::string_view labelled);
  RecordFields& identified_payload_type(std::string_view type);
  RecordFields& truncated(Truncated reason);
  RecordFields& protocol(std::string_view name);
  RecordFields& cipher_suite(std::string_view name);
  // Makes it a record of WARC 1.0 (ISO 28500:2009).
  RecordFields& as_version_1_0();
  // Any other field, extensions included.
  RecordFields& field(std::string_view name, std::string_view value);

  // The header block: version line, fields, Content-Length, and the empty line.
  std::string header_block(uint64_t content_length) const;
  // Its two parts: what was set, and the rest.
  std::string_view text() const { return text_; }
  static std::string length_line(uint64_t content_length);

 private:
  std::string text_;
};

// Appends one whole record: as one gzip member or zstd frame, or plain. `block` is the concatenation of the parts. The
// dictionary is that of the file (io::dictionary_frame); only zstd frames use it.
void append_record(std::string& out, const RecordFields& fields, std::span<const std::string_view> block,
                   Compression compression, const io::ZstdDictionary* dictionary = nullptr);
inline void append_record(std::string& out, const RecordFields& fields, std::initializer_list<std::string_view> block,
                          Compression compression, const io::ZstdDictionary* dictionary = nullptr) {
  append_record(out, fields, std::span(block.begin(), block.size()), compression, dictionary);
}

// The same for a block that lies in a file: `read` gives its next bytes (0 at the end), `write` takes pieces of the
// record. Fails where the block does not have exactly `content_length` bytes: the bytes written by then must be taken
// back.
using BlockSource = std::function<Result<size_t>(char* buffer, size_t size)>;
using RecordSink = std::function<Result<void>(std::string_view bytes)>;
Result<void> write_record(const RecordFields& fields, uint64_t content_length, const BlockSource& read,
                          Compression compression, const RecordSink& write,
                          const io::ZstdDictionary* dictionary = nullptr);

}  // namespace caddis::warc
