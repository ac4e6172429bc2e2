#include "caddis/replay/css.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/replay/html_links.h"

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

// What the addresses of one sheet in memory may come to: a long base and many short links give a thousand times their
// bytes.
constexpr size_t kMaxGrowth = 2 << 20;

}  // namespace

class CssRewriter::Impl {
 public:
  explicit Impl(const LinkRewriter& links) : links_(links) {}

  size_t rewrite(std::string_view css, bool last, size_t enough, std::string& out) {
    css_ = css;
    out_.swap(out);
    at_ = copied_ = grown_ = 0;
    if (inside_ != '\0') at_ = find_end(css_, 0);
    if (inside_ != '\0' && last) at_ = css_.size();
    while (at_ < css_.size() && inside_ == '\0' && out_.size() + (at_ - copied_) < enough) {
      const Place before = place_;
      const size_t at = at_, copied = copied_, size = out_.size();
      step();
      if (at_ < css_.size() || last) continue;
      // It may go on behind what is here.
      place_ = before;
      at_ = at;
      copied_ = copied;
      out_.resize(size);
      break;
    }
    at_ = std::min(at_, css_.size());
    copy_to(at_);
    out_.swap(out);
    return at_;
  }

  size_t pass_token(std::string_view css, std::string& out) {
    size_t begin = css.starts_with("/*") || css.starts_with('"') || css.starts_with('\'') ? 0 : std::string_view::npos;
    if (starts_with_ignore_case(css, "url(")) {
      open(false);
      begin = std::min(css.find_first_not_of(" \t\r\n\f", 4), css.size());
      inside_ = ')';
    }
    if (begin < css.size() && (begin == 0 || css[begin] == '"' || css[begin] == '\'')) inside_ = css[begin++];
    // Anything else, a name of megabytes or what is no style sheet, is passed over as it is.
    const size_t done = inside_ == '\0' ? css.size() : find_end(css, std::min(begin, css.size()));
    out += css.substr(0, done);
    return done;
  }

  bool changed() const { return changed_; }

 private:
  // What is known of the bytes before.
  struct Place {
    bool in_import = false;
    uint64_t functions = 0;  // the open parentheses, the innermost lowest: whether strings in them are URLs
    int depth = 0;
  };

  // Where the token ends that was longer than could be held, or where it goes on behind `css`.
  size_t find_end(std::string_view css, size_t at) {
    for (; at < css.size(); ++at) {
      if (inside_ == '/') {
        at = css.find("*/", at);
        if (at == std::string_view::npos) return css.size() - (css.ends_with('*') ? 1 : 0);
        inside_ = '\0';
        return at + 2;
      }
      if (css[at] == '\\') {
        if (at + 1 == css.size()) return at;
        ++at;
      } else if (css[at] == inside_ || (css[at] == '\n' && inside_ != ')')) {
        return at + (std::exchange(inside_, '\0') == ')' ? 0 : 1);
      }
    }
    return css.size();
  }

