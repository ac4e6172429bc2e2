// Messages as a hostile name server sends them.
#include <cstddef>
#include <cstdint>

#include "caddis/base/check.h"
#include "caddis/dns/message.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto message = caddis::dns::parse_message(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!message) return 0;
  for (const auto& record : message->answers) {
    const std::string text = to_string(record);
    CADDIS_CHECK(text.find('\n') == std::string::npos);
  }
  return 0;
}
