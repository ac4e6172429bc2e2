// A playlist of HLS, with all its renditions and with the best.
#include "caddis/extract/fuzz_document.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::extract;
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  for (const Renditions renditions : {Renditions::all, Renditions::best})
    fuzz_document("http://example.org/a/b.m3u8", "application/x-mpegurl", body, {.renditions = renditions});
  return 0;
}
