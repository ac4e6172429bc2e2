// Any bytes as a list of seeds: what is taken is a seed by itself, too, and what is told of the rest is short and does
// nothing to a terminal.
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/base/visible.h"
#include "caddis/config/seeds.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  const auto list = config::read_seed_list({reinterpret_cast<const char*>(data), size}, "seeds.txt");
  for (const std::string& seed : list.seeds) CADDIS_CHECK(config::parse_seed(seed).has_value());
  const auto told = list.problems.told();
  CADDIS_CHECK(told.size() <= 21 && told.empty() == list.unusable.empty());
  for (const std::string& line : told) CADDIS_CHECK(!has_control_character(line) && line.size() < 2000);
  return 0;
}
