// Answers of other archives: links of TimeMaps, addresses, heads.
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/sources/memento.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto& memento : sources::parse_memento_links(text).mementos) {
    CADDIS_CHECK(memento.timestamp.size() == 14);
    // Asking for the body as captured twice is asking for it once.
    const std::string raw = sources::raw_memento_address(memento.address);
    CADDIS_CHECK(sources::raw_memento_address(raw) == raw);
  }
  if (const auto head = http::parse_response_head(text, http::Mode::lenient)) {
    const std::string captured = sources::captured_head(*head);
    CADDIS_CHECK(captured.ends_with("\r\n\r\n"));
    CADDIS_CHECK(http::parse_response_head(captured, http::Mode::lenient).has_value());
  }
  return 0;
}
