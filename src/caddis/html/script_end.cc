#include "caddis/html/script_end.h"

#include "caddis/base/strings.h"

namespace caddis::html {
namespace {

bool ends_name(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '/' || c == '>'; }

enum class Escape { none, comment, script_in_comment };

// The scan within `<!--`: returns the end of the script, or moves `at` behind the `-->` and returns npos.
class EscapedScan {
 public:
  EscapedScan(std::string_view source, std::string_view name) : source_(source), name_(name) {}

  size_t run(size_t& at) {
    Escape state = Escape::comment;
    unsigned dashes = 2;  // those of "<!--": "<!-->" is over at once
    while (at < source_.size()) {
      const char c = source_[at];
      if (c == '-') {
        ++dashes;
      } else if (c == '>' && dashes >= 2) {
        ++at;
        return std::string_view::npos;
      } else {
        dashes = 0;
        if (c == '<') {
          if (state == Escape::comment && closes(at)) return at;
          state = after_less_than(at, state);
        }
      }
      ++at;
    }
    return source_.size();
  }

 private:
  bool closes(size_t at) const {
    return at + 1 < source_.size() && source_[at + 1] == '/' && is_end_tag_name(source_, at + 2, name_);
  }

  Escape after_less_than(size_t at, Escape state) const {
    if (state == Escape::comment) {
      return is_end_tag_name(source_, at + 1, "script") ? Escape::script_in_comment : Escape::comment;
    }
    const bool end = at + 1 < source_.size() && source_[at + 1] == '/' && is_end_tag_name(source_, at + 2, "script");
    return end ? Escape::comment : Escape::script_in_comment;
  }

  std::string_view source_;
  std::string_view name_;
};

}  // namespace

bool is_end_tag_name(std::string_view source, size_t at, std::string_view name) {
  if (name.empty() || at + name.size() >= source.size()) return false;
  return ends_name(source[at + name.size()]) && equals_ignore_case(source.substr(at, name.size()), name);
}

size_t find_script_end(std::string_view source, size_t from, std::string_view name) {
  for (size_t at = source.find('<', from); at != std::string_view::npos; at = source.find('<', at)) {
    if (source.substr(at).starts_with("<!--")) {
      at += 4;
      if (const size_t end = EscapedScan(source, name).run(at); end != std::string_view::npos) return end;
      continue;
    }
    if (source.substr(at).starts_with("</") && is_end_tag_name(source, at + 2, name)) return at;
    ++at;
  }
  return source.size();
}

}  // namespace caddis::html
