#include "caddis/pages/message_pattern.h"

#include "caddis/base/strings.h"
#include "caddis/text/locale_format.h"

namespace caddis::pages {
namespace {

// The plural form of a whole number (CLDR), for the languages that there are: French has nought in the singular.
bool is_singular(int64_t number, const Language& language) {
  return number == 1 || (number == 0 && language.code == "fr");
}

}  // namespace

class MessagePattern::Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  // Up to the end of the text, or of the form of a plural.
  Result<std::vector<Part>> parts(bool in_plural) {
    std::vector<Part> parts;
    while (!rest_.empty() && !(in_plural && rest_.front() == '}')) {
      const char c = rest_.front();
      if (c == '{') {
        TRY(Part part, placeholder(in_plural));
        parts.push_back(std::move(part));
      } else if (c == '}') {
        return fail(ErrorCode::parse, "a '}' closes nothing");
      } else if (c == '#' && in_plural) {
        rest_.remove_prefix(1);
        parts.push_back({.is_number = true});
      } else {
        const size_t end = std::min(rest_.find_first_of(in_plural ? "{}#" : "{}"), rest_.size());
        parts.push_back({.text = std::string(rest_.substr(0, end))});
        rest_.remove_prefix(end);
      }
    }
    return parts;
  }

 private:
  Result<Part> placeholder(bool in_plural) {
    rest_.remove_prefix(1);
    const size_t end = rest_.find_first_of(",}{");
    if (end == std::string_view::npos || rest_[end] == '{') return fail(ErrorCode::parse, "a '{' is not closed");
    Part part{.name = std::string(trim(rest_.substr(0, end)))};
    if (part.name.empty()) return fail(ErrorCode::parse, "a placeholder has no name");
    const char next = rest_[end];
    rest_.remove_prefix(end + 1);
    if (next == '}') return part;
    if (in_plural) return fail(ErrorCode::parse, "a plural stands in another one");
    skip_blanks();
    if (!take("plural")) return fail(ErrorCode::parse, '{' + part.name + ", …}: only 'plural' is known");
    skip_blanks();
    if (!take(",")) return fail(ErrorCode::parse, '{' + part.name + ", plural}: forms are missing");
    part.is_plural = true;
    for (skip_blanks(); !take("}"); skip_blanks()) TRY_VOID(form(part));
    if (part.one.empty() || part.other.empty())
      return fail(ErrorCode::parse, '{' + part.name + ", plural, …}: needs the forms 'one' and 'other'");
    return part;
  }

  Result<void> form(Part& part) {
    const bool is_one = take("one");
    if (!is_one && !take("other")) return fail(ErrorCode::parse, "forms of a plural are 'one' and 'other'");
    skip_blanks();
    if (!take("{")) return fail(ErrorCode::parse, "the form of a plural begins with '{'");
    TRY((is_one ? part.one : part.other), parts(true));
    if (!take("}")) return fail(ErrorCode::parse, "the form of a plural is not closed");
    return {};
  }

  void skip_blanks() {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
  }
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  std::string_view rest_;
};

Result<MessagePattern> MessagePattern::parse(std::string_view text) {
  MessagePattern pattern;
  TRY(pattern.parts_, Parser(text).parts(false));
  return pattern;
}

std::string MessagePattern::fill(const Data& values, const Language& language) const {
  std::string out;
  fill(parts_, values, language, "", out);
  return out;
}

void MessagePattern::fill(const std::vector<Part>& parts, const Data& values, const Language& language,
                          const std::string& number, std::string& out) {
  for (const Part& part : parts) {
    if (part.is_number) {
      out += number;
      continue;
    }
    if (part.name.empty()) {
      out += part.text;
      continue;
    }
    const Data* const value = values.find(part.name);
    const int64_t* const count = value == nullptr ? nullptr : value->number();
    if (!part.is_plural) {
      if (value != nullptr) out += count != nullptr ? text::format_number(language.locale, *count) : value->text();
      continue;
    }
    const int64_t known = count == nullptr ? 0 : *count;
    fill(is_singular(known, language) ? part.one : part.other, values, language,
         text::format_number(language.locale, known), out);
  }
}

void MessagePattern::collect(const std::vector<Part>& parts, std::set<std::string>& names) {
  for (const Part& part : parts) {
    if (!part.name.empty()) names.insert(part.name);
    collect(part.one, names);
    collect(part.other, names);
  }
}

std::set<std::string> MessagePattern::placeholders() const {
  std::set<std::string> names;
  collect(parts_, names);
  return names;
}

}  // namespace caddis::pages
