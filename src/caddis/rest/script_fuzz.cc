// Fuzz target: whatever a script is, it is recognised or refused, in time that grows with its length alone.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/rest/known_scripts.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)caddis::rest::recognise_script(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
