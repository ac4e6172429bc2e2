#include "caddis/documents/worker_messages.h"

#include "caddis/base/utf8.h"
#include "caddis/documents/byte_reader.h"

namespace caddis::documents {
namespace {

constexpr size_t kLongestText = 2000;  // of a problem; a base may be as long as a URL

void put(std::string& out, uint64_t value, size_t bytes) {
  for (; bytes > 0; --bytes, value >>= 8) out += static_cast<char>(value & 0xFF);
}

void put(std::string& out, std::string_view text) {
  put(out, text.size(), 4);
  out += text;
}

uint64_t take_u64(ByteReader& reader) {
  const uint64_t low = reader.u32();
  return low | uint64_t{reader.u32()} << 32;
}

// A text in UTF-8 of at most `most` bytes; others count as overrun.
bool take_text(ByteReader& reader, size_t most, std::string& out) {
  const size_t length = reader.u32();
  if (length > most) return false;
  out = reader.take(length);
  return out.size() == length && is_utf8(out);
}

bool is_kind(char kind) { return kind == 'L' || kind == 'E' || kind == 'X'; }

// Bytes above ASCII that are no UTF-8 become two each (LinkCollector::add).
size_t longest_url(const Limits& limits) { return 2 * limits.url_length; }

std::string valid_text(std::string_view text) {
  std::string out(text.substr(0, kLongestText / 2));
  if (is_utf8(out)) return out;
  for (char& c : out)
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  return out;
}

std::unexpected<Error> broken() { return fail(ErrorCode::corrupt, "the answer of the document worker is damaged"); }

}  // namespace

uint64_t longest_answer(const Limits& limits) {
  constexpr uint64_t kPerLink = 5, kOther = 64 * 1024;
  return limits.links * (longest_url(limits) + kPerLink) + longest_url(limits) + kOther;
}

std::string encode_answer(const Found& found) {
  std::string out;
  put(out, found.dropped, 8);
  put(out, found.attachments, 8);
  put(out, valid_text(found.problem));
  put(out, is_utf8(found.base) ? found.base : std::string());
  put(out, found.links.size(), 4);
  for (const FoundLink& link : found.links) {
    out += static_cast<char>(link.kind);
    put(out, link.url);
  }
  return out;
}

Result<Found> decode_answer(std::string_view bytes, const Limits& limits) {
  ByteReader reader(bytes);
  Found found;
  found.dropped = take_u64(reader);
  found.attachments = take_u64(reader);
  if (!take_text(reader, kLongestText, found.problem)) return broken();
  if (!take_text(reader, reader.size(), found.base)) return broken();
  const size_t count = reader.u32();
  if (count > limits.links) return broken();
  for (size_t i = 0; i < count; ++i) {
    const char kind = static_cast<char>(reader.u8());
    FoundLink link;
    if (!is_kind(kind) || !take_text(reader, longest_url(limits), link.url)) return broken();
    link.kind = static_cast<LinkKind>(kind);
    found.links.push_back(std::move(link));
  }
  if (reader.overran() || !reader.at_end()) return broken();
  return found;
}

}  // namespace caddis::documents
