#include "caddis/dedup/original_block.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/dedup/bytes.h"
#include "caddis/io/checksum.h"

namespace caddis::dedup {
namespace {

using std::chrono::seconds;

// Flags of an original, from the lowest bit: scheme, precision of the date, record id, etag, last-modified.
constexpr unsigned kPrecisionAt = 2, kIdAt = 4;
constexpr uint8_t kHasEtag = 0x40, kHasModified = 0x80;
constexpr uint8_t kIdUuid = 1, kIdText = 2;
constexpr uint8_t kMillis = 1, kMicros = 2;
constexpr uint8_t kStored = 0, kCompressed = 1;
constexpr size_t kUuidSize = 16;
constexpr size_t kMaxText = 8 << 20;
constexpr int64_t kMostSeconds = 300'000'000'000;  // beyond the year 9999, and far from an overflow
constexpr std::string_view kUuidFront = "<urn:uuid:";

int64_t seconds_of(WallTime time) { return std::chrono::floor<seconds>(time).time_since_epoch().count(); }
int64_t micros_within(WallTime time) { return (time - std::chrono::floor<seconds>(time)).count(); }

std::string uuid_text(std::string_view raw) {
  constexpr size_t kTextSize = 48;
  const std::string hex = to_hex(raw);
  std::string text;
  text.reserve(kTextSize);
  text += kUuidFront;
  for (size_t i = 0; i < hex.size(); ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) text += '-';
    text += hex[i];
  }
  text += '>';
  return text;
}

// The 16 bytes of a record id that is written like the usual ones, byte for byte.
std::optional<std::string> usual_uuid(std::string_view id) {
  if (!id.starts_with(kUuidFront)) return std::nullopt;
  std::string hex;
  for (const char c : id.substr(kUuidFront.size()))
    if (c != '-' && c != '>') hex += c;
  auto raw = from_hex(hex);
  if (!raw || raw->size() != kUuidSize || uuid_text(*raw) != id) return std::nullopt;
  return raw;
}

size_t common_prefix(std::string_view a, std::string_view b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

// A date as HTTP writes it today is stored as a number; its lowest bit tells.
void put_modified(std::string& out, std::string_view text, int64_t capture_seconds) {
  if (const auto date = parse_http_date(text); date && http_date(*date) == text) {
    put_varint(out, zigzag(capture_seconds - seconds_of(*date)) << 1);
  } else {
    put_varint(out, text.size() << 1 | 1);
    out += text;
  }
}

// As it is stored: most are passed over, and writing a date takes its time.
struct StoredModified {
  std::string_view text;
  std::optional<int64_t> before;  // the capture, in seconds

  static StoredModified take(ByteReader& reader) {
    const uint64_t number = reader.varint();
    if ((number & 1) != 0) return {reader.bytes(number >> 1), {}};
    return {{}, from_zigzag(number >> 1)};
  }
  std::string value(int64_t capture_seconds) const {
    if (!before) return std::string(text);
    if (std::abs(*before >> 1) > kMostSeconds) return {};
    return http_date(WallTime(seconds(capture_seconds - *before)));
  }
};

}  // namespace

void BlockText::add(std::string_view digest_rest, const Original& original) {
  ++count_;
  rests_ += digest_rest;
  const StoredUrl url = split_url(original.url);
  const int64_t micros = micros_within(original.date);
  auto flags = static_cast<uint8_t>(url.scheme);
  if (micros != 0) flags |= (micros % 1000 == 0 ? kMillis : kMicros) << kPrecisionAt;
  const auto uuid = usual_uuid(original.record_id);
  if (!original.record_id.empty()) flags |= (uuid ? kIdUuid : kIdText) << kIdAt;
  if (!original.etag.empty()) flags |= kHasEtag;
  if (!original.last_modified.empty()) flags |= kHasModified;
  text_ += static_cast<char>(flags);
  const size_t shared = common_prefix(previous_url_, url.rest);
  put_varint(text_, shared);
  put_text(text_, url.rest.substr(shared));
  previous_url_ = url.rest;
  add_facts(original, flags, uuid.value_or(std::string()));
}

void BlockText::add_facts(const Original& original, uint8_t flags, std::string_view uuid) {
  const int64_t now = seconds_of(original.date);
  put_varint(text_, zigzag(now - previous_seconds_));
  previous_seconds_ = now;
  const int64_t micros = micros_within(original.date);
  if (micros != 0) put_varint(text_, static_cast<uint64_t>(micros % 1000 == 0 ? micros / 1000 : micros));
  uuids_ += uuid;
  if ((flags >> kIdAt & 3) == kIdText) put_text(text_, original.record_id);
  if ((flags & kHasEtag) != 0) put_text(text_, original.etag);
  if ((flags & kHasModified) != 0) put_modified(text_, original.last_modified, now);
}

std::string BlockText::take() {
  std::string taken;
  put_text(taken, text_);
  put_text(taken, rests_);
  put_text(taken, uuids_);
  *this = BlockText();
  return taken;
}

std::string_view text_of(std::string_view taken) { return ByteReader(taken).text(); }

void append_block(std::string& out, std::string_view taken, io::BlockCompressor& compressor) {
  ByteReader parts(taken);
  const std::string_view text = parts.text(), rests = parts.text(), uuids = parts.text();
  std::string frame;
  compressor.append(frame, text);
  const bool is_smaller = frame.size() < text.size();
  const std::string_view stored = is_smaller ? frame : text;
  std::string body(rests);
  body += static_cast<char>(is_smaller ? kCompressed : kStored);
  put_text(body, stored);
  body += uuids;
  put_number(out, io::crc32(body));
  out += body;
}

Result<OriginalBlock> OriginalBlock::open(std::string_view bytes, size_t count, size_t rest_size,
                                          const io::BlockDecompressor& decompressor) {
  ByteReader reader(bytes);
  const std::string_view checksum = reader.bytes(sizeof(uint32_t));
  if (!reader.ok() || io::crc32(reader.rest()) != get_number<uint32_t>(checksum.data()))
    return fail(ErrorCode::corrupt, "a block of originals whose checksum is wrong");
  OriginalBlock block;
  block.count_ = count;
  block.rest_size_ = rest_size;
  block.rests_ = reader.bytes(count * rest_size);
  const uint8_t kind = reader.byte();
  block.text_ = reader.text();
  block.uuids_ = reader.rest();
  if (!reader.ok() || kind > kCompressed) return fail(ErrorCode::corrupt, "a block of originals that makes no sense");
  if (kind == kCompressed) {
    TRY(block.text_, decompressor.decompress(block.text_, kMaxText));
  }
  return block;
}

// Originals one by one: each is stored as what differs from the one before.
class OriginalBlock::Rows {
 public:
  Rows(std::string_view text, std::string_view uuids) : text_(text), uuids_(uuids) {}

