// Any bytes as a list of seeds: what is taken is a seed by itself, too, and what is told of the rest is short and does
// nothing to a terminal.
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/config/seeds.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  for (const std::string_view line : split({reinterpret_cast<const char*>(data), size}, '\n')) {
    const std::string_view seed = config::seed_on_line(line);
    CADDIS_CHECK(config::seed_on_line(seed) == seed);
    if (const auto url = config::parse_seed(seed)) {
      CADDIS_CHECK(config::parse_seed(url->href()).has_value());
      continue;
    }
    const std::string shown = config::shown_unusable(seed);
    CADDIS_CHECK(!has_control_character(shown) && shown.size() <= 500);
    const std::string told = config::parse_seed(seed).error().message;
    CADDIS_CHECK(!has_control_character(told) && told.size() < 2000);
  }
  return 0;
}
