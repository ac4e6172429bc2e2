// The words of a script in Groovy, BeanShell or JavaScript, as far as that is needed to tell whether it is one that is
// known: names, texts, numbers and single signs, without comments and white space. Time is linear. Pure, any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::rest {

struct ScriptToken {
  enum class Kind { name, text, number, sign };
  Kind kind = Kind::sign;
  std::string value;         // of a text without its quotes, escapes undone
  bool begins_line = false;  // nothing stands before it in its line
  size_t depth = 0;          // the braces around it
};

// At most 100,000 of them; what follows is left out.
std::vector<ScriptToken> script_tokens(std::string_view script);

}  // namespace caddis::rest
