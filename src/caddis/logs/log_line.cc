#include "caddis/logs/log_line.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::logs {
namespace {

// An object that Heritrix may put behind the fields; "{}" where it has nothing to say.
bool is_json(std::string_view text) { return text.starts_with("{\"") || text == "{}"; }

size_t json_begin(std::string_view text) {
  const size_t begin = text.find(" {\"");
  return begin == std::string_view::npos && text.ends_with(" {}") ? text.size() - 3 : begin;
}

// The number behind the name; nothing if there is none.
std::optional<uint64_t> number_behind(std::string_view text, std::string_view name) {
  size_t at = text.rfind(name);
  if (at == std::string_view::npos) return std::nullopt;
  at += name.size();
  const size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
  const auto number = parse_int(text.substr(at, end - at));
  return number ? std::optional(static_cast<uint64_t>(*number)) : std::nullopt;
}

}  // namespace

bool LogLine::parse(std::string_view text) {
  for (size_t i = 0; i < kFields; ++i) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const bool is_last = i == annotations;
    const bool is_missing = is_last && is_json(text);
    const size_t end = is_missing ? 0 : std::min(is_last ? json_begin(text) : text.find(' '), text.size());
    fields_[i] = text.substr(0, end);
    text.remove_prefix(end);
    if (fields_[i].empty() && !is_last) return false;
  }
  std::string_view& last = fields_[annotations];
  last = last.substr(0, last.find_last_not_of(' ') + 1);
  json_ = trim(text);
  return true;
}

std::optional<int> LogLine::status() const {
  constexpr int64_t kMost = 99'999;
  const auto number = parse_int(fields_[status_code]);
  if (!number || *number < -kMost || *number > kMost) return std::nullopt;
  return static_cast<int>(*number);
}

uint64_t LogLine::bytes() const {
  if (const auto annotated = number_behind(fields_[annotations], "content-size:")) return *annotated;
  if (const auto noted = number_behind(json_, "\"contentSize\":")) return *noted;
  const auto number = parse_int(fields_[size]);
  return number && *number > 0 ? static_cast<uint64_t>(*number) : 0;
}

bool LogLine::has_annotation(std::string_view beginning) const {
  const std::string_view all = fields_[annotations];
  if (all.find(beginning) == std::string_view::npos) return false;
  bool is_begin = true, is_quoted = false;
  for (size_t i = 0; i < all.size(); ++i) {
    if (is_begin && all.substr(i).starts_with(beginning)) return true;
    if (all[i] == '"') is_quoted = !is_quoted;
    is_begin = !is_quoted && (all[i] == ',' || all[i] == ';');
  }
  return false;
}

std::string_view take_annotation(std::string_view& rest) {
  bool is_quoted = false;
  size_t end = 0;
  for (; end < rest.size(); ++end) {
    if (rest[end] == '"') is_quoted = !is_quoted;
    if (!is_quoted && rest[end] == ',') break;
  }
  const std::string_view one = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return one;
}

std::optional<RepeatedCapture> repeated_capture(const LogLine& line) {
  constexpr std::string_view kRevisitOf = "revisitOf:";
  std::optional<RepeatedCapture> found;
  if (!line.has_annotation(kRevisitOf)) return found;
  for (const std::string_view one : split(line.field(LogLine::annotations), ',')) {
    if (!one.starts_with(kRevisitOf)) continue;
    const std::string_view rest = one.substr(kRevisitOf.size());
    const size_t colon = std::min(rest.find(':'), rest.size());
    found.emplace().date = rest.substr(0, colon);
    for (std::string_view left = rest.substr(std::min(colon + 1, rest.size())); !left.empty();) {
      const bool is_comma = left.starts_with("%2C"), is_escaped = left.starts_with("%252C");
      found->url += is_comma ? std::string_view(",") : is_escaped ? std::string_view("%2C") : left.substr(0, 1);
      left.remove_prefix(is_comma ? 3 : is_escaped ? 5 : 1);
    }
  }
  return found;
}

namespace {

// The text that a name has in quotes: equivalentURL:"http://h/a,b". Empty if it is not there.
std::string_view quoted(std::string_view all, std::string_view name) {
  for (size_t at = 0; (at = all.find(name, at)) != std::string_view::npos; ++at) {
    std::string_view rest = all.substr(at + name.size());
    const bool is_name = at == 0 || all[at - 1] == ',' || all[at - 1] == ';';
    if (!is_name || !rest.starts_with(":\"")) continue;
    rest.remove_prefix(2);
    const size_t end = rest.find('"');
    return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
  }
  return {};
}

// Takes what stands behind the last comma, if it is a number.
std::string_view take_number(std::string_view& text) {
  const size_t comma = text.rfind(',');
  if (comma == std::string_view::npos || comma + 1 == text.size()) return {};
  const std::string_view number = text.substr(comma + 1);
  if (!std::ranges::all_of(number, is_digit)) return {};
  text = text.substr(0, comma);
  return number;
}

}  // namespace

std::optional<DuplicateOrigin> duplicate_origin(const LogLine& line) {
  // No file is so large that its offsets have 14 digits.
  constexpr size_t kSeconds = 14, kMilliseconds = 17;
  const std::string_view all = line.field(LogLine::annotations);
  DuplicateOrigin origin;
  origin.filename = quoted(all, "duplicate");
  std::string_view number = take_number(origin.filename);
  if (number.size() == kSeconds || number.size() == kMilliseconds) {
    origin.timestamp = number;
    number = take_number(origin.filename);
  }
  const auto offset = parse_int(number);
  if (number.size() >= kSeconds || !offset || origin.filename.empty()) return std::nullopt;
  origin.offset = static_cast<uint64_t>(*offset);
  const std::string_view equivalent = quoted(all, "equivalentURL");
  origin.url = equivalent.empty() ? line.field(LogLine::url) : equivalent;
  return origin;
}

std::string_view host_of(std::string_view url) {
  constexpr std::string_view kDns = "dns:";
  if (url.starts_with(kDns)) {
    url.remove_prefix(kDns.size());
    return url.substr(0, url.find_first_of("/?"));
  }
  const size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  if (url.starts_with("file:///")) return url.substr(0, scheme + 1);
  url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  if (const size_t user = url.rfind('@'); user != std::string_view::npos) url.remove_prefix(user + 1);
  if (url.starts_with('[')) return url.substr(0, std::min(url.find(']'), url.size() - 1) + 1);
  return url.substr(0, url.find(':'));
}

}  // namespace caddis::logs
