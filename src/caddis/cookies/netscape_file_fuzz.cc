// A cookies.txt of anybody's: what is read of it is written, and read again as the same.

#include "caddis/cookies/netscape_file.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const WallTime now(std::chrono::seconds(1'700'000'000));
  const auto file = cookies::parse_netscape_file(text, now);
  if (!file) return 0;
  const auto again = cookies::parse_netscape_file(cookies::netscape_file(file->cookies), now);
  CADDIS_CHECK(again && again->cookies == file->cookies && again->expired == 0);
  return 0;
}
