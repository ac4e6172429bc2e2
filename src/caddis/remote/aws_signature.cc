#include "caddis/remote/aws_signature.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/io/digest.h"

namespace caddis::remote {
namespace {

// RFC 2104.
std::string hmac_sha256(std::string_view secret, std::string_view text) {
  constexpr size_t kBlock = 64;
  std::string key = secret.size() > kBlock ? io::sha256(secret) : std::string(secret);
  key.resize(kBlock, '\0');
  std::string inner = key, outer = key;
  for (char& c : inner) c = static_cast<char>(c ^ 0x36);
  for (char& c : outer) c = static_cast<char>(c ^ 0x5C);
  return io::sha256(outer + io::sha256(inner + std::string(text)));
}

// Blanks at the ends go, and several within become one.
std::string plain(std::string_view value) {
  std::string out;
  for (const char c : trim(value))
    if (c != ' ' || out.empty() || out.back() != ' ') out += c;
  return out;
}

std::string sorted_query(std::string_view query) {
  std::vector<std::string> parts;
  for (const std::string_view part : split(query, '&'))
    if (!part.empty()) parts.push_back(part.contains('=') ? std::string(part) : std::string(part) + "=");
  std::ranges::sort(parts);
  return fmt::format("{}", fmt::join(parts, "&"));
}

}  // namespace

std::string aws_date(WallTime time) {
  const std::string digits = timestamp14(time);
  return fmt::format("{}T{}Z", digits.substr(0, 8), digits.substr(8));
}

std::string aws_authorization(const AwsKeys& keys, const AwsRequest& request, WallTime time) {
  std::vector<std::pair<std::string, std::string>> fields;
  for (const auto& [name, value] : request.fields) fields.emplace_back(to_lower(name), plain(value));
  std::ranges::sort(fields);
  std::string lines, names;
  for (const auto& [name, value] : fields) {
    lines += fmt::format("{}:{}\n", name, value);
    names += (names.empty() ? "" : ";") + name;
  }
  const std::string canonical =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}", request.method, request.path.empty() ? "/" : request.path,
                  sorted_query(request.query), lines, names, request.payload_sha256);
  const std::string stamp = aws_date(time);
  const std::string scope = fmt::format("{}/{}/{}/aws4_request", stamp.substr(0, 8), keys.region, keys.service);
  const std::string text = fmt::format("AWS4-HMAC-SHA256\n{}\n{}\n{}", stamp, scope, to_hex(io::sha256(canonical)));
  std::string key = hmac_sha256("AWS4" + keys.secret_key, stamp.substr(0, 8));
  for (const std::string_view part :
       {std::string_view(keys.region), std::string_view(keys.service), std::string_view("aws4_request")})
    key = hmac_sha256(key, part);
  return fmt::format("AWS4-HMAC-SHA256 Credential={}/{}, SignedHeaders={}, Signature={}", keys.access_key, scope, names,
                     to_hex(hmac_sha256(key, text)));
}

}  // namespace caddis::remote
