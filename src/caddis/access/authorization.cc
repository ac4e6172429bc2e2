#include "caddis/access/authorization.h"

#include <algorithm>
#include <optional>

#include "caddis/base/strings.h"
#include "caddis/http/fields.h"
#include "caddis/io/base32.h"

namespace caddis::access {
namespace {

// nc is eight hexadecimal digits.
std::optional<uint32_t> parse_count(std::string_view text) {
  if (text.size() != 8) return {};
  uint32_t count = 0;
  for (const char c : text) {
    if (hex_value(c) < 0) return {};
    count = count << 4 | static_cast<uint32_t>(hex_value(c));
  }
  return count;
}

std::string* place_of(DigestFields& fields, std::string_view name) {
  struct Row {
    std::string_view name;
    std::string DigestFields::* field;
  };
  static constexpr Row kRows[] = {{"username", &DigestFields::username}, {"realm", &DigestFields::realm},
                                  {"nonce", &DigestFields::nonce},       {"uri", &DigestFields::uri},
                                  {"response", &DigestFields::response}, {"algorithm", &DigestFields::algorithm},
                                  {"cnonce", &DigestFields::cnonce},     {"qop", &DigestFields::qop}};
  const auto* const found =
      std::ranges::find_if(kRows, [&](const Row& row) { return equals_ignore_case(row.name, name); });
  return found == std::end(kRows) ? nullptr : &(fields.*found->field);
}

bool read_digest(std::string_view text, DigestFields& fields) {
  for (const std::string_view item : http::split_list(text)) {
    const size_t equals = item.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view name = trim(item.substr(0, equals));
    std::string value = http::unquote(trim(item.substr(equals + 1)));
    if (equals_ignore_case(name, "nc")) {
      const auto count = parse_count(value);
      if (!count || fields.count != 0) return false;
      fields.count = *count;
    } else if (std::string* const place = place_of(fields, name)) {
      if (!place->empty()) return false;  // said twice: which of them would count?
      *place = std::move(value);
    }
  }
  return true;
}

bool read_basic(std::string_view text, Authorization& read) {
  const auto raw = io::decode_base64(text);
  if (!raw) return false;
  const size_t colon = raw->find(':');
  if (colon == std::string::npos) return false;
  read.name = raw->substr(0, colon);
  read.password = raw->substr(colon + 1);
  return true;
}

}  // namespace

Authorization parse_authorization(std::string_view field) {
  using enum Authorization::Scheme;
  Authorization read;
  field = trim(field);
  if (field.empty()) return read;
  const size_t blank = std::min(field.find(' '), field.size());
  const std::string_view scheme = field.substr(0, blank), rest = trim(field.substr(blank));
  read.scheme = other;
  if (equals_ignore_case(scheme, "basic")) {
    if (read_basic(rest, read)) read.scheme = basic;
  } else if (equals_ignore_case(scheme, "bearer")) {
    read.token = rest;
    read.scheme = bearer;
  } else if (equals_ignore_case(scheme, "digest")) {
    if (read_digest(rest, read.digest)) read.scheme = digest;
  }
  return read;
}

}  // namespace caddis::access
