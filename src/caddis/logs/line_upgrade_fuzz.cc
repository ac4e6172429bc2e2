// Lines of crawl.log from anywhere: each comes back to the byte.
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/logs/json_line.h"
#include "caddis/logs/line_upgrade.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::logs;
  std::string_view input(reinterpret_cast<const char*>(data), size);
  input = input.substr(0, input.find('\n'));
  const UpgradedLine upgraded = upgraded_line(input, 5);
  CADDIS_CHECK(!upgraded.log.empty() && !upgraded.json.contains('\n'));
  JsonLine line;
  CADDIS_CHECK(line.parse(upgraded.json));
  CADDIS_CHECK(downgraded_line(line) == input);
  CADDIS_CHECK(legacy_number(line) == 5);
  return 0;
}
