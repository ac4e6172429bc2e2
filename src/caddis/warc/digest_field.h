// WARC-Block-Digest and WARC-Payload-Digest: "algorithm:value". The standard leaves the value's form open; base32,
// hexadecimal and both alphabets of base64 are in use and are told apart by their length.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/io/digest.h"

namespace caddis::warc {

struct DigestField {
  io::DigestAlgorithm algorithm = io::DigestAlgorithm::sha1;
  std::string raw;          // empty where the value is none of the known forms
  bool usual_form = false;  // base32 in upper case for SHA-1, base32 or hexadecimal otherwise
};

// Nothing where the algorithm is unknown or there is no colon.
std::optional<DigestField> parse_digest_field(std::string_view text);

}  // namespace caddis::warc
