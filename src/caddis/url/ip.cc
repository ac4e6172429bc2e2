#include "caddis/url/ip.h"

#include <algorithm>
#include <charconv>

#include "caddis/base/strings.h"

namespace caddis::url {
namespace {

// A decimal, octal (0…) or hexadecimal (0x…) number; saturates far above any address.
std::optional<uint64_t> parse_ipv4_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  unsigned base = 10;
  if (text.size() >= 2 && text[0] == '0') {
    base = to_lower(text[1]) == 'x' ? 16 : 8;
    text.remove_prefix(base == 16 ? 2 : 1);
  }
  constexpr uint64_t kTooLarge = uint64_t{1} << 40;
  uint64_t value = 0;
  for (const char c : text) {
    const int digit = hex_value(c);
    if (digit < 0 || static_cast<unsigned>(digit) >= base) return std::nullopt;
    if (value < kTooLarge) value = value * base + static_cast<unsigned>(digit);
  }
  return value;
}

// Reads the pieces of an IPv6 address from the front of what is left.
class Ipv6Reader {
 public:
  explicit Ipv6Reader(std::string_view text) : rest_(text) {}

  std::optional<Ipv6> read() {
    if (take("::")) {
      compress_ = 0;
    } else if (rest_.starts_with(':')) {
      return std::nullopt;
    }
    while (!rest_.empty()) {
      if (pieces_ == 8) return std::nullopt;
      if (rest_.starts_with(':')) {  // the second colon of "::"
        if (compress_) return std::nullopt;
        rest_.remove_prefix(1);
        compress_ = pieces_;
        continue;
      }
      if (!read_piece()) return std::nullopt;
    }
    return spread();
  }

 private:
  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  bool read_piece() {
    size_t length = 0;
    unsigned value = 0;
    while (length < 4 && length < rest_.size() && hex_value(rest_[length]) >= 0) {
      value = value * 16 + static_cast<unsigned>(hex_value(rest_[length++]));
    }
    const char next = length < rest_.size() ? rest_[length] : '\0';
    if (next == '.') return length > 0 && pieces_ <= 6 && read_dotted();
    rest_.remove_prefix(length);
    if (!rest_.empty() && (!take(":") || rest_.empty())) return false;
    address_[pieces_++] = static_cast<uint16_t>(value);
    return true;
  }

  // The last 32 bits in dotted decimal, each number 0 to 255 without leading zeros.
  bool read_dotted() {
    unsigned numbers[4];
    for (int i = 0; i < 4; ++i) {
      if (i > 0 && !take(".")) return false;
      size_t length = 0;
      unsigned value = 0;
      for (; length < rest_.size() && is_digit(rest_[length]); ++length) {
        if (length > 0 && value == 0) return false;
        value = value * 10 + static_cast<unsigned>(rest_[length] - '0');
        if (value > 255) return false;
      }
      if (length == 0) return false;
      rest_.remove_prefix(length);
      numbers[i] = value;
    }
    address_[pieces_++] = static_cast<uint16_t>(numbers[0] << 8 | numbers[1]);
    address_[pieces_++] = static_cast<uint16_t>(numbers[2] << 8 | numbers[3]);
    return rest_.empty();
  }

  std::optional<Ipv6> spread() {
    if (!compress_) return pieces_ == 8 ? std::optional(address_) : std::nullopt;
    if (pieces_ == 8) return std::nullopt;
    Ipv6 out{};
    const size_t tail = pieces_ - *compress_;
    for (size_t i = 0; i < *compress_; ++i) out[i] = address_[i];
    for (size_t i = 0; i < tail; ++i) out[8 - tail + i] = address_[*compress_ + i];
    return out;
  }

  std::string_view rest_;
  Ipv6 address_{};
  size_t pieces_ = 0;
  std::optional<size_t> compress_;
};

}  // namespace

bool ends_in_a_number(std::string_view domain) {
  if (domain.ends_with('.')) domain.remove_suffix(1);
  if (domain.empty()) return false;
  const size_t dot = domain.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? domain : domain.substr(dot + 1);
  if (last.empty()) return false;
  if (!is_digit(last.front())) return false;
  if (std::ranges::all_of(last, is_digit)) return true;
  return last.size() >= 2 && last[0] == '0' && to_lower(last[1]) == 'x' && parse_ipv4_number(last).has_value();
}

std::optional<uint32_t> parse_ipv4(std::string_view text) {
  if (text.ends_with('.')) text.remove_suffix(1);
  uint64_t address = 0;
  for (int count = 1; count <= 4; ++count) {
    const size_t dot = text.find('.');
    const auto number = parse_ipv4_number(text.substr(0, dot));
    if (!number) return std::nullopt;
    if (dot == std::string_view::npos) {
      const uint64_t limit = uint64_t{1} << (8 * (5 - count));
      if (*number >= limit) return std::nullopt;
      return static_cast<uint32_t>(address * limit + *number);
    }
    if (*number > 255) return std::nullopt;
    address = address * 256 + *number;
    text.remove_prefix(dot + 1);
  }
  return std::nullopt;
}

void append_ipv4(std::string& out, uint32_t address) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    char digits[3];
    out.append(digits, std::to_chars(digits, digits + 3, address >> shift & 255).ptr);
    if (shift > 0) out += '.';
  }
}

std::optional<Ipv6> parse_ipv6(std::string_view text) { return Ipv6Reader(text).read(); }

void append_ipv6(std::string& out, const Ipv6& address) {
  size_t best = 8, best_length = 1;
  for (size_t i = 0; i < 8;) {
    size_t end = i;
    while (end < 8 && address[end] == 0) ++end;
    if (end - i > best_length) {
      best = i;
      best_length = end - i;
    }
    i = end + 1;
  }
  for (size_t i = 0; i < 8; ++i) {
    if (i == best) {
      out += i == 0 ? "::" : ":";
      i += best_length - 1;
      continue;
    }
    char digits[4];
    const auto end = std::to_chars(digits, digits + 4, address[i], 16).ptr;
    out.append(digits, end);
    if (i < 7) out += ':';
  }
}

}  // namespace caddis::url
