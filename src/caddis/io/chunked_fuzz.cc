// Any bytes as a chunked body: in one piece and byte by byte, which must give the same.
#include <cstdint>
#include <string>

#include "caddis/base/check.h"
#include "caddis/io/chunked.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::io;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  ChunkedDecoder whole, bytewise;
  std::string first, second;
  whole.feed(bytes, [&](std::string_view piece) { first += piece; });
  for (size_t i = 0; i < size; ++i) {
    bytewise.feed(bytes.substr(i, 1), [&](std::string_view piece) { second += piece; });
  }
  CADDIS_CHECK(first == second);
  CADDIS_CHECK(whole.state() == bytewise.state());
  CADDIS_CHECK(whole.decoded() == first.size() && whole.consumed() <= size);
  (void)dechunk(bytes);
  return 0;
}
