#include "caddis/html/character_reference.h"

#include <algorithm>
#include <cstring>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/html/entity_table.h"

namespace caddis::html {
namespace {

std::string_view entity_name(size_t index) {
  const size_t start = index == 0 ? 0 : kEntityEnds[index - 1];
  return {kEntityNames + start, kEntityEnds[index] - start};
}

// The row of `name`, or kEntityCount.
size_t find_entity(std::string_view name) {
  size_t low = 0, high = kEntityCount;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (entity_name(middle) < name)
      low = middle + 1;
    else
      high = middle;
  }
  return low < kEntityCount && entity_name(low) == name ? low : kEntityCount;
}

void append_entity(std::string& out, size_t index) {
  const uint32_t value = kEntityValues[index];
  append_utf8(out, value & kEntityCodePoint);
  if ((value & kEntityPair) == 0) return;
  const auto* row = std::lower_bound(std::begin(kEntitySeconds), std::end(kEntitySeconds), index,
                                     [](const EntitySecond& second, size_t wanted) { return second.index < wanted; });
  append_utf8(out, row->code_point);
}

// What windows-1252 has at 0x80 to 0x9F: numeric references to C1 controls mean these.
constexpr char32_t kC1[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
                              0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
                              0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

size_t append_numeric(std::string& out, std::string_view text) {
  size_t at = 2;
  const bool hex = at < text.size() && (text[at] == 'x' || text[at] == 'X');
  if (hex) ++at;
  const size_t digits = at;
  char32_t value = 0;
  for (; at < text.size(); ++at) {
    const int digit = hex ? hex_value(text[at]) : is_digit(text[at]) ? text[at] - '0' : -1;
    if (digit < 0) break;
    if (value <= 0x10FFFF) value = value * (hex ? 16 : 10) + static_cast<char32_t>(digit);
  }
  if (at == digits) return 0;
  if (at < text.size() && text[at] == ';') ++at;
  if (value >= 0x80 && value <= 0x9F) value = kC1[value - 0x80];
  append_utf8(out, value == 0 ? 0xFFFD : value);
  return at;
}

}  // namespace

size_t append_reference(std::string& out, std::string_view text, bool in_attribute) {
  if (text.size() < 2) return 0;
  if (text[1] == '#') return append_numeric(out, text);
  size_t run = 1;
  while (run < text.size() && run <= kMaxEntityName + 1 && is_alnum(text[run])) ++run;
  const std::string_view name = text.substr(1, run - 1);
  if (run < text.size() && text[run] == ';') {
    if (name == "amp") {
      out += '&';
      return 5;
    }
    if (const size_t index = find_entity(name); index < kEntityCount) {
      append_entity(out, index);
      return run + 1;
    }
  }
  for (size_t length = std::min(name.size(), kMaxLegacyName); length >= 2; --length) {
    const size_t index = find_entity(name.substr(0, length));
    if (index == kEntityCount || (kEntityValues[index] & kEntityLegacy) == 0) continue;
    const char next = length + 1 < text.size() ? text[length + 1] : '\0';
    if (in_attribute && (next == '=' || is_alnum(next))) return 0;
    append_entity(out, index);
    return length + 1;
  }
  return 0;
}

void append_unescaped(std::string& out, std::string_view text, bool in_attribute) {
  while (!text.empty()) {
    const size_t ampersand = text.find('&');
    out.append(text.substr(0, ampersand));
    if (ampersand == std::string_view::npos) return;
    text.remove_prefix(ampersand);
    size_t taken = append_reference(out, text, in_attribute);
    if (taken == 0) {
      out += '&';
      taken = 1;
    }
    text.remove_prefix(taken);
  }
}

}  // namespace caddis::html
