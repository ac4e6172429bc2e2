// Writing and reading of the small binary rows of the frontier: varints (LEB128), length-prefixed strings, big-endian
// numbers in keys. A Reader never reads past its end: it turns bad and gives zeros.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace caddis::frontier {

inline void put_varint(std::string& out, uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

inline void put_string(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out += text;
}

inline void put_be64(std::string& out, uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t byte = u8();
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }
  uint8_t u8() {
    if (rest_.empty()) {
      ok_ = false;
      return 0;
    }
    const uint8_t byte = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }
  std::string_view string() { return take(varint()); }
  std::string_view take(uint64_t size) {
    if (size > rest_.size()) {
      ok_ = false;
      return {};
    }
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }
  uint64_t be64() {
    uint64_t value = 0;
    for (const char c : take(8)) value = (value << 8) | static_cast<uint8_t>(c);
    return value;
  }
  std::string_view rest() const { return rest_; }
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace caddis::frontier
