#include "caddis/crawl/recovery_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::crawl {
namespace {

constexpr size_t kTag = 3;  // "F+ "

// The next word, and the one blank behind it.
std::string_view take_word(std::string_view& rest) {
  const size_t blank = rest.find(' ');
  const std::string_view word = rest.substr(0, blank);
  rest.remove_prefix(blank == std::string_view::npos ? rest.size() : blank + 1);
  return word == "-" ? std::string_view() : word;
}

// The next word, and all blanks before it.
std::string_view take_spaced_word(std::string_view& rest) {
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  const auto blank = std::ranges::find_if(rest, is_space);
  const std::string_view word = rest.substr(0, static_cast<size_t>(blank - rest.begin()));
  rest.remove_prefix(word.size());
  return word == "-" ? std::string_view() : word;
}

Result<RecoveryLine> checked(const RecoveryLine& read, std::string_view rest) {
  if (read.url.empty()) return fail(ErrorCode::parse, "it names no URL");
  if (!are_hops(read.hops))
    return fail(ErrorCode::parse, fmt::format("'{}' behind the URL are no hops, such as LLE", read.hops.substr(0, 40)));
  if (!trim(rest).empty()) return fail(ErrorCode::parse, "there is more than URL, hops and via");
  return read;
}

// The last of the hops, with the number of those before.
std::string shortened(std::string_view hops) {
  constexpr size_t kDigits = 20;
  const size_t plus = hops.find('+');
  const std::string_view letters = hops.substr(plus == std::string_view::npos ? 0 : plus + 1);
  const std::string_view last = letters.substr(letters.size() - std::min(letters.size(), kMostRecoveryHops - kDigits));
  const int64_t counted = plus == std::string_view::npos ? 0 : parse_int(hops.substr(0, plus)).value_or(0);
  return fmt::format("{}+{}", counted + static_cast<int64_t>(letters.size() - last.size()), last);
}

void append_word(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7f)
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
}

constexpr std::string_view kTags = "+eisfdr";

// "#F+ {…": others take it for a comment.
bool is_request_line(std::string_view line) {
  return line.size() > 5 && line.starts_with("#F") && kTags.contains(line[2]) && line.substr(3).starts_with(" {");
}

}  // namespace

bool are_hops(std::string_view text) {
  if (text.size() > kMostRecoveryHops) return false;
  const size_t plus = text.find('+');
  if (plus != std::string_view::npos) {
    if (plus == 0 || !std::ranges::all_of(text.substr(0, plus), is_digit)) return false;
    text.remove_prefix(plus + 1);
  }
  return std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

Result<RecoveryLine> parse_recovery_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (is_request_line(line)) {
    if (line.size() > kLongestRecoveryLine) return fail(ErrorCode::parse, "it is too long");
    return RecoveryLine{static_cast<RecoveryLine::Event>(line[2]), line.substr(4), {}, {}, true};
  }
  if (trim(line).empty() || line.starts_with('#') || line.starts_with("T ") || line.starts_with("E "))
    return RecoveryLine();
  if (line.size() <= kTag || line[0] != 'F' || line[2] != ' ' || !kTags.contains(line[1]))
    return fail(ErrorCode::parse, "it does not begin with F+, Fe, Fi, Fs, Ff, Fd or Fr and have a URL behind that");
  if (line.size() > kLongestRecoveryLine) return fail(ErrorCode::parse, "it is too long");
  RecoveryLine read;
  read.event = static_cast<RecoveryLine::Event>(line[1]);
  std::string_view rest = line.substr(kTag);
  read.url = take_word(rest);
  read.hops = take_word(rest);
  read.via = take_word(rest);
  return checked(read, rest);
}

Result<RecoveryLine> parse_url_line(std::string_view line) {
  if (line.size() > kLongestRecoveryLine) return fail(ErrorCode::parse, "it is too long");
  RecoveryLine read{RecoveryLine::Event::queued, {}, {}, {}};
  read.url = take_spaced_word(line);
  read.hops = take_spaced_word(line);
  read.via = take_spaced_word(line);
  return checked(read, line);
}

void append_recovery_line(std::string& out, const RecoveryLine& line) {
  const size_t begin = out.size();
  if (line.is_request) {
    constexpr size_t kTagOfRequest = 4;
    if (line.url.size() + kTagOfRequest > kLongestRecoveryLine) return;
    out.append("#F").append(1, static_cast<char>(line.event)).append(" ").append(line.url).append("\n");
    return;
  }
  out += 'F';
  out += static_cast<char>(line.event);
  out += ' ';
  append_word(out, line.url);
  out += ' ';
  append_word(out, line.hops.size() <= kMostRecoveryHops ? line.hops : shortened(line.hops));
  out += ' ';
  const size_t via = out.size();
  append_word(out, line.via);
  if (out.size() - begin > kLongestRecoveryLine) out.resize(via);
  out += '\n';
}

}  // namespace caddis::crawl
