// Little-endian numbers and pieces of bytes that nobody vouches for: reading beyond the end gives zeros and nothing.
// Internal to documents.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/utf8.h"

namespace caddis::documents {

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  size_t size() const { return bytes_.size(); }
  size_t at() const { return at_; }
  bool at_end() const { return at_ >= bytes_.size(); }
  // Whether something was read beyond the end.
  bool overran() const { return overran_; }
  void seek(size_t at) { at_ = std::min(at, bytes_.size()); }
  void skip(size_t count) { (void)take(count); }

  uint8_t u8() { return static_cast<uint8_t>(number(1)); }
  uint16_t u16() { return static_cast<uint16_t>(number(2)); }
  uint32_t u32() { return static_cast<uint32_t>(number(4)); }
  // So many bytes, or as many as there are.
  std::string_view take(size_t count) {
    const std::string_view piece = bytes_.substr(at_, count);
    overran_ |= piece.size() < count;
    at_ += piece.size();
    return piece;
  }
  // The bytes before the next NUL, which is skipped.
  std::string_view text() {
    const size_t end = bytes_.find('\0', at_);
    if (end == std::string_view::npos) overran_ = true;
    const std::string_view piece = bytes_.substr(at_, end == std::string_view::npos ? end : end - at_);
    at_ = end == std::string_view::npos ? bytes_.size() : end + 1;
    return piece;
  }
  std::string_view rest() const { return bytes_.substr(at_); }

 private:
  uint64_t number(size_t count) {
    uint64_t value = 0;
    const std::string_view piece = take(count);
    for (size_t i = 0; i < piece.size(); ++i)
      value |= static_cast<uint64_t>(static_cast<unsigned char>(piece[i])) << (8 * i);
    return piece.size() == count ? value : 0;
  }

  std::string_view bytes_;
  size_t at_ = 0;
  bool overran_ = false;
};

// Appends UTF-16LE as UTF-8; what is no UTF-16 becomes U+FFFD.
inline void append_utf16(std::string& out, std::string_view bytes) {
  ByteReader units(bytes);
  while (units.size() - units.at() >= 2) {
    char32_t code = units.u16();
    if (code >= 0xD800 && code < 0xDC00 && units.size() - units.at() >= 2) {
      const size_t back = units.at();
      const char32_t low = units.u16();
      if (low >= 0xDC00 && low < 0xE000)
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      else
        units.seek(back);
    }
    append_utf8(out, code);
  }
}

// UTF-16LE as UTF-8, up to the first NUL.
inline std::string from_utf16(std::string_view bytes) {
  std::string text;
  append_utf16(text, bytes);
  return text.substr(0, text.find('\0'));
}

}  // namespace caddis::documents
