// A small forgiving pull reader of XML 1.0 that machines write: elements, attributes, text.
//
// No DTD is read, no entity but the five of XML and character references is known, nothing is ever fetched. White space
// and a byte order mark may precede the document; a bare "&" or "<" within text is text. It stops (`broken`) at an end
// tag that does not fit and at nesting beyond kMaxDepth. Views are valid until the next call; the text read must
// outlive the reader.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caddis::feeds {

class XmlReader {
 public:
  static constexpr size_t kMaxDepth = 256;
  enum class Event { start, end, text, finished };

  explicit XmlReader(std::string_view text);

  // An element without content gives a start and an end.
  Event next();

  // Of a start or end: the name as written, with its prefix.
  std::string_view name() const { return name_; }
  std::string_view local_name() const { return name_.substr(name_.find(':') + 1); }
  std::string_view prefix() const;
  // Of a start: the value of an attribute by its name as written, entities resolved; empty where it is not there.
  std::string attribute(std::string_view attribute_name) const;
  // Of a text: entities resolved; long texts may come in several pieces.
  const std::string& text() const { return text_; }
  // How many elements are open, that of a start or end included.
  size_t depth() const { return depth_; }
  // After `finished`: the document did not end properly.
  bool broken() const { return broken_; }

 private:
  Event read_markup();
  Event read_start();
  Event read_end();
  Event read_text(size_t length, bool resolve);
  bool skip_to(std::string_view end);
  void skip_doctype();
  Event stop(bool broken);
  void append_resolved(std::string& out, std::string_view raw) const;

  std::string_view rest_, name_, attributes_;
  std::string text_;
  std::vector<std::string_view> open_;
  size_t depth_ = 0;
  bool end_follows_ = false;  // of the element just started
  bool has_doctype_ = false;
  bool broken_ = false;
};

}  // namespace caddis::feeds
