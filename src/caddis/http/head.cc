#include "caddis/http/head.h"

#include <fmt/format.h>

#include <array>

#include "caddis/base/strings.h"
#include "caddis/http/fields.h"

namespace caddis::http {
namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trim_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The bytes of a field value or reason in strict mode: no control characters (RFC 9110 section 5.5).
bool is_text(std::string_view text) {
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f) return false;
  }
  return true;
}

// Takes the text up to the next blank, and the blanks behind it.
std::string_view take_word(std::string_view& text) {
  size_t end = 0;
  while (end < text.size() && !is_blank(text[end])) ++end;
  const std::string_view word = text.substr(0, end);
  while (end < text.size() && is_blank(text[end])) ++end;
  text.remove_prefix(end);
  return word;
}

// "HTTP/1.1", in strict mode of that form and major version 1; in lenient mode also "HTTP/2", "HTTP/1." and "HTTP".
bool parse_version(std::string_view text, Mode mode, Version& version) {
  if (mode == Mode::strict) {
    if (text.size() != 8 || !text.starts_with("HTTP/1.") || !is_digit(text[7])) return false;
    version = {1, static_cast<uint8_t>(text[7] - '0')};
    return true;
  }
  if (equals_ignore_case(text, "icy")) {  // SHOUTcast
    version = {1, 0};
    return true;
  }
  if (!starts_with_ignore_case(text, "http")) return false;
  text.remove_prefix(4);
  if (text.starts_with('/')) text.remove_prefix(1);
  version = {};
  if (!text.empty() && is_digit(text[0])) version.major = static_cast<uint8_t>(text[0] - '0');
  if (text.size() > 2 && text[1] == '.' && is_digit(text[2])) version.minor = static_cast<uint8_t>(text[2] - '0');
  return true;
}

}  // namespace

// Parses one head into a ResponseHead or RequestHead.
class HeadParser {
 public:
  HeadParser(std::string_view bytes, Mode mode, const HeadLimits& limits) : all_(bytes), mode_(mode), limits_(limits) {}

  template <class AnyHead>
  Result<AnyHead> run() {
    AnyHead head;
    head_ = &head;
    std::string_view line;
    do {
      if (!next_line(line)) return fail(ErrorCode::parse, "empty HTTP head");
      if (mode_ == Mode::strict) break;
    } while (trim(line).empty());
    head.spans_.reserve(16);
    TRY_VOID(start_line(line, head));
    TRY_VOID(fields());
    // Everything points into `all_` up to here; the copy has the same offsets, and the unfolded values behind it.
    head.size_ = at_;
    head.bytes_.reserve(at_ + unfolded_.size());
    head.bytes_.append(all_.substr(0, at_)).append(unfolded_);
    for (const size_t index : folded_) head.spans_[index].value.at += static_cast<uint32_t>(at_);
    return head;
  }

 private:
  Head::Span span(std::string_view part) const {
    if (part.empty()) return {};
    return {static_cast<uint32_t>(part.data() - all_.data()), static_cast<uint32_t>(part.size())};
  }

  // The next line without its end; false at the end of the input. `error_` tells of a bad line end in strict mode.
  bool next_line(std::string_view& line) {
    if (at_ >= all_.size()) return false;
    const size_t end = all_.find('\n', at_);
    if (end == std::string_view::npos) {
      unended_ = true;
      line = all_.substr(at_);
      at_ = all_.size();
    } else {
      line = all_.substr(at_, end - at_);
      at_ = end + 1;
      if (!line.ends_with('\r')) bare_lf_ = true;
    }
    if (mode_ == Mode::strict) {
      if (line.ends_with('\r')) line.remove_suffix(1);
    } else {
      while (line.ends_with('\r')) line.remove_suffix(1);
    }
    return true;
  }

