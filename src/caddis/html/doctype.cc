// The doctype states of the tokenizer (HTML Standard, 13.2.5.53 to 68).
#include <string>

#include "caddis/base/strings.h"
#include "caddis/html/tokenizer.h"

namespace caddis::html {
namespace {

bool is_html_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

std::string cleaned(std::string_view raw, bool lower) {
  std::string out;
  for (size_t at = 0; at < raw.size(); ++at) {
    const char c = raw[at];
    if (c == '\0') {
      out += "\uFFFD";
    } else if (c == '\r') {
      if (at + 1 == raw.size() || raw[at + 1] != '\n') out += '\n';
    } else {
      out += lower ? to_lower(c) : c;
    }
  }
  return out;
}

// Reads what stands between "<!DOCTYPE" and '>'.
struct Reader {
  std::string_view source;
  size_t at;

  void skip_space() {
    while (at < source.size() && is_html_space(source[at])) ++at;
  }
  bool over() const { return at >= source.size() || source[at] == '>'; }
  bool at_quote() const { return at < source.size() && (source[at] == '"' || source[at] == '\''); }
  bool take_keyword(std::string_view keyword) {
    if (!starts_with_ignore_case(source.substr(at), keyword)) return false;
    at += keyword.size();
    return true;
  }
  // The identifier whose opening quote is here; `complete` is false where it has no closing one.
  std::string_view take_quoted(bool& complete) {
    const char quote = source[at++];
    const size_t start = at;
    while (at < source.size() && source[at] != quote && source[at] != '>') ++at;
    complete = at < source.size() && source[at] == quote;
    const std::string_view id = source.substr(start, at - start);
    if (complete) ++at;
    return id;
  }
};

struct Ids {
  std::optional<std::string_view> public_id, system_id;
  bool quirks = false;
};

// Returns with `quirks` set as soon as the doctype is broken; the caller then looks for its '>'.
Ids read_ids(Reader& reader) {
  Ids ids;
  const bool is_public = reader.take_keyword("PUBLIC");
  if (!is_public && !reader.take_keyword("SYSTEM")) {
    ids.quirks = true;
    return ids;
  }
  bool complete = false;
  reader.skip_space();
  ids.quirks = !reader.at_quote();
  if (ids.quirks) return ids;
  (is_public ? ids.public_id : ids.system_id) = reader.take_quoted(complete);
  ids.quirks = !complete;
  if (ids.quirks || !is_public) return ids;
  reader.skip_space();
  if (reader.at < reader.source.size() && reader.source[reader.at] == '>') return ids;
  ids.quirks = !reader.at_quote();
  if (ids.quirks) return ids;
  ids.system_id = reader.take_quoted(complete);
  ids.quirks = !complete;
  return ids;
}

}  // namespace

void Tokenizer::read_doctype(Token& token, size_t at) {
  token.kind = Token::Kind::doctype;
  doctype_ = Doctype();
  Reader reader{source_, at};
  reader.skip_space();
  const size_t name_start = reader.at;
  while (!reader.over() && !is_html_space(source_[reader.at])) ++reader.at;
  if (reader.at > name_start) {
    doctype_.has_name = true;
    doctype_.name = keep(cleaned(source_.substr(name_start, reader.at - name_start), true));
    reader.skip_space();
  }
  doctype_.force_quirks = !doctype_.has_name;
  if (!reader.over()) {
    const Ids ids = read_ids(reader);
    if (ids.public_id) doctype_.public_id = keep(cleaned(*ids.public_id, false));
    if (ids.system_id) doctype_.system_id = keep(cleaned(*ids.system_id, false));
    doctype_.force_quirks |= ids.quirks;
    // Behind a complete doctype, anything but its end is ignored; an end of the source right behind it still means
    // quirks.
    reader.skip_space();
    if (reader.at >= source_.size()) doctype_.force_quirks = true;
  } else if (reader.at >= source_.size()) {
    doctype_.force_quirks = true;
  }
  token.name = doctype_.name;
  const size_t close = source_.find('>', reader.at);
  position_ = close == std::string_view::npos ? source_.size() : close + 1;
}

}  // namespace caddis::html
