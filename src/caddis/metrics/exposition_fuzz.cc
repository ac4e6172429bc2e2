// Texts of other processes, joined: each line of the outcome is a head or a sample with the label, and joining it once
// more keeps as many.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/metrics/exposition.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string once = metrics::join_metrics("job", {{"a", text}});
  for (const std::string_view line : split(once, '\n'))
    CADDIS_CHECK(line.empty() || line.starts_with("# ") || line.find("{job=\"a\"") != std::string_view::npos);
  const std::string twice = metrics::join_metrics("engine", {{"b", once}});
  CADDIS_CHECK(std::ranges::count(once, '\n') == std::ranges::count(twice, '\n'));
  return 0;
}
