// Rows are packed by what captures have in common: the URL nearly stands in the key, most types are a few, digests are
// SHA-1 in base32. What does not fit such a form stands as it is, so that every capture comes back as it went in.
#include "caddis/cdx/packed_row.h"

#include <algorithm>
#include <array>
#include <utility>

#include "caddis/base/hash.h"
#include "caddis/base/strings.h"
#include "caddis/io/base32.h"

namespace caddis::cdx {
namespace {

// ---- bytes

void put_varint(std::string& out, uint64_t number) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
  out += static_cast<char>(number);
}

void put_text(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out += text;
}

// Reads what was put; after a flaw everything is empty, and `broken`.
class Bytes {
 public:
  explicit Bytes(std::string_view rest) : rest_(rest) {}
  uint64_t varint() {
    uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::string_view one = take(1);
      if (one.empty()) return 0;
      number |= static_cast<uint64_t>(one.front() & 0x7F) << shift;
      if ((one.front() & 0x80) == 0) return number;
    }
    broken_ = true;
    return 0;
  }
  std::string_view take(uint64_t count) {
    if (count > rest_.size()) {
      broken_ = true;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  std::string_view text() { return take(varint()); }
  bool empty() const { return rest_.empty(); }
  bool broken() const { return broken_; }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  bool broken_ = false;
};

// A number as `std::to_string` writes it.
std::optional<uint64_t> plain_number(std::string_view text) {
  if (text.empty() || text.size() > 18 || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  uint64_t number = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    number = number * 10 + static_cast<uint64_t>(c - '0');
  }
  return number;
}

// ---- timestamps: half a byte a digit

constexpr int kEnd = 0, kBehindEnd = 1, kFirstDigit = 2, kAboveDigits = 12;

class HalfBytes {
 public:
  explicit HalfBytes(std::string& out) : out_(out) {}
  void put(int half) {
    if (high_)
      out_ += static_cast<char>(half << 4);
    else
      out_.back() = static_cast<char>(static_cast<unsigned char>(out_.back()) | half);
    high_ = !high_;
  }

 private:
  std::string& out_;
  bool high_ = true;
};

void put_timestamp(std::string& out, std::string_view digits) {
  HalfBytes halves(out);
  for (const char c : digits) halves.put(c - '0' + kFirstDigit);
  halves.put(kEnd);
}

bool take_timestamp(Bytes& bytes, std::string& timestamp) {
  timestamp.clear();
  for (;;) {
    const std::string_view one = bytes.take(1);
    if (one.empty()) return false;
    for (const int half : {static_cast<unsigned char>(one.front()) >> 4, one.front() & 0xF}) {
      if (half == kEnd) return !timestamp.empty();
      if (half < kFirstDigit || half >= kAboveDigits) return false;
      timestamp += static_cast<char>('0' + half - kFirstDigit);
    }
  }
}

// ---- URLs

enum UrlForm : unsigned char { kWhole, kHttp, kHttps, kHttpWww, kHttpsWww };
constexpr std::array<std::string_view, 5> kBegins = {"", "http://", "https://", "http://www.", "https://www."};

// "org,example:8080)/a" -> "example.org:8080/a"; empty where the key has no such form. Into `out`.
bool append_unreversed(std::string& out, std::string_view key) {
  const size_t end = key.find(')');
  if (end == std::string_view::npos || end == 0) return false;
  std::string_view host = key.substr(0, end);
  const size_t colon = host.find(':');
  const std::string_view port = colon == std::string_view::npos ? std::string_view() : host.substr(colon);
  host = host.substr(0, colon);
  for (size_t from = host.size();;) {
    const size_t comma = from == 0 ? std::string_view::npos : host.rfind(',', from - 1);
    const size_t begin = comma == std::string_view::npos ? 0 : comma + 1;
    out += host.substr(begin, from - begin);
    if (begin == 0) break;
    out += '.';
    from = comma;
  }
  out += port;
  out += key.substr(end + 1);
  return true;
}

UrlForm form_of(std::string_view url) {
  if (url.starts_with("http://www.")) return kHttpWww;
  if (url.starts_with("https://www.")) return kHttpsWww;
  if (url.starts_with("http://")) return kHttp;
  if (url.starts_with("https://")) return kHttps;
  return kWhole;
}

// How the URL differs from what its key suggests: bytes to drop at the end, and what follows then.
struct UrlDifference {
  UrlForm form = kWhole;
  size_t dropped = 0;
  std::string_view added;
};
UrlDifference difference_of(std::string_view url, std::string_view key) {
  thread_local std::string guess;
  UrlDifference difference{form_of(url), 0, url};
  if (difference.form == kWhole) return difference;
  guess = kBegins.at(difference.form);
  if (!append_unreversed(guess, key)) return {kWhole, 0, url};
  const size_t common = static_cast<size_t>(std::ranges::mismatch(url, guess).in1 - url.begin());
  difference.dropped = guess.size() - common;
  difference.added = url.substr(common);
  return difference;
}

// ---- types

// The order is part of the format: others are added at the end.
constexpr std::array<std::string_view, 48> kTypes = {
    "",
    "text/html",
    "image/jpeg",
    "image/png",
    "image/gif",
    "warc/revisit",
    "application/javascript",
    "text/css",
    "text/javascript",
    "application/x-javascript",
    "application/json",
    "text/plain",
    "application/pdf",
    "text/xml",
    "application/xml",
    "image/svg+xml",
    "image/webp",
    "image/x-icon",
    "image/vnd.microsoft.icon",
    "text/dns",
    "application/octet-stream",
    "font/woff2",
    "font/woff",
    "application/font-woff",
    "application/rss+xml",
    "application/atom+xml",
    "application/xhtml+xml",
    "unk",
    "no-type",
    "video/mp4",
    "audio/mpeg",
    "application/zip",
    "application/x-shockwave-flash",
    "application/msword",
    "application/vnd.ms-fontobject",
    "application/ld+json",
    "image/jpg",
    "image/avif",
    "image/bmp",
    "video/webm",
    "application/manifest+json",
    "application/x-font-ttf",
    "font/ttf",
    "application/font-woff2",
    "application/vnd.ms-excel",
    "application/postscript",
    "application/gzip",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document"};
constexpr unsigned char kOtherType = 255;

unsigned char type_number(std::string_view mime) {
  const auto place = std::ranges::find(kTypes, mime);
  return place == kTypes.end() ? kOtherType : static_cast<unsigned char>(place - kTypes.begin());
}

// ---- digests

enum DigestForm : unsigned char { kNoDigest, kSha1, kSha256Hex, kOtherDigest };
constexpr std::string_view kSha256Label = "sha256:";

bool is_base32(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '2' && c <= '7'); });
}
bool is_lower_hex(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}
DigestForm digest_form(std::string_view digest) {
  if (digest.empty()) return kNoDigest;
  if (digest.size() == 32 && is_base32(digest)) return kSha1;
  if (digest.size() == 71 && digest.starts_with(kSha256Label) && is_lower_hex(digest.substr(7))) return kSha256Hex;
  return kOtherDigest;
}

