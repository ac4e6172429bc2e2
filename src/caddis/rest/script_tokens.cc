#include "caddis/rest/script_tokens.h"

#include "caddis/base/strings.h"

namespace caddis::rest {
namespace {

constexpr size_t kMostTokens = 100'000;

bool begins_name(char c) { return is_alpha(c) || c == '_' || c == '$'; }

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view script) : rest_(script) {}

  std::vector<ScriptToken> all() {
    while (skip_white_space() && tokens_.size() < kMostTokens) take_one();
    return std::move(tokens_);
  }

 private:
  // White space and comments. False at the end of the script.
  bool skip_white_space() {
    for (;;) {
      if (rest_.empty()) return false;
      if (rest_.front() == '\n') begins_line_ = true;
      if (is_space(rest_.front())) {
        rest_.remove_prefix(1);
      } else if (rest_.starts_with("//") || rest_.starts_with("#!")) {
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      } else if (rest_.starts_with("/*")) {
        const size_t end = rest_.find("*/", 2);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 2);
      } else {
        return true;
      }
    }
  }

  void take_one() {
    const char c = rest_.front();
    if (begins_name(c))
      add(ScriptToken::Kind::name, take_while([](char one) { return begins_name(one) || is_digit(one); }));
    else if (is_digit(c))
      add(ScriptToken::Kind::number, take_while([](char one) { return is_alnum(one) || one == '.' || one == '_'; }));
    else if (c == '"' || c == '\'')
      take_text(c);
    else
      take_sign(c);
  }

  template <class Test>
  std::string take_while(Test test) {
    size_t size = 0;
    while (size < rest_.size() && test(rest_[size])) ++size;
    std::string taken(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return taken;
  }

  void take_text(char quote) {
    const std::string three(3, quote);
    const bool is_long = rest_.starts_with(three);
    const std::string_view end = is_long ? std::string_view(three) : std::string_view(three).substr(0, 1);
    rest_.remove_prefix(end.size());
    std::string value;
    while (!rest_.empty() && !rest_.starts_with(end)) {
      char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '\\' && !rest_.empty()) {
        c = unescaped(rest_.front());
        rest_.remove_prefix(1);
      }
      value += c;
    }
    rest_.remove_prefix(std::min(end.size(), rest_.size()));
    add(ScriptToken::Kind::text, std::move(value));
  }

  static char unescaped(char c) {
    switch (c) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      default:
        return c;
    }
  }

  void take_sign(char c) {
    rest_.remove_prefix(1);
    if (c == '}' && depth_ > 0) --depth_;
    add(ScriptToken::Kind::sign, std::string(1, c));
    if (c == '{') ++depth_;
  }

  void add(ScriptToken::Kind kind, std::string value) {
    tokens_.push_back(ScriptToken{kind, std::move(value), begins_line_, depth_});
    begins_line_ = false;
  }

  std::string_view rest_;
  std::vector<ScriptToken> tokens_;
  bool begins_line_ = true;
  size_t depth_ = 0;
};

}  // namespace

std::vector<ScriptToken> script_tokens(std::string_view script) { return Tokenizer(script).all(); }

}  // namespace caddis::rest
