// HTTP content codings (RFC 9110 section 8.4) for those who have a body in memory (content_decoder.h for others): gzip,
// x-gzip, deflate (zlib or raw, as servers send either), br, zstd, identity, and chains of them ("gzip, br": applied in
// that order, so undone from the back).
//
// Archived bodies are often cut or wrongly labelled: what could be decoded is given, with the reason why it is not all.
#pragma once

#include <string>
#include <string_view>

namespace caddis::io {

struct Decoded {
  std::string bytes;
  bool complete = true;
  std::string problem;  // why not complete: "gzip: cut after 1234 bytes", "unknown coding 'sdch'"
};

// Never more than `max_output` bytes, in no coding of the chain: a bomb gives the first of them and a problem.
// A body that is whole but not in the coding named, as stripping proxies leave it, is given as it is, with a problem.
// An unknown coding leaves the bytes as they are at that point of the chain. An empty `content_encoding` is identity.
Decoded decode_content(std::string_view body, std::string_view content_encoding, size_t max_output);

// Nobody nests more than two codings; a header that names a hundred is an attack.
inline constexpr size_t kMaxCodings = 8;

// True where every coding named is one that can be decoded (or identity).
bool can_decode(std::string_view content_encoding);

}  // namespace caddis::io