// ---- what few captures have

enum Tag : unsigned char {
  kRedirect = 1,
  kRobotFlags,
  kOriginalLength,
  kOriginalOffset,
  kOriginalFile,
  kOffset,
  kLength,
  kStatus,
  kExtra,
};

void put_tagged(std::string& out, Tag tag, std::string_view text) {
  if (text.empty()) return;
  out += static_cast<char>(tag);
  put_text(out, text);
}

bool has_place(const Capture& capture, const RowFiles& files) {
  return files.file != 0 && plain_number(capture.offset).has_value();
}

void put_rare(std::string& out, const Capture& capture, const RowFiles& files, bool odd_length, bool odd_status) {
  put_tagged(out, kRedirect, capture.redirect);
  put_tagged(out, kRobotFlags, capture.robotflags);
  put_tagged(out, kOriginalLength, capture.original_length);
  put_tagged(out, kOriginalOffset, capture.original_offset);
  if (files.original != 0) {
    std::string number;
    put_varint(number, files.original);
    put_tagged(out, kOriginalFile, number);
  }
  if (!has_place(capture, files)) put_tagged(out, kOffset, capture.offset);
  if (odd_length) put_tagged(out, kLength, capture.length);
  if (odd_status) put_tagged(out, kStatus, capture.status);
  for (const auto& [name, json] : capture.extra) put_tagged(out, kExtra, name + '\0' + json);
}

