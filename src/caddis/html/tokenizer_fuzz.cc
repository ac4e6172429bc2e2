#include <cstdint>
#include <cstdlib>
#include <string>

#include "caddis/html/tokenizer.h"

using caddis::html::Token;
using caddis::html::Tokenizer;

// Tokens follow one another, and every range lies within its token.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  Tokenizer tokenizer(source);
  size_t behind = 0;
  std::string text;
  for (Token token; tokenizer.next(token);) {
    if (token.start < behind || token.end <= token.start || token.end > size) std::abort();
    behind = token.end;
    for (const auto& attribute : token.attributes) {
      if (attribute.name_start <= token.start || attribute.name_end > attribute.value_start ||
          attribute.value_start > attribute.value_end || attribute.value_end >= token.end || attribute.name.empty()) {
        std::abort();
      }
    }
    text.clear();
    append_text(text, token);
  }
  return 0;
}
