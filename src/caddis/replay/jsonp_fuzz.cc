// A URL that is asked for, that of a capture, and its script, a line each: whatever they are, the script changes by the
// name of a function alone.
#include "caddis/replay/jsonp.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::replay;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const auto line = [&] {
    const std::string_view one = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    return one;
  };
  const auto asked = caddis::url::Url::parse(line()), captured = caddis::url::Url::parse(line());
  if (!asked || !captured) return 0;
  const auto change = changed_callback(rest, *captured, *asked);
  if (!change) return 0;
  const std::string out = with_callback(rest, *change);
  CADDIS_CHECK(change->to.find_first_of("(){};,'\" \n") == std::string::npos);
  CADDIS_CHECK(out.size() + change->from.size() == rest.size() + change->to.size() ||
               out.size() + 2 * change->from.size() == rest.size() + 2 * change->to.size());
  return 0;
}