  Result<void> next() {
    flags_ = text_.byte();
    const uint64_t shared = text_.varint();
    if (shared > url_.size()) return nonsense();
    url_.resize(shared);
    url_ += text_.text();
    take_date();
    const uint8_t id = flags_ >> kIdAt & 3;
    uuid_ = id == kIdUuid ? uuids_.bytes(kUuidSize) : std::string_view();
    id_text_ = id == kIdText ? text_.text() : std::string_view();
    etag_ = (flags_ & kHasEtag) != 0 ? text_.text() : std::string_view();
    // Before a date is made of them.
    if (!text_.ok() || !uuids_.ok() || std::abs(seconds_) > kMostSeconds || micros_ >= 1'000'000) return nonsense();
    modified_ = (flags_ & kHasModified) != 0 ? StoredModified::take(text_) : StoredModified();
    return text_.ok() ? Result<void>() : nonsense();
  }

  Original original() const {
    const WallTime date(std::chrono::seconds(seconds_) + std::chrono::microseconds(micros_));
    return {join_url(flags_ & 3, url_), date, uuid_.empty() ? std::string(id_text_) : uuid_text(uuid_),
            std::string(etag_), modified_.value(seconds_)};
  }

 private:
  static std::unexpected<Error> nonsense() {
    return fail(ErrorCode::corrupt, "a block of originals that makes no sense");
  }
  void take_date() {
    // Unsigned: what damage makes of it may overflow.
    seconds_ =
        static_cast<int64_t>(static_cast<uint64_t>(seconds_) + static_cast<uint64_t>(from_zigzag(text_.varint())));
    const uint8_t precision = flags_ >> kPrecisionAt & 3;
    micros_ = precision == 0 ? 0 : text_.varint();
    if (precision == kMillis) micros_ *= 1000;
  }

  ByteReader text_, uuids_;
  uint8_t flags_ = 0;
  std::string url_;
  std::string_view uuid_, id_text_, etag_;
  StoredModified modified_;
  int64_t seconds_ = 0;
  uint64_t micros_ = 0;
};

Result<Original> OriginalBlock::original(size_t i) const {
  Rows rows(text_, uuids_);
  for (size_t at = 0; at <= i; ++at) TRY_VOID(rows.next());
  return rows.original();
}

Result<std::vector<OriginalBlock::Entry>> OriginalBlock::all() const {
  std::vector<Entry> entries;
  Rows rows(text_, uuids_);
  for (size_t i = 0; i < count_; ++i) {
    TRY_VOID(rows.next());
    entries.push_back({digest_rest(i), rows.original()});
  }
  return entries;
}

}  // namespace caddis::dedup
