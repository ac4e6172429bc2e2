#include "caddis/html/tokenizer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/html/character_reference.h"
#include "caddis/html/script_end.h"
#include "caddis/text/encoding.h"

namespace caddis::html {
namespace {

enum CharClass : uint8_t {
  kSpace = 1,
  kSlash = 2,
  kGreater = 4,
  kEquals = 8,
  kUpperOrNul = 16,
  kDecode = 32,
  kHigh = 64
};

constexpr std::array<uint8_t, 256> make_classes() {
  std::array<uint8_t, 256> table{};
  for (const char c : {'\t', '\n', '\f', '\r', ' '}) table[static_cast<uint8_t>(c)] = kSpace;
  table['/'] = kSlash;
  table['>'] = kGreater;
  table['='] = kEquals;
  for (char c = 'A'; c <= 'Z'; ++c) table[static_cast<uint8_t>(c)] = kUpperOrNul;
  table[0] = kUpperOrNul | kDecode;
  table['&'] |= kDecode;
  table['\r'] |= kDecode;
  for (size_t c = 0x80; c < 0x100; ++c) table[c] = kHigh;
  return table;
}

constexpr std::array<uint8_t, 256> kClasses = make_classes();

uint8_t class_of(char c) { return kClasses[static_cast<uint8_t>(c)]; }

// Resolves references, normalizes newlines and, with `replace_nul`, makes U+0000 to U+FFFD.
void append_decoded(std::string& out, std::string_view raw, bool references, bool in_attribute, bool replace_nul) {
  for (size_t at = 0; at < raw.size();) {
    const size_t plain = at;
    while (at < raw.size() && (class_of(raw[at]) & kDecode) == 0) ++at;
    out.append(raw, plain, at - plain);
    if (at == raw.size()) return;
    const char c = raw[at];
    if (c == '&') {
      const size_t taken = references ? append_reference(out, raw.substr(at), in_attribute) : 0;
      if (taken == 0) out += '&';
      at += std::max<size_t>(taken, 1);
    } else if (c == '\r') {
      out += '\n';
      at += at + 1 < raw.size() && raw[at + 1] == '\n' ? 2 : 1;
    } else {
      if (replace_nul)
        out += "\uFFFD";
      else
        out += '\0';
      ++at;
    }
  }
}

}  // namespace

struct Tokenizer::Scratch {
  static constexpr size_t kBlock = 4096;
  std::vector<std::unique_ptr<char[]>> blocks;
  size_t used = 0;
  size_t capacity = 0;  // of the last block

