// Answers of CDX APIs, and URLs made of keys.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/cdx/line.h"
#include "caddis/sources/remote_index.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  sources::parse_cdx_answer(text, [](cdx::Capture capture) {
    CADDIS_CHECK(!capture.url.empty());
    // The part that is kept is a line that can be read again.
    capture.urlkey = cdx::index_key(capture.url);
    if (capture.urlkey.empty()) return true;
    CADDIS_CHECK(cdx::parse_line(cdx::cdxj_line(capture)).has_value());
    static_cast<void>(sources::url_of_key(capture.urlkey));
    return true;
  });
  return 0;
}
