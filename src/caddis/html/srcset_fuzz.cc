#include "caddis/html/srcset.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view value(reinterpret_cast<const char*>(data), size);
  caddis::html::SrcsetUrls urls(value);
  const char* behind = value.data();
  for (std::string_view url; urls.next(url);) {
    if (url.empty() || url.data() < behind || url.data() + url.size() > value.data() + size) std::abort();
    behind = url.data() + url.size();
  }
  if (const auto url = caddis::html::refresh_url(value); url && url->empty()) std::abort();
  return 0;
}