Result<void> take_rare(Bytes& bytes, Capture& capture, RowFiles& files) {
  while (!bytes.empty()) {
    const auto tag = static_cast<Tag>(bytes.take(1).front());
    const std::string_view text = bytes.text();
    switch (tag) {
      case kRedirect:
        capture.redirect = text;
        break;
      case kRobotFlags:
        capture.robotflags = text;
        break;
      case kOriginalLength:
        capture.original_length = text;
        break;
      case kOriginalOffset:
        capture.original_offset = text;
        break;
      case kOriginalFile:
        files.original = Bytes(text).varint();
        break;
      case kOffset:
        capture.offset = text;
        break;
      case kLength:
        capture.length = text;
        break;
      case kStatus:
        capture.status = text;
        break;
      case kExtra: {
        const size_t end = text.find('\0');
        if (end == std::string_view::npos) return fail(ErrorCode::corrupt, "a member without a name");
        capture.extra.emplace_back(text.substr(0, end), text.substr(end + 1));
        break;
      }
      default:
        return fail(ErrorCode::corrupt, "a field that is not known: a newer caddis has written it");
    }
  }
  return {};
}

constexpr int kDigestShift = 3;
constexpr unsigned char kHasRare = 0x80;

void put_url_and_type(std::string& out, const Capture& capture, const UrlDifference& url) {
  if (url.form != kWhole) put_varint(out, url.dropped);
  put_text(out, url.added);
  const unsigned char type = type_number(capture.mime);
  out += static_cast<char>(type);
  if (type == kOtherType) put_text(out, capture.mime);
}

Result<void> take_url_and_type(Bytes& bytes, UrlForm form, Capture& capture) {
  if (form > kHttpsWww) return fail(ErrorCode::corrupt, "a form of URL that is not known");
  capture.url = kBegins.at(form);
  if (form != kWhole) {
    if (!append_unreversed(capture.url, capture.urlkey)) return fail(ErrorCode::corrupt, "a key that is no SURT");
    const uint64_t dropped = bytes.varint();
    if (dropped > capture.url.size()) return fail(ErrorCode::corrupt, "a URL shorter than nothing");
    capture.url.resize(capture.url.size() - dropped);
  }
  capture.url += bytes.text();
  const std::string_view type = bytes.take(1);
  const unsigned char number = type.empty() ? 0 : static_cast<unsigned char>(type.front());
  if (number != kOtherType && number >= kTypes.size()) return fail(ErrorCode::corrupt, "a type that is not known");
  capture.mime = number == kOtherType ? bytes.text() : kTypes.at(number);
  return {};
}

void take_digest(Bytes& bytes, DigestForm form, std::string& digest) {
  digest.clear();
  if (form == kSha1) io::append_base32(digest, bytes.take(20));
  if (form == kSha256Hex) digest = std::string(kSha256Label) + to_hex(bytes.take(32));
  if (form == kOtherDigest) digest = bytes.text();
}

void put_digest(std::string& out, DigestForm form, std::string_view digest) {
  if (form == kSha1) out += *io::decode_base32(digest);
  if (form == kSha256Hex) out += *io::decode_hex(digest.substr(kSha256Label.size()));
  if (form == kOtherDigest) put_text(out, digest);
}

}  // namespace

