// The token of a page that is longer than anyone wants to hold (a comment, a declaration, a tag with megabytes in an
// attribute): where it ends, found piece by piece.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace caddis::replay {

class LongToken {
 public:
  // `source` begins with the '<' of a token. In foreign content (SVG, MathML, XML) there are CDATA sections.
  void begin(std::string_view source, bool foreign);
  bool active() const { return kind_ != Kind::none; }
  // Goes on at the front of `source`: how many bytes of it belong to the token. Not active any longer where its end is
  // among them; else a few bytes may be left, to be given again with more behind them.
  size_t find_end(std::string_view source);
  // Of a start tag, in lower case; empty for all else.
  const std::string& element() const { return element_; }

 private:
  enum class Kind : uint8_t { none, comment, cdata, declaration, tag };
  enum class In : uint8_t { between, name, value_start, unquoted, quoted };

  size_t end_of_comment(std::string_view source);
  size_t end_of_tag(std::string_view source);

  Kind kind_ = Kind::none;
  In in_ = In::between;
  char quote_ = '\0';
  std::string element_;
};

}  // namespace caddis::replay
