#include <cstddef>
#include <cstdint>

#include "caddis/documents/found_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  caddis::documents::check_reader(caddis::documents::Format::swf, {reinterpret_cast<const char*>(data), size});
  return 0;
}
