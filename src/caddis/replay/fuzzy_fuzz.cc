// Rules and lines of any bytes: refused or used, and nothing grows beyond its bound.
#include <cstddef>
#include <cstdint>

#include "caddis/replay/diff.h"
#include "caddis/replay/fuzzy.h"
#include "caddis/replay/text_lines.h"

using namespace caddis::replay;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto rules = FuzzyRules::parse(text))
    if (const auto url = caddis::url::Url::parse("http://h.example/a.js?a=1&_=2")) rules->remainder(*url);
  if (const auto url = caddis::url::Url::parse(text)) FuzzyRules::standard().remainder(*url);
  text_of_html(text);
  lines_of_source(text);
  mark_words(text.substr(0, size / 2), text.substr(size / 2));
  return 0;
}
