#include "caddis/replay/css.h"

#include <algorithm>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"

namespace caddis::replay {
namespace {

bool is_name_char(char c) { return is_alnum(c) || c == '-' || c == '_' || static_cast<unsigned char>(c) >= 0x80; }

// The characters that the text of a string or url() stands for: escapes resolved (section 4.3.7).
std::string unescape(std::string_view text) {
  if (text.find('\\') == std::string_view::npos) return std::string(text);
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    ++i;
    if (hex_value(text[i]) < 0) {
      if (text[i] != '\n') out += text[i];  // an escaped line end continues the string
      continue;
    }
    char32_t code_point = 0;
    size_t digits = 0;
    for (; digits < 6 && i < text.size() && hex_value(text[i]) >= 0; ++digits, ++i)
      code_point = code_point * 16 + static_cast<char32_t>(hex_value(text[i]));
    append_utf8(out, code_point);
    if (i >= text.size() || !is_space(text[i])) --i;
  }
  return out;
}

void append_escaped(std::string& out, std::string_view url, char quote) {
  for (const char c : url) {
    const bool special =
        quote != '\0' ? c == quote || c == '\\' : c == '(' || c == ')' || c == '"' || c == '\'' || c == '\\';
    if (special) out += '\\';
    out += c;
  }
}

class Rewriter {
 public:
  Rewriter(std::string_view css, const LinkRewriter& links, std::string& out) : css_(css), links_(links), out_(out) {}

  bool run() {
    while (at_ < css_.size()) step();
    out_ += css_.substr(copied_);
    return changed_;
  }

 private:
  void step() {
    const char c = css_[at_];
    switch (c) {
      case '/':
        if (css_.substr(at_).starts_with("/*"))
          skip_comment();
        else
          ++at_;
        return;
      case '"':
      case '\'':
        take_string();
        return;
      case '@':
        take_at_keyword();
        return;
      case '(':
        open(false);
        return;
      case ')':
        close();
        return;
      case ';':
      case '{':
        in_import_ = false;
        break;
      case '\\':
        ++at_;
        break;
      default:
        if (is_name_char(c)) return take_name();
    }
    ++at_;
  }

  void skip_comment() {
    const size_t end = css_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? css_.size() : end + 2;
  }

  void open(bool holds_urls) {
    // What is nested deeper than anyone nests is not looked into.
    if (functions_.size() < 64) functions_.push_back(holds_urls);
    ++at_;
  }
  void close() {
    if (!functions_.empty()) functions_.pop_back();
    ++at_;
  }

  void take_name() {
    const size_t start = at_;
    while (at_ < css_.size() && is_name_char(css_[at_])) ++at_;
    if (at_ >= css_.size() || css_[at_] != '(') return;
    const std::string_view name = css_.substr(start, at_ - start);
    if (equals_ignore_case(name, "url")) return take_url();
    open(equals_ignore_case(name, "image-set") || equals_ignore_case(name, "-webkit-image-set"));
  }

  void take_at_keyword() {
    const size_t start = ++at_;
    while (at_ < css_.size() && is_name_char(css_[at_])) ++at_;
    const std::string_view name = css_.substr(start, at_ - start);
    in_import_ = equals_ignore_case(name, "import");
    if (equals_ignore_case(name, "namespace")) at_ = std::min(css_.find_first_of(";{}", at_), css_.size());
  }

  // The end of the string that begins with the quote at `start`: the closing quote, a line end (a broken string) or the
  // end.
  size_t string_end(size_t start) const {
    const char quote = css_[start];
    for (size_t i = start + 1; i < css_.size(); ++i) {
      if (css_[i] == '\\')
        ++i;
      else if (css_[i] == quote || css_[i] == '\n')
        return i;
    }
    return css_.size();
  }

  // Behind the escape that begins at `start`: hexadecimal digits swallow one blank behind them.
  size_t escape_end(size_t start) const {
    size_t end = start + 1;
    while (end < css_.size() && end < start + 7 && hex_value(css_[end]) >= 0) ++end;
    if (end == start + 1) return std::min(start + 2, css_.size());
    return end < css_.size() && is_space(css_[end]) ? end + 1 : end;
  }

  void take_string() {
    const size_t start = at_;
    const size_t end = string_end(start);
    const bool is_url = in_import_ || (!functions_.empty() && functions_.back());
    if (is_url && end < css_.size() && css_[end] == css_[start]) replace(start + 1, end, css_[start]);
    in_import_ = false;
    at_ = std::min(end + 1, css_.size());
  }

  void take_url() {
    const size_t open_at = at_++;
    while (at_ < css_.size() && is_space(css_[at_])) ++at_;
    if (at_ < css_.size() && (css_[at_] == '"' || css_[at_] == '\'')) {
      const size_t end = string_end(at_);
      if (end >= css_.size() || css_[end] != css_[at_]) {
        at_ = std::min(end + 1, css_.size());
        return;
      }
      replace(at_ + 1, end, css_[at_]);
      at_ = end + 1;
    } else {
      size_t end = at_;
      while (end < css_.size() && css_[end] != ')' && !is_space(css_[end]))
        end = css_[end] == '\\' ? escape_end(end) : end + 1;
      replace(at_, end, '\0');
      at_ = end;
    }
    in_import_ = false;
    // Back in the parenthesis, so that its end closes what was opened.
    const size_t here = at_;
    at_ = open_at;
    open(false);
    at_ = here;
  }

  void replace(size_t start, size_t end, char quote) {
    const auto address =
        links_.rewrite(unescape(css_.substr(start, end - start)), in_import_ ? Modifier::style : Modifier::other);
    if (!address) return;
    out_ += css_.substr(copied_, start - copied_);
    append_escaped(out_, *address, quote);
    copied_ = end;
    changed_ = true;
  }

  std::string_view css_;
  const LinkRewriter& links_;
  std::string& out_;
  size_t at_ = 0;
  size_t copied_ = 0;
  bool in_import_ = false;
  bool changed_ = false;
  std::vector<bool> functions_;  // the open parentheses: whether strings in them are URLs
};

}  // namespace

bool rewrite_css(std::string_view css, const LinkRewriter& links, std::string& out) {
  return Rewriter(css, links, out).run();
}

}  // namespace caddis::replay
