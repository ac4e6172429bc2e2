#include <cstddef>
#include <cstdint>

#include "caddis/base/check.h"
#include "caddis/frontier/again.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::frontier;
  const auto rule = parse_again_rule(std::string_view(reinterpret_cast<const char*>(data), size));
  if (rule) CADDIS_CHECK(rule->first <= rule->last && rule->times > 0 && rule->after >= caddis::Duration(0));
  return 0;
}