  // The usual line needs no Result to say so.
  bool line_is_fine() const { return at_ <= limits_.bytes && (mode_ == Mode::lenient || !(unended_ || bare_lf_)); }
  Result<void> check_line() const {
    if (at_ > limits_.bytes)
      return fail(ErrorCode::limit, fmt::format("HTTP head longer than {} bytes", limits_.bytes));
    if (mode_ == Mode::lenient) return {};
    if (unended_) return bad("the head ends without an empty line");
    if (bare_lf_) return bad("a line ends with LF alone");
    return {};
  }

  std::unexpected<Error> bad(std::string_view what) const {
    return fail(ErrorCode::parse, fmt::format("bad HTTP head at byte {}: {}", at_, what));
  }

  Result<void> start_line(std::string_view line, ResponseHead& head) {
    TRY_VOID(check_line());
    std::string_view rest = line;
    if (mode_ == Mode::lenient) rest = trim_blanks(rest);
    if (!parse_version(take_word(rest), mode_, head.version_)) return bad("not an HTTP status line");
    size_t digits = 0;
    int status = 0;
    for (; digits < rest.size() && digits < 4 && is_digit(rest[digits]); ++digits)
      status = status * 10 + rest[digits] - '0';
    if (digits != 3 || status < 100) return bad("no status code of three digits");
    rest.remove_prefix(digits);
    if (mode_ == Mode::strict &&
        (!is_text(line) || line.size() < 13 || line[8] != ' ' || line[9] == ' ' || line[12] != ' '))
      return bad("the status line is not 'HTTP/1.x NNN reason'");
    head.status_ = status;
    head.reason_ = span(trim_blanks(rest));
    return {};
  }

  Result<void> start_line(std::string_view line, RequestHead& head) {
    TRY_VOID(check_line());
    if (mode_ == Mode::strict) return strict_request_line(line, head);
    std::string_view rest = trim_blanks(line);
    head.method_ = span(take_word(rest));
    // The version is the last word if it looks like one: targets in old requests hold blanks.
    const size_t blank = rest.find_last_of(" \t");
    if (blank != std::string_view::npos && starts_with_ignore_case(rest.substr(blank + 1), "http/")) {
      parse_version(rest.substr(blank + 1), mode_, head.version_);
      rest = trim_blanks(rest.substr(0, blank));
    } else {
      head.version_ = {0, 9};
    }
    if (rest.empty()) return bad("no request target");
    head.target_ = span(rest);
    return {};
  }

  Result<void> strict_request_line(std::string_view line, RequestHead& head) {
    const auto words = split(line, ' ');
    if (words.size() != 3) return bad("the request line is not 'METHOD target HTTP/1.x'");
    if (!is_token(words[0])) return bad("the method is no token");
    if (words[1].empty()) return bad("no request target");
    for (const char c : words[1]) {
      if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7f || c == '#')
        return bad("a character not allowed in the target");
    }
    if (!parse_version(words[2], mode_, head.version_)) return bad("the version is not HTTP/1.x");
    head.method_ = span(words[0]);
    head.target_ = span(words[1]);
    return {};
  }

  Result<void> fields() {
    bool foldable = false;  // the line before was a field, and kept
    for (std::string_view line; next_line(line);) {
      if (!line_is_fine()) [[unlikely]]
        return check_line();
      if (line.empty()) {
        head_->complete_ = !unended_;
        return {};
      }
      if (is_blank(line.front())) {
        if (mode_ == Mode::strict) return bad("a folded line");
        if (foldable) fold(trim_blanks(line));
        continue;
      }
      TRY(foldable, field(line));
    }
    if (mode_ == Mode::strict) return bad("the head ends without an empty line");
    return {};
  }

  // True where the line became a field.
  Result<bool> field(std::string_view line) {
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      if (mode_ == Mode::strict) return bad("a line without colon");
      return false;
    }
    std::string_view name = line.substr(0, colon);
    const std::string_view value = trim_blanks(line.substr(colon + 1));
    if (mode_ == Mode::strict) {
      if (!is_token(name)) return bad("a field name that is no token");
      if (!is_text(value)) return bad("a control character in a field");
    }
    name = trim_blanks(name);
    if (head_->spans_.size() >= limits_.fields) {
      if (mode_ == Mode::strict) return fail(ErrorCode::limit, fmt::format("more than {} HTTP fields", limits_.fields));
      head_->fields_dropped_ = true;
      return false;
    }
    head_->spans_.push_back({span(name), span(value)});
    return true;
  }

  // Joins a continuation line to the last field. The new value is built behind all others, so that a field folded over
  // thousands of lines is not copied thousands of times.
  void fold(std::string_view more) {
    const size_t index = head_->spans_.size() - 1;
    Head::Span& value = head_->spans_[index].value;
    if (folded_.empty() || folded_.back() != index) {
      const std::string_view first = all_.substr(value.at, value.size);
      folded_.push_back(index);
      value = {static_cast<uint32_t>(unfolded_.size()), static_cast<uint32_t>(first.size())};
      unfolded_.append(first);
    }
    if (more.empty()) return;
    if (value.size > 0) unfolded_ += ' ';
    unfolded_.append(more);
    value.size = static_cast<uint32_t>(unfolded_.size() - value.at);
  }

  const std::string_view all_;
  const Mode mode_;
  const HeadLimits& limits_;
  Head* head_ = nullptr;
  size_t at_ = 0;
  bool unended_ = false;
  bool bare_lf_ = false;
  std::string unfolded_;
  std::vector<size_t> folded_;  // fields whose value lies in unfolded_
};