  void copy_to(size_t end) {
    out_ += css_.substr(copied_, end - copied_);
    copied_ = end;
  }

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
      case '[':
        take_selector();
        return;
      case '(':
        open(false);
        return;
      case ')':
        close();
        return;
      case ';':
      case '{':
        place_.in_import = false;
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
    if (place_.depth < 64) {
      place_.functions = place_.functions << 1 | static_cast<uint64_t>(holds_urls);
      ++place_.depth;
    }
    ++at_;
  }
  void close() {
    if (place_.depth > 0) {
      place_.functions >>= 1;
      --place_.depth;
    }
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
    place_.in_import = equals_ignore_case(name, "import");
    if (equals_ignore_case(name, "namespace")) at_ = std::min(css_.find_first_of(";{}", at_), css_.size());
  }

  void skip_blanks() {
    while (at_ < css_.size() && is_space(css_[at_])) ++at_;
  }

  // [href^="http"], with blanks where they may stand. It weighs as much as before.
  void take_selector() {
    const size_t open_at = at_++;
    skip_blanks();
    const size_t name_at = at_;
    while (at_ < css_.size() && is_name_char(css_[at_])) ++at_;
    const std::string_view name = css_.substr(name_at, at_ - name_at);
    if (!is_selected_by(name)) return;
    skip_blanks();
    const size_t operator_at = at_;
    if (at_ < css_.size() && std::string_view("~|^$*").contains(css_[at_])) ++at_;
    if (at_ >= css_.size() || css_[at_] != '=') return;
    const bool is_whole = css_[operator_at] == '=' || css_[operator_at] == '^';
    ++at_;
    skip_blanks();
    if (!skip_value(is_whole)) return;
    skip_blanks();
    if (at_ < css_.size() && std::string_view("isIS").contains(css_[at_])) ++at_;
    skip_blanks();
    if (at_ >= css_.size() || css_[at_] != ']') return;
    ++at_;
    ask_for_written(open_at, name_at, name);
  }

  // Behind the value of a selector. False if it is none, or begins with "#": such links stay as they were written.
  bool skip_value(bool is_whole) {
    if (at_ >= css_.size()) return false;
    if (css_[at_] != '"' && css_[at_] != '\'') {
      const size_t start = at_;
      while (at_ < css_.size() && is_name_char(css_[at_])) ++at_;
      return at_ > start && !is_digit(css_[start]) && css_[start] != '-';
    }
    const size_t start = at_;
    const size_t end = string_end(start);
    at_ = std::min(end + 1, css_.size());
    const bool is_closed = end < css_.size() && css_[end] == css_[start];
    return is_closed && !(is_whole && css_[start + 1] == '#');
  }

  void ask_for_written(size_t open_at, size_t name_at, std::string_view name) {
    if (grown_ > kMaxGrowth) return;
    const std::string_view inner = css_.substr(name_at, at_ - name_at);
    copy_to(open_at);
    const size_t before = out_.size();
    out_ += ":is([";
    out_.append(kAsWritten).append(inner).append(",[").append(inner);
    out_.append(":where(:not([").append(kAsWritten).append(name).append("])))");
    copied_ = at_;
    grown_ += out_.size() - before;
    changed_ = true;
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
    const bool is_url = place_.in_import || (place_.depth > 0 && (place_.functions & 1) != 0);
    if (is_url && end < css_.size() && css_[end] == css_[start]) replace(start + 1, end, css_[start]);
    place_.in_import = false;
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
    place_.in_import = false;
    // Back in the parenthesis, so that its end closes what was opened.
    const size_t here = at_;
    at_ = open_at;
    open(false);
    at_ = here;
  }

  void replace(size_t start, size_t end, char quote) {
    const auto address =
        links_.rewrite(unescape(css_.substr(start, end - start)), place_.in_import ? Modifier::style : Modifier::other);
    if (!address || grown_ > kMaxGrowth) return;
    grown_ += address->size();
    copy_to(start);
    append_escaped(out_, *address, quote);
    copied_ = end;
    changed_ = true;
  }

  std::string_view css_;
  const LinkRewriter& links_;
  std::string out_;
  Place place_;
  char inside_ = '\0';  // a token too long to be held: what it begins with, or ')' for url(
  size_t at_ = 0;
  size_t copied_ = 0;
  size_t grown_ = 0;  // bytes of the addresses in out_
  bool changed_ = false;
};

CssRewriter::CssRewriter(const LinkRewriter& links) : impl_(std::make_unique<Impl>(links)) {}
CssRewriter::CssRewriter(CssRewriter&&) noexcept = default;
CssRewriter::~CssRewriter() = default;

size_t CssRewriter::rewrite(std::string_view css, bool last, size_t enough, std::string& out) {
  return impl_->rewrite(css, last, enough, out);
}
size_t CssRewriter::pass_token(std::string_view css, std::string& out) { return impl_->pass_token(css, out); }

bool CssRewriter::changed() const { return impl_->changed(); }

bool rewrite_css(std::string_view css, const LinkRewriter& links, std::string& out) {
  CssRewriter rewriter(links);
  rewriter.rewrite(css, true, std::string::npos, out);
  return rewriter.changed();
}

}  // namespace caddis::replay
