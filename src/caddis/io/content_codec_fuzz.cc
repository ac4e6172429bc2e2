// The first byte names a chain of codings, the rest is a body in them, or not.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/io/content_codec.h"
#include "caddis/io/content_decoder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  constexpr std::array kChains{"gzip", "deflate", "br", "zstd", "gzip, br", "deflate, gzip", "zstd, gzip", "sdch"};
  constexpr size_t kLimit = 1 << 20;
  const std::string_view body(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto decoded = caddis::io::decode_content(body, kChains[data[0] % kChains.size()], kLimit);
  CADDIS_CHECK(decoded.bytes.size() <= kLimit);
  CADDIS_CHECK(decoded.complete == decoded.problem.empty());
  // Piece by piece it ends, and a sound body gives the same.
  caddis::io::ContentDecoder decoder(kChains[data[0] % kChains.size()]);
  std::array<char, 1000> buffer;
  std::string pieces;
  for (std::string_view rest = body, input; !decoder.ended() && pieces.size() <= kLimit;) {
    if (input.empty()) {
      input = rest.substr(0, 100);
      rest.remove_prefix(input.size());
    }
    pieces += std::string_view(buffer.data(), decoder.decode(input, rest.empty(), buffer));
  }
  CADDIS_CHECK(!decoded.complete || pieces == decoded.bytes);
  return 0;
}
