// HTML tokens by the tokenization rules of the HTML Standard
// (https://html.spec.whatwg.org/multipage/parsing.html, 13.2.5).
//
// A pull tokenizer over one whole document. The source is UTF-8 or any other charset in which ASCII bytes stand for
// themselves; it is borrowed and must outlive the tokenizer. Every token says which bytes of the source it is made of,
// so that a rewriter can copy a document and splice single attribute values. Bytes between two tokens (an unfinished
// tag at the end, `</>`) belong to no token; a rewriter copies them as they are.
//
// There is no tree builder: the start tags that change the tokenizer's state in a browser (script, style, title,
// textarea, iframe, noembed, noframes, xmp, plaintext; noscript as without scripting) change it here, and svg and math
// are counted to tell where `<![CDATA[` is a CDATA section. Parse errors are not reported: every input has tokens.
//
// Not thread-safe. Views in a token stay valid until the next call of next(). Time is linear in the source; beyond the
// source itself memory is bounded by the attributes of one tag.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::html {

// How the text of an element is read; the states of the standard of the same names.
enum class ContentModel : uint8_t { data, rcdata, rawtext, script, plaintext, cdata };

struct Attribute {
  std::string_view name;   // lower case
  std::string_view value;  // character references resolved, newlines normalized
  // Ranges in the source: `name` as written; `value` as written, without its quotes (empty where there is no value).
  size_t name_start = 0;
  size_t name_end = 0;
  size_t value_start = 0;
  size_t value_end = 0;
  char quote = '\0';       // '"', '\'', or 0 for an unquoted or absent value
  bool has_value = false;  // whether there is a '='
};

struct Token {
  enum class Kind : uint8_t { start_tag, end_tag, text, comment, doctype, end };

  Kind kind = Kind::end;
  ContentModel model = ContentModel::data;  // of a text: how it is to be decoded
  bool self_closing = false;                // "/>" as written, whatever the element
  size_t start = 0;                         // the token's bytes in the source: [start, end)
  size_t end = 0;
  std::string_view name;  // of a tag: lower case; of a doctype: its name
  std::string_view text;  // of a text or comment: its content as it stands in the source (see append_text)
  std::span<const Attribute> attributes;  // of a start tag: the first of each name, in source order

  // The attribute of that (lower-case) name, or null.
  const Attribute* find(std::string_view attribute) const;
};

struct Doctype {
  std::string_view name;
  bool has_name = false;
  std::optional<std::string_view> public_id;
  std::optional<std::string_view> system_id;
  bool force_quirks = false;
};

class Tokenizer {
 public:
  // What has to be known of the bytes before to go on behind the token last returned: for documents that are not in
  // memory as a whole.
  struct Place {
    ContentModel model = ContentModel::data;
    unsigned foreign_depth = 0;
    std::string last_start_tag;
  };
  struct Options {
    ContentModel model = ContentModel::data;  // for fragments: the state to begin in,
    std::string_view last_start_tag = {};     // and the element whose end tag ends it
    bool follow_elements = true;              // let start tags change the content model (a browser's tree builder does)
    bool skip_text = false;                   // give no text tokens of the data state: who wants only tags is faster
    bool skip_bare_tags = false;              // give no tags without attributes but those that begin other than data
    bool cdata_anywhere = false;              // as in XML
    size_t max_attributes = 1000;             // of one tag; further ones are dropped
    // With the name of an encoding (caddis/text/encoding.h) that keeps markup: names and values are converted from it
    // to UTF-8. Texts and comments stay as they are in the source.
    std::string_view encoding = {};
  };

  explicit Tokenizer(std::string_view source);
  Tokenizer(std::string_view source, Options options);
  // `source` begins at that place. Its last token is sound where it does not reach the end of `source`.
  Tokenizer(std::string_view source, Options options, Place place);
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;

  // The next token; false at the end, where `token` is of kind `end`.
  bool next(Token& token);

  Place place() const { return {model_, foreign_depth_, last_start_tag_}; }
  // Of the doctype token last returned.
  const Doctype& doctype() const { return doctype_; }
  std::string_view source() const { return source_; }

 private:
  bool read_markup(Token& token);
  bool read_tag(Token& token, size_t name_start, bool closing);
  size_t read_attribute(size_t at);
  bool skip_bare_tag(size_t name_start, bool closing);
  void read_comment(Token& token);
  void read_bogus_comment(Token& token, size_t content_start);
  void read_cdata(Token& token, size_t content_start);
  void read_doctype(Token& token, size_t at);
  void emit_text(Token& token, size_t end);
  void follow_start_tag(const Token& token);
  void follow_end_tag(std::string_view name);
  size_t find_markup(size_t from) const;
  size_t find_raw_end(size_t from) const;
  size_t find_script_end(size_t from) const;
  bool ends_element(size_t at) const;
  bool is_duplicate(std::string_view name) const;

  std::string_view lower_name(size_t start, size_t end, uint8_t classes);
  std::string_view value_of(std::string_view raw, uint8_t classes);
  std::string_view keep(std::string_view bytes);

  std::string_view source_;
  size_t position_ = 0;
  Options options_;
  ContentModel model_ = ContentModel::data;
  unsigned foreign_depth_ = 0;
  std::string last_start_tag_;
  std::vector<Attribute> attributes_;
  size_t unquoted_value_end_ = 0;
  Doctype doctype_;
  std::string decoded_, converted_;
  // Bytes of names and values that could not be views into the source: a bump allocator, emptied by each next().
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

// Appends the characters that a text or comment token stands for: references resolved where its content model has them,
// newlines normalized, U+0000 replaced where the standard does.
void append_text(std::string& out, const Token& token);

// The content model that the start tag of this (lower-case) name begins, without scripting; `data` for most.
ContentModel content_model_of(std::string_view element);

}  // namespace caddis::html
