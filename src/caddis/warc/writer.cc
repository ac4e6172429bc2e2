#include "caddis/warc/writer.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <vector>

#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"
#include "fmt/format.h"

namespace caddis::warc {
namespace {

constexpr std::string_view kSeparator = "\r\n\r\n";

void append_value(std::string& out, std::string_view value) {
  const size_t start = out.size();
  out += value;
  std::replace_if(out.begin() + static_cast<ptrdiff_t>(start), out.end(), is_control, ' ');
}

bool is_written_escaped(char c) { return static_cast<unsigned char>(c) <= 32 || c == '<' || c == '>' || c == 127; }

}  // namespace

std::string record_id(Random& random) { return "<urn:uuid:" + random.uuid() + ">"; }

std::string referred_date(WallTime date) {
  if (date == std::chrono::floor<std::chrono::seconds>(date)) return rfc3339(date);
  return date == std::chrono::floor<std::chrono::milliseconds>(date) ? rfc3339_millis(date) : rfc3339_micros(date);
}

RecordFields::RecordFields(RecordType type, std::string_view id, std::string_view date) : text_("WARC/1.1\r\n") {
  constexpr size_t kUsualSize = 700;
  text_.reserve(kUsualSize);
  field("WARC-Type", to_string(type));
  field("WARC-Record-ID", id);
  field("WARC-Date", date);
}

// A URI as fields of records have it.
std::string written_uri(std::string_view uri) {
  std::string written;
  written.reserve(uri.size());
  for (const char c : uri) {
    if (is_written_escaped(c))
      written += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      written += c;
  }
  return written;
}

RecordFields RecordFields::warcinfo(std::string_view id, std::string_view date, std::string_view filename) {
  RecordFields fields(RecordType::warcinfo, id, date);
  fields.field("WARC-Filename", filename).content_type(kWarcFields);
  return fields;
}

RecordFields RecordFields::response(std::string_view id, std::string_view date, std::string_view target_uri) {
  RecordFields fields(RecordType::response, id, date);
  fields.target_uri(target_uri);
  return fields;
}

RecordFields RecordFields::request(std::string_view id, std::string_view date, std::string_view target_uri,
                                   std::string_view concurrent_to) {
  RecordFields fields(RecordType::request, id, date);
  fields.target_uri(target_uri).concurrent_to(concurrent_to);
  return fields;
}

RecordFields RecordFields::metadata(std::string_view id, std::string_view date, std::string_view target_uri,
                                    std::string_view concurrent_to) {
  RecordFields fields(RecordType::metadata, id, date);
  fields.target_uri(target_uri).concurrent_to(concurrent_to).content_type(kWarcFields);
  return fields;
}

RecordFields RecordFields::resource(std::string_view id, std::string_view date, std::string_view target_uri,
                                    std::string_view content_type) {
  RecordFields fields(RecordType::resource, id, date);
  fields.target_uri(target_uri).content_type(content_type);
  return fields;
}

RecordFields RecordFields::revisit(std::string_view id, std::string_view date, std::string_view target_uri,
                                   std::string_view profile, std::string_view payload_digest,
                                   std::string_view original_id, std::string_view original_uri,
                                   std::string_view original_date) {
  RecordFields fields(RecordType::revisit, id, date);
  fields.target_uri(target_uri).field("WARC-Profile", profile).payload_digest(payload_digest);
  fields.field("WARC-Refers-To", original_id);
  if (!original_uri.empty()) {
    fields.field("WARC-Refers-To-Target-URI", written_uri(original_uri)).field("WARC-Refers-To-Date", original_date);
  }
  return fields;
}

RecordFields& RecordFields::target_uri(std::string_view uri) { return field("WARC-Target-URI", written_uri(uri)); }

RecordFields& RecordFields::content_type(std::string_view type) { return field("Content-Type", type); }
RecordFields& RecordFields::ip_address(std::string_view ip) { return field("WARC-IP-Address", ip); }
RecordFields& RecordFields::concurrent_to(std::string_view id) { return field("WARC-Concurrent-To", id); }
RecordFields& RecordFields::warcinfo_id(std::string_view id) { return field("WARC-Warcinfo-ID", id); }
RecordFields& RecordFields::payload_digest(std::string_view labelled) { return field("WARC-Payload-Digest", labelled); }
RecordFields& RecordFields::block_digest(std::string_view labelled) { return field("WARC-Block-Digest", labelled); }
RecordFields& RecordFields::identified_payload_type(std::string_view type) {
  return field("WARC-Identified-Payload-Type", type);
}
RecordFields& RecordFields::protocol(std::string_view name) { return field("WARC-Protocol", name); }
RecordFields& RecordFields::cipher_suite(std::string_view name) { return field("WARC-Cipher-Suite", name); }

RecordFields& RecordFields::as_version_1_0() {
  constexpr size_t kMinor = std::string_view("WARC/1.").size();
  text_[kMinor] = '0';
  return *this;
}

RecordFields& RecordFields::truncated(Truncated reason) {
  constexpr std::array<std::string_view, 4> kReasons{"length", "time", "disconnect", "unspecified"};
  return field("WARC-Truncated", kReasons[static_cast<size_t>(reason)]);
}

RecordFields& RecordFields::field(std::string_view name, std::string_view value) {
  if (value.empty()) return *this;
  text_ += name;
  text_ += ": ";
  append_value(text_, value);
  text_ += "\r\n";
  return *this;
}

std::string RecordFields::length_line(uint64_t content_length) {
  return "Content-Length: " + std::to_string(content_length) + "\r\n\r\n";
}

std::string RecordFields::header_block(uint64_t content_length) const { return text_ + length_line(content_length); }

void append_record(std::string& out, const RecordFields& fields, std::span<const std::string_view> block,
                   Compression compression, const io::ZstdDictionary* dictionary) {
  uint64_t length = 0;
  for (const std::string_view part : block) length += part.size();
  const std::string length_line = RecordFields::length_line(length);
  std::vector<std::string_view> parts;
  parts.reserve(block.size() + 3);
  parts.push_back(fields.text());
  parts.push_back(length_line);
  parts.insert(parts.end(), block.begin(), block.end());
  parts.push_back(kSeparator);
  append_unit(out, parts, compression, dictionary);
}

Result<void> write_record(const RecordFields& fields, uint64_t content_length, const BlockSource& read,
                          Compression compression, const RecordSink& write, const io::ZstdDictionary* dictionary) {
  constexpr size_t kBuffer = 256 * 1024;
  const auto buffer = std::make_unique_for_overwrite<char[]>(kBuffer);
  const std::string header = fields.header_block(content_length);
  UnitStream unit(compression, header.size() + content_length + kSeparator.size(), dictionary);
  std::string packed;
  const auto put = [&](std::string_view bytes) -> Result<void> {
    packed.clear();
    unit.write(bytes, packed);
    return packed.empty() ? Result<void>() : write(packed);
  };
  TRY_VOID(put(header));
  uint64_t left = content_length;
  for (;;) {
    // One byte more than is expected tells a block that is too long.
    const size_t wanted = static_cast<size_t>(std::min<uint64_t>(kBuffer, left + 1));
    TRY(const size_t n, read(buffer.get(), wanted));
    if (n == 0) break;
    if (n > left)
      return fail(ErrorCode::corrupt, fmt::format("the block has more than the {} bytes announced", content_length));
    left -= n;
    TRY_VOID(put({buffer.get(), n}));
  }
  if (left > 0) {
    return fail(ErrorCode::corrupt,
                fmt::format("the block ends {} bytes before the {} announced", left, content_length));
  }
  TRY_VOID(put(kSeparator));
  packed.clear();
  unit.finish(packed);
  return packed.empty() ? Result<void>() : write(packed);
}

}  // namespace caddis::warc
