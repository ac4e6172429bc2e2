#include "caddis/warc/digest_field.h"

#include <algorithm>
#include <array>

#include "caddis/base/strings.h"
#include "caddis/io/base32.h"

namespace caddis::warc {
namespace {

std::optional<io::DigestAlgorithm> algorithm_of(std::string_view name) {
  using enum io::DigestAlgorithm;
  constexpr std::array kAll{md5, sha1, sha256, sha384, sha512};
  std::string plain;
  for (const char c : name) {
    if (c != '-' && c != '_') plain += to_lower(c);
  }
  const auto found = std::ranges::find_if(kAll, [&](auto algorithm) { return io::to_string(algorithm) == plain; });
  return found == kAll.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::optional<DigestField> parse_digest_field(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto algorithm = algorithm_of(trim(text.substr(0, colon)));
  if (!algorithm) return std::nullopt;
  std::string_view value = trim(text.substr(colon + 1));
  DigestField field{*algorithm, {}, false};
  const size_t size = io::digest_size(*algorithm);
  std::string_view unpadded = value;
  while (unpadded.ends_with('=')) unpadded.remove_suffix(1);
  std::optional<std::string> raw;
  if (value.size() == size * 2) {
    raw = io::decode_hex(value);
    field.usual_form = *algorithm != io::DigestAlgorithm::sha1;
  } else if (unpadded.size() == (size * 8 + 4) / 5) {
    raw = io::decode_base32(value);
    field.usual_form = std::ranges::none_of(unpadded, [](char c) { return c >= 'a' && c <= 'z'; });
  } else if (unpadded.size() == (size * 8 + 5) / 6) {
    raw = io::decode_base64(value);
  }
  if (raw && raw->size() == size) field.raw = std::move(*raw);
  return field;
}

}  // namespace caddis::warc
