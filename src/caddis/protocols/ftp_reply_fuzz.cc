// Lines of a control connection, and what is read of them.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/protocols/ftp_reply.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::protocols;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  FtpReplyReader reader;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const auto reply = reader.take(text.substr(0, end));
    if (!reply) break;
    if (*reply) {
      if ((*reply)->code < 100 || (*reply)->code > 599 || (*reply)->lines.empty()) __builtin_trap();
      if (const auto port = epsv_port((*reply)->lines.back()); port && *port == 0) __builtin_trap();
      if (const auto port = pasv_port((*reply)->lines.back()); port && *port == 0) __builtin_trap();
      (void)size_of((*reply)->lines.back());
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return 0;
}
