// The JSON object of a CDXJ line, which is flat but for rare members: read in place, several times faster than through
// a document tree, and in the order in which it is written.
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/error.h"

namespace caddis::cdx {

// Walks over the members of one object:
//
//   FlatJson json(text);
//   while (json.next()) use(json.name(), json.is_string() ? json.text() : json.raw());
//   if (!json.error().empty()) ...
//
// `text` is borrowed. Views stay valid until the next call of next().
class FlatJson {
 public:
  explicit FlatJson(std::string_view text);
  bool next();
  std::string_view name() const { return name_; }
  // A string's characters with escapes resolved.
  std::string_view text() const { return text_; }
  // The value as it stands in the source: a quoted string, number, literal, array or object.
  std::string_view raw() const { return raw_; }
  bool is_string() const { return raw_.starts_with('"'); }
  // Empty while all is well, and at the end of a well-formed object.
  std::string_view error() const { return error_; }

 private:
  bool fail(std::string_view why);
  void skip_blanks();
  bool take_string(std::string_view& value, std::string& storage);
  bool take_escape(std::string& out);
  bool take_value();
  bool skip_nested();

  std::string_view rest_;
  bool first_ = true;
  bool ended_ = false;
  std::string_view name_, text_, raw_, error_;
  std::string name_storage_, text_storage_;
};

}  // namespace caddis::cdx
