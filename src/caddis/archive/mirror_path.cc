#include "caddis/archive/mirror_path.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/io/digest.h"
#include "caddis/url/crawl_schemes.h"

namespace caddis::archive {
namespace {

constexpr size_t kLongestPart = 180;    // of 255 that file systems have: endings may be put behind it
constexpr size_t kLongestPath = 1'000;  // of 4,096, together with the collection's folder
constexpr size_t kHashDigits = 12;

std::string hash_of(std::string_view text) {
  std::string hex;
  for (const char c : io::sha256(text).substr(0, kHashDigits / 2))
    hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex;
}

std::string portable(std::string_view part) {
  std::string out;
  for (const char c : part) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_taken =
        byte > 0x20 && byte != 0x7f && std::string_view("\\/:*?\"<>|").find(c) == std::string_view::npos;
    out += is_taken ? c : '_';
  }
  if (out == "." || out == "..") out.insert(0, 1, '_');
  return out;
}

std::string limited(std::string part, std::string_view url) {
  if (part.size() <= kLongestPart) return part;
  part.resize(kLongestPart - kHashDigits - 1);
  return part + '-' + hash_of(url);
}

}  // namespace

std::string mirror_path(const url::Url& url) {
  const std::string whole(url.href());
  const std::string host = limited(portable(url.host().empty() ? url::crawl_host(url) : url.host()), whole);
  std::string path = host;
  if (path.empty()) path = "_";
  std::string_view rest = url.pathname();
  if (rest.starts_with('/')) rest.remove_prefix(1);
  const std::vector<std::string_view> parts = split(rest, '/');
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool is_last = i + 1 == parts.size();
    std::string part = portable(parts[i].empty() ? (is_last ? "index.html" : "_") : parts[i]);
    if (std::string_view query = url.search(); is_last && query.size() > 1) part += '@' + portable(query.substr(1));
    path += '/' + limited(std::move(part), whole);
  }
  if (path.size() <= kLongestPath) return path;
  return host + "/long-paths/" + hash_of(whole);
}

}  // namespace caddis::archive
