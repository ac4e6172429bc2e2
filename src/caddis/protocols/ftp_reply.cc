#include "caddis/protocols/ftp_reply.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"

namespace caddis::protocols {
namespace {

constexpr size_t kCode = 3;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The code of a line that begins with one and has '-', a blank or nothing behind it; 0 for others.
int code_of(std::string_view line) {
  if (line.size() < kCode || !is_digit(line[0]) || !is_digit(line[1]) || !is_digit(line[2])) return 0;
  if (line.size() > kCode && line[kCode] != ' ' && line[kCode] != '-') return 0;
  return (line[0] - '0') * 100 + (line[1] - '0') * 10 + (line[2] - '0');
}

bool goes_on(std::string_view line) { return line.size() > kCode && line[kCode] == '-'; }

std::string text_of(std::string_view line) { return std::string(line.substr(std::min(line.size(), kCode + 1))); }

// Takes a number from the front of `text`.
template <class Number>
std::optional<Number> take_number(std::string_view& text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

}  // namespace

std::string FtpReply::text() const { return fmt::format("{} {}", code, lines.empty() ? "" : lines.back()); }

Result<std::optional<FtpReply>> FtpReplyReader::take(std::string_view line) {
  constexpr int kLowest = 100, kHighest = 599;
  if (reply_.lines.size() >= kMostLines)
    return fail(ErrorCode::limit, fmt::format("a reply of more than {} lines", kMostLines));
  const int code = code_of(line);
  if (reply_.code == 0) {
    if (code < kLowest || code > kHighest)
      return fail(ErrorCode::parse, fmt::format("'{}' is no reply of an FTP server", visible(line, 80)));
    reply_.code = code;
    reply_.lines.push_back(text_of(line));
    if (goes_on(line)) return std::optional<FtpReply>();
    return std::optional(std::exchange(reply_, FtpReply()));
  }
  const bool is_last = code == reply_.code && !goes_on(line);
  reply_.lines.push_back(is_last ? text_of(line) : std::string(line));
  if (!is_last) return std::optional<FtpReply>();
  return std::optional(std::exchange(reply_, FtpReply()));
}

std::optional<uint16_t> epsv_port(std::string_view text) {
  const size_t open = text.find('(');
  if (open == text.npos || text.size() < open + 6) return std::nullopt;
  text.remove_prefix(open + 1);
  const char mark = text[0];
  if (is_digit(mark) || text[1] != mark || text[2] != mark) return std::nullopt;
  text.remove_prefix(3);
  const auto port = take_number<uint16_t>(text);
  if (!port || *port == 0 || !text.starts_with(mark)) return std::nullopt;
  return port;
}

std::optional<uint16_t> pasv_port(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (!is_digit(text[at]) || (at > 0 && is_digit(text[at - 1]))) continue;
    std::string_view rest = text.substr(at);
    std::array<unsigned, 6> numbers{};
    size_t found = 0;
    for (; found < numbers.size(); ++found) {
      if (found > 0 && !rest.starts_with(',')) break;
      if (found > 0) rest.remove_prefix(1);
      const auto number = take_number<unsigned>(rest);
      if (!number || *number > 255) break;
      numbers[found] = *number;
    }
    if (found < numbers.size()) continue;
    const unsigned port = numbers[4] * 256 + numbers[5];
    if (port == 0) return std::nullopt;
    return static_cast<uint16_t>(port);
  }
  return std::nullopt;
}

std::optional<uint64_t> size_of(std::string_view text) {
  std::string_view rest = trim(text);
  const auto size = take_number<uint64_t>(rest);
  if (!size || !trim(rest).empty()) return std::nullopt;
  return size;
}

}  // namespace caddis::protocols
