// Numbers and texts in the bytes of the digest index (docs/formats/digest-index.md).
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace caddis::dedup {

// Little-endian.
template <class Number>
void put_number(std::string& out, Number number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

template <class Number>
Number get_number(const char* bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

// Seven bits a byte, the lowest first.
inline void put_varint(std::string& out, uint64_t number) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
  out += static_cast<char>(number);
}

// Small numbers of either sign become small numbers.
inline uint64_t zigzag(int64_t number) {
  return (static_cast<uint64_t>(number) << 1) ^ static_cast<uint64_t>(number >> 63);
}
inline int64_t from_zigzag(uint64_t number) {
  return static_cast<int64_t>(number >> 1) ^ -static_cast<int64_t>(number & 1);
}

inline void put_text(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out += text;
}

// Takes values from the front of bytes. After a value that was not there, `ok()` is false and all others are 0 or
// empty.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  std::string_view rest() const { return rest_; }

  std::string_view bytes(uint64_t size) {
    if (size > rest_.size()) return broken();
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  uint8_t byte() {
    const std::string_view taken = bytes(1);
    return taken.empty() ? 0 : static_cast<uint8_t>(taken.front());
  }
  uint64_t varint() {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint8_t next = byte();
      number |= static_cast<uint64_t>(next & 0x7f) << shift;
      if (next < 0x80) return number;
    }
    broken();
    return 0;
  }
  std::string_view text() { return bytes(varint()); }

 private:
  std::string_view broken() {
    ok_ = false;
    rest_ = {};
    return {};
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace caddis::dedup
