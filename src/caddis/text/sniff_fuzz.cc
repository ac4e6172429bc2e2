#include <cstdint>
#include <cstdlib>
#include <string>

#include "caddis/text/encoding.h"
#include "caddis/text/sniff.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view label = caddis::text::charset_label(bytes);
  std::string storage;
  for (const auto& sniffed : {caddis::text::sniff_html(bytes, ""), caddis::text::sniff_text(bytes, label)}) {
    const std::string_view utf8 = caddis::text::to_utf8(bytes, sniffed.name, storage);
    if (sniffed.name.empty() || !caddis::text::is_utf8_text(utf8)) std::abort();
  }
  return 0;
}
