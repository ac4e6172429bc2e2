// Index lines and query strings from anywhere: nothing crashes, and what was read can be written and read again.
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/query.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const auto capture = caddis::cdx::parse_line(input)) {
    const std::string line = caddis::cdx::cdxj_line(*capture);
    const auto again = caddis::cdx::parse_line(line);
    CADDIS_CHECK(again.has_value());
    CADDIS_CHECK(caddis::cdx::cdxj_line(*again) == line);
  }
  (void)caddis::cdx::parse_cdx_line(input, " CDX N b a m s k r M S V g");
  if (const auto query = caddis::cdx::parse_query(input)) (void)caddis::cdx::key_range(query->url, query->match);
  return 0;
}
