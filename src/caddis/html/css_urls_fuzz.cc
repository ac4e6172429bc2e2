#include "caddis/html/css_urls.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view css(reinterpret_cast<const char*>(data), size);
  caddis::html::CssUrls urls(css);
  size_t behind = 0;
  for (caddis::html::CssUrl url; urls.next(url);) {
    if (url.start < behind || url.end <= url.start || url.end > size) std::abort();
    behind = url.end;
    if (caddis::html::css_unescape(url.raw).size() > 3 * url.raw.size() + 3) std::abort();
  }
  return 0;
}
