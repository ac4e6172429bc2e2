#include <cstdint>
#include <cstdlib>

#include "caddis/extract/chunk_names.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kLongest = 100, kMost = 1000;
  size_t names = 0;
  caddis::extract::each_chunk_name({reinterpret_cast<const char*>(data), size}, kLongest, [&](const std::string& name) {
    if (name.empty() || name.size() > kLongest || ++names > kMost) std::abort();
    return names < kMost;
  });
  return 0;
}
