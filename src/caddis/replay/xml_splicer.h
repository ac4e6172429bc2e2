// Goes through an XML document that is not in memory as a whole, and lets others put values in the place of values.
// The rest stays byte for byte.
//
// Names come in lower case, with their prefixes. The document need not be well-formed. Linear time; memory does not grow
// with it: of a tag of more than a window, or where new values have become megabytes, the rest stays as it is.
#pragma once

#include <string>
#include <string_view>

#include "caddis/html/tokenizer.h"
#include "caddis/replay/long_token.h"

namespace caddis::replay {

// One thread at a time.
class XmlSplicer {
 public:
  XmlSplicer(const XmlSplicer&) = delete;
  XmlSplicer& operator=(const XmlSplicer&) = delete;
  virtual ~XmlSplicer() = default;

  // Rewrites from the front of `source` and appends to `out`, until that has `enough` bytes or what follows may go on
  // behind `source`. Returns how many bytes of `source` are done: the rest is given again, with more behind it. With
  // `last` nothing comes behind it, and all is done in the end.
  size_t rewrite(std::string_view source, bool last, size_t enough, std::string& out);
  // Where rewrite() does nothing and no more can be held: copies of what is held what can be copied.
  size_t pass_token(std::string_view source, std::string& out);

 protected:
  XmlSplicer() = default;

  virtual void on_start(const html::Token& tag) = 0;
  virtual void on_end() {}  // also behind an empty element
  // A text that was waited for (wait_for_text) as it stands in the source.
  virtual void on_text(const html::Token& /*text*/) {}
  // "<?target data?>", with its content ("target data?").
  virtual void on_instruction(const html::Token& /*instruction*/, std::string_view /*content*/) {}

  // The next text is to come as a whole.
  void wait_for_text() { waits_for_text_ = true; }
  // Replaces bytes of the source that are at hand, in their order. `value` is escaped for where it goes.
  void replace(size_t start, size_t end, std::string_view value);
  void replace(const html::Attribute& attribute, std::string_view value);
  // The same with markup, as it is. Nothing has to be replaced by it.
  void splice(size_t start, size_t end, std::string_view markup);
  // Where tokens have their places. Behind a text that was waited for stands what follows but for blanks, two bytes of it at least.
  std::string_view source() const { return source_; }

 private:
  void copy_to(size_t end);
  bool is_followed(const html::Token& text) const;
  void on_token(const html::Token& token);

  std::string_view source_;
  html::Tokenizer::Place place_;  // behind what is done
  LongToken long_token_;
  std::string out_;
  size_t copied_ = 0;
  size_t grown_ = 0;  // bytes of the values replaced in the token at hand
  bool waits_for_text_ = false;
};

// A name without the prefix of its namespace.
std::string_view local_name(std::string_view name);

}  // namespace caddis::replay
