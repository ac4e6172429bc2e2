#include "caddis/feeds/xml_reader.h"

#include <algorithm>
#include <charconv>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"

namespace caddis::feeds {
namespace {

bool is_name_start(char c) { return is_alpha(c) || c == '_' || c == ':' || static_cast<unsigned char>(c) >= 0x80; }
bool is_name_char(char c) { return is_name_start(c) || is_digit(c) || c == '-' || c == '.'; }

std::string_view take_name(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_name_char);
  const std::string_view name = text.substr(0, static_cast<size_t>(end - text.begin()));
  text.remove_prefix(name.size());
  return name;
}

struct Entity {
  std::string_view name, value;
};
constexpr Entity kEntities[] = {{"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"apos", "'"}};
constexpr size_t kMaxEntity = 32;

// "#65" and "#x41"; false where it is no character reference.
bool append_character(std::string& out, std::string_view reference) {
  if (!reference.starts_with('#')) return false;
  const bool hexadecimal = reference.size() > 1 && (reference[1] == 'x' || reference[1] == 'X');
  reference.remove_prefix(hexadecimal ? 2 : 1);
  uint32_t code = 0;
  const auto [end, error] =
      std::from_chars(reference.data(), reference.data() + reference.size(), code, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != reference.data() + reference.size() || code == 0) return false;
  append_utf8(out, static_cast<char32_t>(code));
  return true;
}

// The end of a tag: the first '>' outside quotes.
size_t find_tag_end(std::string_view text) {
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (quote != 0)
      quote = text[i] == quote ? '\0' : quote;
    else if (text[i] == '"' || text[i] == '\'')
      quote = text[i];
    else if (text[i] == '>')
      return i;
  }
  return text.npos;
}

}  // namespace

XmlReader::XmlReader(std::string_view text) : rest_(text) {
  if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
}

std::string_view XmlReader::prefix() const {
  const size_t colon = name_.find(':');
  return colon == name_.npos ? std::string_view() : name_.substr(0, colon);
}

XmlReader::Event XmlReader::stop(bool broken) {
  broken_ = broken_ || broken;
  rest_ = {};
  open_.clear();
  end_follows_ = false;
  return Event::finished;
}

XmlReader::Event XmlReader::next() {
  if (end_follows_) {
    end_follows_ = false;
    depth_ = open_.size();
    open_.pop_back();
    return Event::end;
  }
  while (!rest_.empty()) {
    if (rest_.front() != '<' || rest_.size() < 2)
      return read_text(std::max<size_t>(1, std::min(rest_.find('<'), rest_.size())), true);
    if (rest_.starts_with("<!--")) {
      if (!skip_to("-->")) return stop(true);
    } else if (rest_.starts_with("<![CDATA[")) {
      rest_.remove_prefix(9);
      const size_t end = rest_.find("]]>");
      const Event event = read_text(std::min(end, rest_.size()), false);
      if (end == rest_.npos && rest_.empty()) broken_ = true;
      if (rest_.starts_with("]]>")) rest_.remove_prefix(3);
      return event;
    } else if (rest_.starts_with("<?")) {
      if (!skip_to("?>")) return stop(true);
    } else if (rest_.starts_with("<!")) {
      skip_doctype();
    } else {
      return read_markup();
    }
  }
  return stop(!open_.empty());
}

XmlReader::Event XmlReader::read_markup() {
  if (rest_[1] == '/') return read_end();
  if (is_name_start(rest_[1])) return read_start();
  return read_text(std::min(rest_.find('<', 1), rest_.size()), true);
}

XmlReader::Event XmlReader::read_start() {
  const size_t end = find_tag_end(rest_);
  if (end == rest_.npos || open_.size() >= kMaxDepth) return stop(true);
  attributes_ = rest_.substr(1, end - 1);
  rest_.remove_prefix(end + 1);
  name_ = take_name(attributes_);
  end_follows_ = attributes_.ends_with('/');
  if (end_follows_) attributes_.remove_suffix(1);
  open_.push_back(name_);
  depth_ = open_.size();
  return Event::start;
}

XmlReader::Event XmlReader::read_end() {
  const size_t end = rest_.find('>');
  if (end == rest_.npos) return stop(true);
  name_ = trim(rest_.substr(2, end - 2));
  if (open_.empty() || open_.back() != name_) return stop(true);
  rest_.remove_prefix(end + 1);
  depth_ = open_.size();
  open_.pop_back();
  return Event::end;
}

XmlReader::Event XmlReader::read_text(size_t length, bool resolve) {
  text_.clear();
  depth_ = open_.size();
  if (resolve)
    append_resolved(text_, rest_.substr(0, length));
  else
    text_ = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return Event::text;
}

bool XmlReader::skip_to(std::string_view end) {
  const size_t found = rest_.find(end);
  if (found == rest_.npos) return false;
  rest_.remove_prefix(found + end.size());
  return true;
}

// Up to the '>' that is outside its brackets.
void XmlReader::skip_doctype() {
  has_doctype_ = true;
  bool inside = false;
  for (size_t i = 0; i < rest_.size(); ++i) {
    if (rest_[i] == '[')
      inside = true;
    else if (rest_[i] == ']')
      inside = false;
    else if (rest_[i] == '>' && !inside)
      return rest_.remove_prefix(i + 1);
  }
  broken_ = true;
  rest_ = {};
}

// An entity that only a DTD could explain is dropped; without a DTD it is the "&" of a URL that nobody escaped.
void XmlReader::append_resolved(std::string& out, std::string_view raw) const {
  while (!raw.empty()) {
    const size_t ampersand = std::min(raw.find('&'), raw.size());
    out += raw.substr(0, ampersand);
    raw.remove_prefix(ampersand);
    if (raw.empty()) return;
    const size_t semicolon = raw.substr(0, kMaxEntity).find(';');
    const std::string_view reference = semicolon == raw.npos ? std::string_view() : raw.substr(1, semicolon - 1);
    const auto known = std::ranges::find(kEntities, reference, &Entity::name);
    if (known != std::end(kEntities))
      out += known->value;
    else if (!append_character(out, reference)) {
      const bool from_doctype = has_doctype_ && !reference.empty() && std::ranges::all_of(reference, is_name_char);
      if (!from_doctype) {
        out += '&';
        raw.remove_prefix(1);
        continue;
      }
    }
    raw.remove_prefix(semicolon + 1);
  }
}

std::string XmlReader::attribute(std::string_view attribute_name) const {
  std::string_view rest = attributes_;
  while (true) {
    const auto start = std::ranges::find_if(rest, is_name_start);
    rest.remove_prefix(static_cast<size_t>(start - rest.begin()));
    if (rest.empty()) return "";
    const std::string_view found = take_name(rest);
    rest = trim(rest);
    if (!rest.starts_with('=')) continue;
    rest = trim(rest.substr(1));
    if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) continue;
    const size_t end = rest.find(rest.front(), 1);
    if (end == rest.npos) return "";
    if (found == attribute_name) {
      std::string value;
      append_resolved(value, rest.substr(1, end - 1));
      return value;
    }
    rest.remove_prefix(end + 1);
  }
}

}  // namespace caddis::feeds