Result<ResponseHead> parse_response_head(std::string_view bytes, Mode mode, const HeadLimits& limits) {
  return HeadParser(bytes, mode, limits).run<ResponseHead>();
}

Result<RequestHead> parse_request_head(std::string_view bytes, Mode mode, const HeadLimits& limits) {
  return HeadParser(bytes, mode, limits).run<RequestHead>();
}

std::optional<std::string_view> Head::find(std::string_view name) const {
  for (const FieldSpan& each : spans_) {
    if (each.name.size == name.size() && equals_ignore_case(view(each.name), name)) return view(each.value);
  }
  return std::nullopt;
}

std::vector<std::string_view> Head::find_all(std::string_view name) const {
  std::vector<std::string_view> found;
  for (const FieldSpan& each : spans_) {
    if (each.name.size == name.size() && equals_ignore_case(view(each.name), name)) found.push_back(view(each.value));
  }
  return found;
}

std::string Head::joined(std::string_view name) const {
  std::string all;
  for (const std::string_view value : find_all(name)) {
    if (!all.empty()) all += ", ";
    all += value;
  }
  return all;
}

bool Head::has_token(std::string_view name, std::string_view token) const {
  for (const FieldSpan& each : spans_) {
    if (each.name.size != name.size() || !equals_ignore_case(view(each.name), name)) continue;
    for (const std::string_view item : split_list(view(each.value))) {
      if (equals_ignore_case(item, token)) return true;
    }
  }
  return false;
}

std::optional<size_t> HeadScanner::scan(std::string_view bytes) {
  for (;;) {
    const size_t end = bytes.find('\n', searched_);
    if (end == std::string_view::npos) {
      searched_ = bytes.size();
      return std::nullopt;
    }
    std::string_view line = bytes.substr(line_, end - line_);
    while (line.ends_with('\r')) line.remove_suffix(1);
    line_ = searched_ = end + 1;
    if (begun_ && line.empty()) return line_;
    begun_ = begun_ || !trim(line).empty();
  }
}

Looks looks_like_response(std::string_view bytes) {
  while (!bytes.empty() && is_space(bytes.front())) bytes.remove_prefix(1);
  for (const std::string_view begin : std::array<std::string_view, 2>{"http", "icy "}) {
    if (starts_with_ignore_case(bytes, begin)) return Looks::like_http;
    if (starts_with_ignore_case(begin, bytes)) return Looks::undecided;
  }
  return Looks::like_other;
}

}  // namespace caddis::http
