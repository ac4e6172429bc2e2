// Percent-encoding (URL Standard, section 1.3): sets of bytes that must be escaped, and the escaping itself.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace caddis::url {

// A set of bytes, asked once for every byte of every URL.
class ByteSet {
 public:
  constexpr ByteSet() = default;
  constexpr bool has(char byte) const { return has_[static_cast<unsigned char>(byte)]; }
  constexpr ByteSet with(std::string_view bytes) const {
    ByteSet out = *this;
    for (const char c : bytes) out.has_[static_cast<unsigned char>(c)] = true;
    return out;
  }
  constexpr ByteSet with_range(int from, int to) const {
    ByteSet out = *this;
    for (int c = from; c <= to; ++c) out.has_[static_cast<size_t>(c)] = true;
    return out;
  }

 private:
  std::array<bool, 256> has_{};
};

// Where the first byte of `set` stands; the size of `text` where there is none. (std::string_view::find_first_of calls
// memchr for every byte.)
constexpr size_t find_byte(std::string_view text, const ByteSet& set) {
  size_t at = 0;
  while (at < text.size() && !set.has(text[at])) ++at;
  return at;
}

// The standard's percent-encode sets; each escapes all that is not ASCII.
inline constexpr ByteSet kC0ControlSet = ByteSet().with_range(0, 0x1F).with_range(0x7F, 0xFF);
inline constexpr ByteSet kFragmentSet = kC0ControlSet.with(" \"<>`");
inline constexpr ByteSet kQuerySet = kC0ControlSet.with(" \"#<>");
inline constexpr ByteSet kSpecialQuerySet = kQuerySet.with("'");
inline constexpr ByteSet kPathSet = kQuerySet.with("?^`{}");
inline constexpr ByteSet kUserinfoSet = kPathSet.with("/:;=@[\\]|");

// Appends `byte` as "%XX".
void append_escaped(std::string& out, unsigned char byte);
// Appends `text`, with the bytes of `set` as "%XX".
void append_escaped(std::string& out, std::string_view text, const ByteSet& set);

// Replaces every "%XX" by its byte; what is no such triple stays.
std::string percent_decode(std::string_view text);

}  // namespace caddis::url
