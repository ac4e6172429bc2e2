// Requests as a hostile client sends them, in pieces whose size the first byte gives.
#include <cstddef>
#include <cstdint>
#include <string>

#include "caddis/base/check.h"
#include "caddis/http/server_request.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::http;
  if (size == 0) return 0;
  ServerSettings settings;
  settings.max_head = 4096;
  settings.max_body = 4096;
  const size_t step = 1 + data[0];
  const std::string_view all(reinterpret_cast<const char*>(data) + 1, size - 1);
  size_t begin = 0, end = 0;
  while (begin < all.size()) {
    RequestParser parser(settings);
    while (!parser.done()) {
      const auto taken = parser.take(all.substr(begin, end - begin));
      if (!taken) {
        const int status = status_of(taken.error(), parser.in_head());
        CADDIS_CHECK(status == 400 || status == 413 || status == 431 || status == 501);
        return 0;
      }
      CADDIS_CHECK(*taken <= end - begin);
      begin += *taken;
      if (parser.done()) break;
      if (end == all.size()) return 0;
      end = std::min(end + step, all.size());
    }
    CADDIS_CHECK(parser.request().body.size() <= settings.max_body && !parser.request().target.empty());
  }
  return 0;
}