  char* allocate(size_t size) {
    if (used + size > capacity) {
      capacity = std::max(kBlock, size);
      blocks.push_back(std::make_unique_for_overwrite<char[]>(capacity));
      used = 0;
    }
    return blocks.back().get() + std::exchange(used, used + size);
  }
  void clear() {
    if (blocks.size() > 1) {
      blocks.clear();
      capacity = 0;
    }
    used = 0;
  }
};

const Attribute* Token::find(std::string_view attribute) const {
  for (const Attribute& candidate : attributes) {
    if (candidate.name == attribute) return &candidate;
  }
  return nullptr;
}

Tokenizer::Tokenizer(std::string_view source) : Tokenizer(source, Options()) {}

Tokenizer::Tokenizer(std::string_view source, Options options)
    : source_(source),
      options_(options),
      model_(options.model),
      last_start_tag_(options.last_start_tag),
      scratch_(std::make_unique<Scratch>()) {
  attributes_.reserve(16);
}

Tokenizer::Tokenizer(std::string_view source, Options options, Place place) : Tokenizer(source, options) {
  model_ = place.model;
  foreign_depth_ = place.foreign_depth;
  last_start_tag_ = std::move(place.last_start_tag);
}

Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

std::string_view Tokenizer::keep(std::string_view bytes) {
  if (bytes.empty()) return {};
  char* copy = scratch_->allocate(bytes.size());
  std::memcpy(copy, bytes.data(), bytes.size());
  return {copy, bytes.size()};
}

// `classes`: those of all its bytes, in this and the next.
std::string_view Tokenizer::lower_name(size_t start, size_t end, uint8_t classes) {
  std::string_view written = source_.substr(start, end - start);
  const bool convert = (classes & kHigh) != 0 && !options_.encoding.empty();
  if (!convert && (classes & kUpperOrNul) == 0) return written;
  if (convert) written = text::piece_to_utf8(written, options_.encoding, converted_);
  decoded_.clear();
  for (const char c : written) {
    if (c == '\0')
      decoded_ += "\uFFFD";
    else
      decoded_ += to_lower(c);
  }
  return keep(decoded_);
}

std::string_view Tokenizer::value_of(std::string_view raw, uint8_t classes) {
  const bool convert = (classes & kHigh) != 0 && !options_.encoding.empty();
  if (!convert && (classes & kDecode) == 0) return raw;
  const std::string_view text = convert ? text::piece_to_utf8(raw, options_.encoding, converted_) : raw;
  if ((classes & kDecode) == 0) return text.data() == raw.data() ? raw : keep(text);
  decoded_.clear();
  append_decoded(decoded_, text, true, true, true);
  return keep(decoded_);
}

bool Tokenizer::next(Token& token) {
  scratch_->clear();
  token = Token();
  while (position_ < source_.size()) {
    const bool raw = model_ != ContentModel::data;
    const size_t text_end = raw ? find_raw_end(position_) : find_markup(position_);
    if (model_ == ContentModel::cdata) {
      read_cdata(token, position_);
      return true;
    }
    if (text_end > position_) {
      if (raw || !options_.skip_text) {
        emit_text(token, text_end);
        return true;
      }
      position_ = text_end;
      continue;
    }
    model_ = ContentModel::data;
    if (read_markup(token)) return true;
  }
  token.start = token.end = source_.size();
  return false;
}

void Tokenizer::emit_text(Token& token, size_t end) {
  token.kind = Token::Kind::text;
  token.model = model_;
  token.start = position_;
  token.end = end;
  token.text = source_.substr(position_, end - position_);
  position_ = end;
}

// Where the next '<' stands that begins something other than text.
size_t Tokenizer::find_markup(size_t from) const {
  const size_t size = source_.size();
  while (from < size) {
    const void* hit = std::memchr(source_.data() + from, '<', size - from);
    if (hit == nullptr) return size;
    const size_t at = static_cast<size_t>(static_cast<const char*>(hit) - source_.data());
    if (at + 1 == size) return size;
    const char next = source_[at + 1];
    if (is_alpha(next) || next == '!' || next == '?') return at;
    if (next == '/' && at + 2 < size) return at;
    from = at + 1;
  }
  return size;
}

// Where the element ends in which we are, by its end tag.
size_t Tokenizer::find_raw_end(size_t from) const {
  if (model_ == ContentModel::plaintext || model_ == ContentModel::cdata) return source_.size();
  if (model_ == ContentModel::script) return find_script_end(from);
  while (from < source_.size()) {
    const size_t at = source_.find("</", from);
    if (at == std::string_view::npos) break;
    if (ends_element(at + 2)) return at;
    from = at + 2;
  }
  return source_.size();
}

size_t Tokenizer::find_script_end(size_t from) const { return html::find_script_end(source_, from, last_start_tag_); }

// Whether the name of the last start tag stands at `at`, as a whole name: an "appropriate end tag".
bool Tokenizer::ends_element(size_t at) const { return is_end_tag_name(source_, at, last_start_tag_); }

// Reads what the '<' at position_ begins. False where that gives no token: `</>` and a tag that the source ends in.
bool Tokenizer::read_markup(Token& token) {
  const size_t start = position_;
  const char next = source_[start + 1];
  token.start = start;
  bool emitted = true;
  if (is_alpha(next)) {
    emitted = !skip_bare_tag(start + 1, false) && read_tag(token, start + 1, false);
  } else if (next == '/') {
    const char name = source_[start + 2];
    if (is_alpha(name)) {
      emitted = !skip_bare_tag(start + 2, true) && read_tag(token, start + 2, true);
    } else if (name == '>') {
      position_ = start + 3;
      emitted = false;
    } else {
      read_bogus_comment(token, start + 2);
    }
  } else if (next == '?') {
    read_bogus_comment(token, start + 1);
  } else {
    const std::string_view rest = source_.substr(start);
    if (rest.starts_with("<!--")) {
      read_comment(token);
    } else if (starts_with_ignore_case(rest, "<!doctype")) {
      read_doctype(token, start + 9);
    } else if ((foreign_depth_ > 0 || options_.cdata_anywhere) && rest.starts_with("<![CDATA[")) {
      read_cdata(token, start + 9);
    } else {
      read_bogus_comment(token, start + 2);
    }
  }
  token.end = position_;
  return emitted;
}

bool Tokenizer::read_tag(Token& token, size_t name_start, bool closing) {
  const size_t size = source_.size();
  size_t at = name_start;
  uint8_t seen = 0;
  for (; at < size; ++at) {
    const uint8_t kind = class_of(source_[at]);
    if ((kind & (kSpace | kSlash | kGreater)) != 0) break;
    seen |= kind;
  }
  const size_t name_end = at;
  attributes_.clear();
  unquoted_value_end_ = 0;
  for (;;) {
    while (at < size && (class_of(source_[at]) & (kSpace | kSlash)) != 0) ++at;
    if (at >= size) {
      position_ = size;
      return false;
    }
    if (source_[at] == '>') break;
    at = read_attribute(at);
  }
  position_ = at + 1;
  token.name = lower_name(name_start, name_end, seen);
  if (closing) {
    token.kind = Token::Kind::end_tag;
    follow_end_tag(token.name);
    return true;
  }
  token.kind = Token::Kind::start_tag;
  token.attributes = attributes_;
  // "/>" closes, unless the '/' belongs to an unquoted value.
  token.self_closing = source_[at - 1] == '/' && unquoted_value_end_ != at;
  follow_start_tag(token);
  return true;
}

// Where bare tags are skipped: goes behind one that is nothing but its name; false where it is more, or where it begins
// what only a token can tell.
bool Tokenizer::skip_bare_tag(size_t name_start, bool closing) {
  if (!options_.skip_bare_tags) return false;
  size_t at = name_start;
  while (at < source_.size() && (class_of(source_[at]) & (kSpace | kSlash | kGreater | kUpperOrNul)) == 0) ++at;
  if (at == source_.size() || source_[at] != '>') return false;
  const std::string_view name = source_.substr(name_start, at - name_start);
  if (closing)
    follow_end_tag(name);
  else if (name == "svg" || name == "math" || content_model_of(name) != ContentModel::data)
    return false;
  position_ = at + 1;
  return true;
}

// Reads the attribute that begins at `at` and returns where it ends. Begins on a byte that is no space, '/' or '>'; a
// '=' in that place is part of the name.
size_t Tokenizer::read_attribute(size_t at) {
  const size_t size = source_.size();
  Attribute attribute;
  attribute.name_start = at;
  uint8_t seen = class_of(source_[at]);
  for (++at; at < size; ++at) {
    const uint8_t kind = class_of(source_[at]);
    if ((kind & (kSpace | kSlash | kGreater | kEquals)) != 0) break;
    seen |= kind;
  }
  attribute.name_end = at;
  size_t equals = at;
  while (equals < size && (class_of(source_[equals]) & kSpace) != 0) ++equals;
  attribute.value_start = attribute.value_end = at;
  if (equals < size && source_[equals] == '=') {
    at = equals + 1;
    while (at < size && (class_of(source_[at]) & kSpace) != 0) ++at;
    if (at >= size) return size;
    attribute.has_value = true;
    uint8_t decode = 0;
    const char quote = source_[at];
    if (quote == '"' || quote == '\'') {
      attribute.quote = quote;
      attribute.value_start = ++at;
      const void* close = std::memchr(source_.data() + at, quote, size - at);
      if (close == nullptr) return size;
      at = static_cast<size_t>(static_cast<const char*>(close) - source_.data());
      for (size_t i = attribute.value_start; i < at; ++i) decode |= class_of(source_[i]);
      attribute.value_end = at++;
    } else {
      attribute.value_start = at;
      for (; at < size; ++at) {
        const uint8_t kind = class_of(source_[at]);
        if ((kind & (kSpace | kGreater)) != 0) break;
        decode |= kind;
      }
      attribute.value_end = unquoted_value_end_ = at;
    }
    const size_t length = attribute.value_end - attribute.value_start;
    attribute.value = value_of(source_.substr(attribute.value_start, length), decode);
  }
  attribute.name = lower_name(attribute.name_start, attribute.name_end, seen);
  if (attributes_.size() < options_.max_attributes && !is_duplicate(attribute.name)) attributes_.push_back(attribute);
  return at;
}

bool Tokenizer::is_duplicate(std::string_view name) const {
  return std::any_of(attributes_.begin(), attributes_.end(),
                     [name](const Attribute& attribute) { return attribute.name == name; });
}

void Tokenizer::read_comment(Token& token) {
  token.kind = Token::Kind::comment;
  const size_t content = position_ + 4;
  const std::string_view rest = source_.substr(content);
  if (rest.starts_with('>') || rest.starts_with("->")) {
    position_ = content + (rest[0] == '>' ? 1 : 2);
    return;
  }
  for (size_t dashes = rest.find("--"); dashes != std::string_view::npos; dashes = rest.find("--", dashes + 1)) {
    const std::string_view tail = rest.substr(dashes + 2, 2);
    if (!tail.starts_with('>') && tail != "!>") continue;
    token.text = rest.substr(0, dashes);
    position_ = content + dashes + (tail[0] == '>' ? 3 : 4);
    return;
  }
  // The source ends in it: what could have been the beginning of its end is not part of it.
  size_t length = rest.size();
  for (const std::string_view cut : {"--!", "--", "-"}) {
    if (!rest.ends_with(cut)) continue;
    length -= cut.size();
    break;
  }
  token.text = rest.substr(0, length);
  position_ = source_.size();
}

void Tokenizer::read_bogus_comment(Token& token, size_t content_start) {
  token.kind = Token::Kind::comment;
  const size_t close = source_.find('>', content_start);
  const size_t content_end = close == std::string_view::npos ? source_.size() : close;
  token.text = source_.substr(content_start, content_end - content_start);
  position_ = std::min(content_end + 1, source_.size());
}

void Tokenizer::read_cdata(Token& token, size_t content_start) {
  token.kind = Token::Kind::text;
  token.model = ContentModel::cdata;
  token.start = position_;
  const size_t close = source_.find("]]>", content_start);
  const size_t content_end = close == std::string_view::npos ? source_.size() : close;
  token.text = source_.substr(content_start, content_end - content_start);
  position_ = std::min(content_end + 3, source_.size());
  token.end = position_;
  model_ = ContentModel::data;
}

void Tokenizer::follow_start_tag(const Token& token) {
  if (!options_.follow_elements) return;
  if (token.name == "svg" || token.name == "math") {
    if (!token.self_closing) ++foreign_depth_;
    return;
  }
  // In SVG `<script href=… />` is a whole element.
  if (foreign_depth_ > 0 && token.self_closing) return;
  model_ = content_model_of(token.name);
  if (model_ != ContentModel::data) last_start_tag_ = token.name;
}

void Tokenizer::follow_end_tag(std::string_view name) {
  if (foreign_depth_ > 0 && (name == "svg" || name == "math")) --foreign_depth_;
}

ContentModel content_model_of(std::string_view element) {
  switch (element.size()) {
    case 3:
      return element == "xmp" ? ContentModel::rawtext : ContentModel::data;
    case 5:
      if (element == "style") return ContentModel::rawtext;
      return element == "title" ? ContentModel::rcdata : ContentModel::data;
    case 6:
      if (element == "script") return ContentModel::script;
      return element == "iframe" ? ContentModel::rawtext : ContentModel::data;
    case 7:
      return element == "noembed" ? ContentModel::rawtext : ContentModel::data;
    case 8:
      if (element == "textarea") return ContentModel::rcdata;
      return element == "noframes" ? ContentModel::rawtext : ContentModel::data;
    case 9:
      return element == "plaintext" ? ContentModel::plaintext : ContentModel::data;
    default:
      return ContentModel::data;
  }
}

void append_text(std::string& out, const Token& token) {
  const ContentModel model = token.model;
  const bool comment = token.kind == Token::Kind::comment;
  const bool references = !comment && (model == ContentModel::data || model == ContentModel::rcdata);
  const bool replace_nul = comment || (model != ContentModel::data && model != ContentModel::cdata);
  append_decoded(out, token.text, references, false, replace_nul);
}

}  // namespace caddis::html
