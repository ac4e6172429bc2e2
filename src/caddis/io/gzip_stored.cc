#include "caddis/io/gzip_stored.h"

#include <libdeflate.h>

#include <algorithm>

#include "caddis/io/gzip_fields.h"

namespace caddis::io {
namespace {

constexpr size_t kMostInBlock = 0xFFFF;

// RFC 1952, 2.3: deflate, no flags, no time, extra flags "fastest", written on an unknown system.
void begin_member(std::string& out) { out.append("\x1F\x8B\x08\0\0\0\0\0\x04\xFF", 10); }

void append_little_endian(std::string& out, uint32_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

void append_block(std::string& out, std::string_view bytes, bool last) {
  const auto length = static_cast<uint32_t>(bytes.size());
  out += last ? '\1' : '\0';
  append_little_endian(out, length, 2);
  append_little_endian(out, ~length, 2);
  out += bytes;
}

void append_blocks(std::string& out, std::string_view bytes) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(kMostInBlock, bytes.size())))
    append_block(out, bytes.substr(0, kMostInBlock), false);
}

void end_member(std::string& out, uint32_t crc, uint32_t length) {
  append_block(out, {}, true);
  append_little_endian(out, crc, 4);
  append_little_endian(out, length, 4);
}

}  // namespace

void append_stored_member(std::string& out, std::span<const std::string_view> parts) {
  uint32_t crc = 0;
  size_t length = 0;
  for (const std::string_view part : parts) {
    crc = libdeflate_crc32(crc, part.data(), part.size());
    length += part.size();
  }
  const auto largest = std::ranges::max_element(parts, {}, &std::string_view::size);
  // What is small, or nothing but heads, is packed as a whole.
  constexpr size_t kLeast = 512;
  if (parts.empty() || largest->size() < kLeast || largest == parts.begin()) return append_fields_member(out, parts);
  begin_member(out);
  const auto before = parts.first(static_cast<size_t>(largest - parts.begin()));
  if (!before.empty()) append_fields_blocks(out, before);
  for (const std::string_view part : parts.subspan(before.size())) append_blocks(out, part);
  end_member(out, crc, static_cast<uint32_t>(length));
}

void StoredMember::write(std::string_view bytes, std::string& out) {
  if (!begun_) begin_member(out);
  begun_ = true;
  crc_ = libdeflate_crc32(crc_, bytes.data(), bytes.size());
  length_ += static_cast<uint32_t>(bytes.size());
  append_blocks(out, bytes);
}

void StoredMember::finish(std::string& out) {
  if (!begun_) begin_member(out);
  end_member(out, crc_, length_);
  *this = StoredMember();
}

}  // namespace caddis::io
