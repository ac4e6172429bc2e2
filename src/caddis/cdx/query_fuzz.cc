// Query strings, in all dialects.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/query.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto dialect :
       {caddis::cdx::Dialect::pywb, caddis::cdx::Dialect::internet_archive, caddis::cdx::Dialect::outback}) {
    const auto query = caddis::cdx::parse_query(text, dialect);
    if (!query) continue;
    const auto line = caddis::cdx::parse_line("com,a)/ 20200101000000 {\"url\": \"http://a.com/\"}");
    for (const auto& filter : query->filters) (void)filter.accepts("com,a)/ 2020", *line);
    (void)caddis::cdx::format_capture(*line, *query);
    if (!query->parts.resume.place.empty()) {
      const auto again = caddis::cdx::parse_resume_key(caddis::cdx::resume_key(query->parts.resume));
      CADDIS_CHECK(!again || again->skip == query->parts.resume.skip || query->parts.resume.skip == 0);
    }
  }
  return 0;
}
