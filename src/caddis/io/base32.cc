#include "caddis/io/base32.h"

#include <array>
#include <cstdint>

#include "caddis/base/strings.h"

namespace caddis::io {
namespace {

constexpr std::string_view kBase32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

using Table = std::array<int8_t, 256>;

constexpr Table base32_table() {
  Table table;
  table.fill(-1);
  for (size_t i = 0; i < kBase32.size(); ++i) {
    table[static_cast<uint8_t>(kBase32[i])] = static_cast<int8_t>(i);
    table[static_cast<uint8_t>(to_lower(kBase32[i]))] = static_cast<int8_t>(i);
  }
  return table;
}

constexpr Table base64_table() {
  Table table;
  table.fill(-1);
  for (size_t i = 0; i < kBase64.size(); ++i) table[static_cast<uint8_t>(kBase64[i])] = static_cast<int8_t>(i);
  table['-'] = 62;
  table['_'] = 63;
  return table;
}

// Bits left over at the end must be fewer than a digit holds, and zero: otherwise two texts would stand for one value.
std::optional<std::string> decode(std::string_view text, const Table& table, int bits_per_digit) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string raw;
  raw.reserve(text.size());
  uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const int value = table[static_cast<uint8_t>(c)];
    if (value < 0) return std::nullopt;
    bits = (bits << bits_per_digit) | static_cast<uint32_t>(value);
    held += bits_per_digit;
    if (held >= 8) {
      held -= 8;
      raw += static_cast<char>((bits >> held) & 0xff);
    }
  }
  if (held >= bits_per_digit || (bits & ((1U << held) - 1)) != 0) return std::nullopt;
  return raw;
}

}  // namespace

std::string base32(std::string_view raw) {
  std::string text;
  text.reserve((raw.size() * 8 + 4) / 5);
  append_base32(text, raw);
  return text;
}

void append_base32(std::string& text, std::string_view raw) {
  uint32_t bits = 0;
  int held = 0;
  for (const char c : raw) {
    bits = (bits << 8) | static_cast<uint8_t>(c);
    held += 8;
    while (held >= 5) {
      held -= 5;
      text += kBase32[(bits >> held) & 31];
    }
  }
  if (held > 0) text += kBase32[(bits << (5 - held)) & 31];
}

std::optional<std::string> decode_base32(std::string_view text) {
  static constexpr Table kTable = base32_table();
  return decode(text, kTable, 5);
}

std::string encode_base64(std::string_view raw) {
  std::string text;
  text.reserve((raw.size() + 2) / 3 * 4);
  for (size_t at = 0; at < raw.size(); at += 3) {
    const size_t count = std::min<size_t>(3, raw.size() - at);
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; ++i) bits = bits << 8 | (i < count ? static_cast<unsigned char>(raw[at + i]) : 0u);
    for (size_t i = 0; i < 4; ++i) text += i <= count ? kBase64[bits >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

std::optional<std::string> decode_base64(std::string_view text) {
  static constexpr Table kTable = base64_table();
  return decode(text, kTable, 6);
}

std::optional<std::string> decode_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string raw;
  raw.reserve(text.size() / 2);
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = hex_value(text[i]), low = hex_value(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    raw += static_cast<char>(high << 4 | low);
  }
  return raw;
}

}  // namespace caddis::io
