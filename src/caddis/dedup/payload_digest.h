// The digest of a payload as its raw bytes, read from the texts in which archives write it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/io/digest.h"

namespace caddis::dedup {

struct PayloadDigest {
  io::DigestAlgorithm algorithm;
  std::string raw;
};

// "sha1:" and 32 characters of base32 or 40 hexadecimal digits, "sha256:…", "md5:…" in the same way. Without a label
// its length tells the algorithm, as in CDX files. Nothing where it is no digest.
std::optional<PayloadDigest> parse_digest(std::string_view text);

// "sha1:" and base32: as questions and records have it.
std::string digest_text(io::DigestAlgorithm algorithm, std::string_view raw);

// The algorithm of that name, as to_string(io::DigestAlgorithm) has it.
std::optional<io::DigestAlgorithm> algorithm_from_name(std::string_view name);

}  // namespace caddis::dedup
