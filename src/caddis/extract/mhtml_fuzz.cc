// A page in one file, and what stands in its parts.
#include "caddis/extract/fuzz_document.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  caddis::extract::fuzz_document("http://example.org/a.mhtml", "multipart/related; boundary=b", body, {});
  return 0;
}
