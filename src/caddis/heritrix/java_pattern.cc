#include "caddis/heritrix/java_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace caddis::heritrix {
namespace {

// Names behind \p that are POSIX classes in RE2.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kClasses = {{{"Lower", "lower"},
                                                                                     {"Upper", "upper"},
                                                                                     {"ASCII", "ascii"},
                                                                                     {"Alpha", "alpha"},
                                                                                     {"Digit", "digit"},
                                                                                     {"Alnum", "alnum"},
                                                                                     {"Punct", "punct"},
                                                                                     {"Blank", "blank"},
                                                                                     {"Space", "space"},
                                                                                     {"XDigit", "xdigit"},
                                                                                     {"Cntrl", "cntrl"}}};

std::unexpected<Error> no_such(std::string_view what) {
  return fail(ErrorCode::unsupported, fmt::format("RE2 has no {}", what));
}

class Translator {
 public:
  explicit Translator(std::string_view java) : rest_(java) {}

  Result<std::string> run() {
    while (!rest_.empty()) {
      if (rest_.front() == '\\')
        TRY_VOID(escape(false));
      else if (rest_.front() == '[')
        TRY_VOID(char_class());
      else if (rest_.starts_with("(?"))
        TRY_VOID(group());
      else if (rest_.front() == ' ')
        replace(1, "\\x20");
      else
        keep(1);
    }
    return std::move(out_);
  }

 private:
  void keep(size_t size) {
    out_ += rest_.substr(0, size);
    rest_.remove_prefix(std::min(size, rest_.size()));
  }
  void replace(size_t size, std::string_view with) {
    out_ += with;
    rest_.remove_prefix(std::min(size, rest_.size()));
  }

  Result<void> escape(bool in_class) {
    const char c = rest_.size() > 1 ? rest_[1] : '\0';
    if (c == 'u' && rest_.size() >= 6) {
      replace(6, fmt::format("\\x{{{}}}", rest_.substr(2, 4)));
    } else if (c == 'Q') {
      const size_t end = rest_.find("\\E");
      keep(end == std::string_view::npos ? rest_.size() : end + 2);
    } else if (c == 'p' && rest_.size() > 2 && rest_[2] == '{') {
      named_class(in_class);
    } else if (c == 'h') {
      replace(2, in_class ? " \\t" : "[ \\t]");
    } else if (c == 'Z') {
      replace(2, "\\z");
    } else if (!in_class && c >= '1' && c <= '9') {
      return no_such("references to groups");
    } else if (c == 'k' || c == 'G' || c == 'R' || c == 'X') {
      return no_such(fmt::format("\\{}", c));
    } else if (c == '_' || c == '\0') {
      rest_.remove_prefix(1);  // an underscore needs no backslash; one at the end says nothing
    } else {
      keep(2);
    }
    return {};
  }

  void named_class(bool in_class) {
    const size_t end = rest_.find('}');
    const std::string_view name = end == std::string_view::npos ? "" : rest_.substr(3, end - 3);
    for (const auto& [java, posix] : kClasses)
      if (name == java) return replace(end + 1, fmt::format(fmt::runtime(in_class ? "[:{}:]" : "[[:{}:]]"), posix));
    keep(2);
  }

  // Classes inside a class are united with it; RE2 has them all in one.
  Result<void> char_class() {
    keep(rest_.starts_with("[^") ? 2 : 1);
    if (rest_.starts_with(']')) replace(1, "\\]");
    size_t depth = 1;
    while (!rest_.empty() && depth > 0) {
      if (rest_.starts_with("&&")) return no_such("intersections of classes");
      if (rest_.starts_with("[^")) return no_such("classes that are inside a class and negated");
      if (rest_.front() == '\\') {
        TRY_VOID(escape(true));
      } else if (rest_.front() == '[') {
        ++depth;
        rest_.remove_prefix(1);
      } else if (rest_.front() == ']') {
        --depth;
        if (depth == 0)
          keep(1);
        else
          rest_.remove_prefix(1);
      } else if (rest_.starts_with("-[")) {
        replace(1, "\\-");
      } else {
        keep(1);
      }
    }
    return {};
  }

  Result<void> group() {
    const std::string_view inside = rest_.substr(2);
    if (inside.starts_with('=') || inside.starts_with('!')) return no_such("looking ahead");
    if (inside.starts_with("<=") || inside.starts_with("<!")) return no_such("looking behind");
    if (inside.starts_with('>')) return no_such("atomic groups");
    if (inside.starts_with('<'))
      replace(3, "(?P<");
    else
      keep(2);
    return {};
  }

  std::string_view rest_;
  std::string out_;
};

// The alternatives outside of all groups.
std::vector<std::string> alternatives(std::string_view pattern) {
  std::vector<std::string> found(1);
  size_t depth = 0;
  bool in_class = false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\' && pattern.substr(i, 2) == "\\Q") {
      const size_t end = pattern.find("\\E", i);
      const size_t size = end == std::string_view::npos ? pattern.size() - i : end + 2 - i;
      found.back() += pattern.substr(i, size);
      i += size - 1;
      continue;
    }
    if (c == '\\') {
      found.back() += pattern.substr(i, 2);
      ++i;
      continue;
    }
    if (in_class)
      in_class = c != ']';
    else if (c == '[')
      in_class = true;
    else if (c == '(')
      ++depth;
    else if (c == ')' && depth > 0)
      --depth;
    else if (c == '|' && depth == 0) {
      found.emplace_back();
      continue;
    }
    found.back() += c;
  }
  return found;
}

// ".*x.*" is found where "x" is; what begins or ends otherwise is tied to the ends of the text.
std::string searched(std::string_view whole) {
  std::string flags;
  if (whole.starts_with("(?i)")) {
    flags = "(?i)";
    whole.remove_prefix(4);
  }
  if (whole.starts_with('^')) whole.remove_prefix(1);
  const bool is_open_before = whole.starts_with(".*");
  if (is_open_before) whole.remove_prefix(whole.starts_with(".*?") ? 3 : 2);
  const bool is_tied_behind = whole.ends_with('$') && !whole.ends_with("\\$");
  if (is_tied_behind) whole.remove_suffix(1);
  const bool is_open_behind = whole.ends_with(".*") && !whole.ends_with("\\.*");
  if (is_open_behind) whole.remove_suffix(2);
  // An expression that matches everything is found everywhere.
  return fmt::format("{}{}{}{}", flags, is_open_before ? "" : "^", whole, is_open_behind ? "" : "$");
}

}  // namespace

Result<std::string> re2_syntax(std::string_view java) { return Translator(java).run(); }

Result<std::string> re2_search(std::string_view java) {
  TRY(const std::string pattern, re2_syntax(java));
  std::string out;
  for (const std::string& one : alternatives(pattern)) out.append(out.empty() ? "" : "|").append(searched(one));
  return out.empty() ? std::string("^$") : out;
}

}  // namespace caddis::heritrix
