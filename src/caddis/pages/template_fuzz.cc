// Templates and messages of any bytes are refused, or can be filled.
#include <cstddef>
#include <cstdint>

#include "caddis/pages/pages.h"

using namespace caddis::pages;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Data values{{"a", "<"}, {"n", 2}, {"list", Data::List{Data{{"a", 1}}, "x"}}};
  if (const auto made = Template::parse(text, "x"))
    made->fill(values, Pages::plain()->messages(kLanguages[1]), [&](std::string_view) { return nullptr; });
  if (const auto pattern = MessagePattern::parse(text)) pattern->fill(values, kLanguages[2]);
  preferred_language(text);
  return 0;
}
