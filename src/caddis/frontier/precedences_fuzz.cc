#include <cstddef>
#include <cstdint>
#include <string>

#include "caddis/base/check.h"
#include "caddis/frontier/precedences.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::frontier;
  const auto line = parse_precedence_line(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!line || !*line) return 0;
  CADDIS_CHECK((*line)->precedence <= 127);
  constexpr size_t kLong = 60'000;  // escapes make it longer than a line may be
  if ((*line)->url.size() > kLong) return 0;
  // What was understood is understood again, alike.
  const auto again = parse_precedence_line((*line)->url + " " + std::to_string((*line)->precedence));
  CADDIS_CHECK(again && *again && (*again)->url == (*line)->url && (*again)->precedence == (*line)->precedence);
  return 0;
}
