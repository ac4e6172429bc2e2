#include "caddis/url/raw_bytes.h"

#include "caddis/base/utf8.h"
#include "caddis/url/percent.h"

namespace caddis::url {

std::string as_sent(std::string_view value) {
  if (is_utf8(value)) return std::string(value);
  static constexpr ByteSet kBytes = ByteSet().with_range(0x80, 0xFF);
  std::string escaped;
  append_escaped(escaped, value, kBytes);
  return escaped;
}

}  // namespace caddis::url
