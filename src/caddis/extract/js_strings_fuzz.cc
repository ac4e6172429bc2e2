#include <cstdint>
#include <cstdlib>

#include "caddis/extract/js_strings.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view script(reinterpret_cast<const char*>(data), size);
  caddis::extract::JsStrings strings(script);
  const char* behind = script.data();
  for (caddis::extract::JsString string; strings.next(string);) {
    if (string.raw.data() <= behind || string.raw.data() + string.raw.size() > script.data() + size) std::abort();
    behind = string.raw.data() + string.raw.size() - 1;
    if (caddis::extract::js_unescape(string.raw).size() > 3 * string.raw.size()) std::abort();
  }
  return 0;
}
