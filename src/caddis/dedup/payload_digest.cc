#include "caddis/dedup/payload_digest.h"

#include "caddis/base/strings.h"
#include "caddis/io/base32.h"

namespace caddis::dedup {
namespace {

constexpr io::DigestAlgorithm kAlgorithms[] = {io::DigestAlgorithm::sha1, io::DigestAlgorithm::sha256,
                                               io::DigestAlgorithm::md5, io::DigestAlgorithm::sha512,
                                               io::DigestAlgorithm::sha384};

size_t base32_size(size_t raw) { return (raw * 8 + 4) / 5; }

std::string_view without_padding(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  return text;
}

std::optional<PayloadDigest> parse_value(io::DigestAlgorithm algorithm, std::string_view text) {
  const size_t size = io::digest_size(algorithm);
  std::optional<std::string> raw;
  if (text.size() == 2 * size)
    raw = io::decode_hex(text);
  else if (without_padding(text).size() == base32_size(size))
    raw = io::decode_base32(text);
  if (!raw || raw->size() != size) return std::nullopt;
  return PayloadDigest{algorithm, *std::move(raw)};
}

}  // namespace

std::optional<io::DigestAlgorithm> algorithm_from_name(std::string_view name) {
  for (const io::DigestAlgorithm algorithm : kAlgorithms) {
    if (equals_ignore_case(name, io::to_string(algorithm))) return algorithm;
  }
  // As RFC 3230 and others write them.
  if (equals_ignore_case(name, "sha-1") || equals_ignore_case(name, "sha")) return io::DigestAlgorithm::sha1;
  if (equals_ignore_case(name, "sha-256")) return io::DigestAlgorithm::sha256;
  if (equals_ignore_case(name, "sha-512")) return io::DigestAlgorithm::sha512;
  return std::nullopt;
}

std::optional<PayloadDigest> parse_digest(std::string_view text) {
  if (const size_t colon = text.find(':'); colon != std::string_view::npos) {
    const auto algorithm = algorithm_from_name(text.substr(0, colon));
    return algorithm ? parse_value(*algorithm, text.substr(colon + 1)) : std::nullopt;
  }
  for (const io::DigestAlgorithm algorithm : kAlgorithms)
    if (auto digest = parse_value(algorithm, text)) return digest;
  return std::nullopt;
}

std::string digest_text(io::DigestAlgorithm algorithm, std::string_view raw) {
  return std::string(io::to_string(algorithm)) + ":" + io::base32(raw);
}

}  // namespace caddis::dedup