Result<void> check_row(const Capture& capture) {
  const auto is_bad = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  if (capture.urlkey.empty() || std::ranges::any_of(capture.urlkey, is_bad))
    return fail(ErrorCode::parse, "a key that is empty, or has blanks");
  if (capture.urlkey.size() > kMaxRowKey) return fail(ErrorCode::limit, "a key longer than 64 KiB");
  if (capture.timestamp.size() < 4 || capture.timestamp.size() > 17 ||
      !std::ranges::all_of(capture.timestamp, is_digit))
    return fail(ErrorCode::parse, "a timestamp that is not 4 to 17 digits");
  return {};
}

void append_row_key(std::string& out, const Capture& capture, const RowFiles& files) {
  out += capture.urlkey;
  out += ' ';
  put_timestamp(out, capture.timestamp);
  const bool placed = has_place(capture, files);
  put_varint(out, placed ? files.file : 0);
  if (placed) return put_varint(out, *plain_number(capture.offset));
  uint64_t hash = siphash(capture.url, files.file, 0);
  for (const std::string* const part : {&capture.digest, &capture.offset}) hash = siphash(*part, hash, 0);
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(hash >> shift);
}

void append_row_value(std::string& out, const Capture& capture, const RowFiles& files) {
  const UrlDifference url = difference_of(capture.url, capture.urlkey);
  const DigestForm digest = digest_form(capture.digest);
  const auto status = plain_number(capture.status), length = plain_number(capture.length);
  const bool odd_status = !capture.status.empty() && !status, odd_length = !capture.length.empty() && !length;
  const size_t head = out.size();
  out += static_cast<char>(url.form | (digest << kDigestShift));
  put_url_and_type(out, capture, url);
  put_varint(out, status ? *status + 1 : 0);
  put_digest(out, digest, capture.digest);
  put_varint(out, length ? *length + 1 : 0);
  // Without a place in the key the file is not in it either.
  if (!has_place(capture, files)) put_varint(out, files.file);
  const size_t usual = out.size();
  put_rare(out, capture, files, odd_length, odd_status);
  if (out.size() > usual) out[head] = static_cast<char>(static_cast<unsigned char>(out[head]) | kHasRare);
}

std::string row_place(std::string_view line) {
  const size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return std::string(line);
  std::string place(line.substr(0, blank + 1));
  HalfBytes halves(place);
  for (const char c : line.substr(blank + 1)) {
    if (is_digit(c)) {
      halves.put(c - '0' + kFirstDigit);
      continue;
    }
    halves.put(c == ' ' ? kEnd : c < '0' ? kBehindEnd : kAboveDigits);
    break;
  }
  return place;
}

Result<RowFiles> decode_row(std::string_view key, std::string_view value, Capture& capture) {
  const size_t blank = key.find(' ');
  if (blank == std::string_view::npos) return fail(ErrorCode::corrupt, "a row without a time");
  RowFiles files;
  capture = Capture();
  capture.urlkey = key.substr(0, blank);
  Bytes place(key.substr(blank + 1));
  if (!take_timestamp(place, capture.timestamp)) return fail(ErrorCode::corrupt, "a row with a broken time");
  files.file = place.varint();
  const bool placed = files.file != 0;
  if (placed) capture.offset = std::to_string(place.varint());
  Bytes bytes(value);
  const std::string_view head_byte = bytes.take(1);
  if (head_byte.empty()) return fail(ErrorCode::corrupt, "a row without a value");
  const auto head = static_cast<unsigned char>(head_byte.front());
  TRY_VOID(take_url_and_type(bytes, static_cast<UrlForm>(head & 7), capture));
  if (const uint64_t status = bytes.varint(); status > 0) capture.status = std::to_string(status - 1);
  take_digest(bytes, static_cast<DigestForm>((head >> kDigestShift) & 3), capture.digest);
  if (const uint64_t length = bytes.varint(); length > 0) capture.length = std::to_string(length - 1);
  if (!placed) files.file = bytes.varint();
  if ((head & kHasRare) != 0) TRY_VOID(take_rare(bytes, capture, files));
  if (bytes.broken() || place.broken() || !bytes.empty())
    return fail(ErrorCode::corrupt, "a row that is cut, or too long");
  return files;
}

}  // namespace caddis::cdx
