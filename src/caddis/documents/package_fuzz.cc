// The first byte says as which format the archive is read.
#include <cstddef>
#include <cstdint>

#include "caddis/documents/found_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using caddis::documents::Format;
  if (size == 0) return 0;
  constexpr Format kFormats[] = {Format::ooxml, Format::odf, Format::epub};
  caddis::documents::check_reader(kFormats[data[0] % 3], {reinterpret_cast<const char*>(data + 1), size - 1});
  return 0;
}
