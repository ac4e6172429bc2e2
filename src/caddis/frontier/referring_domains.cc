#include "caddis/frontier/referring_domains.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "caddis/base/hash.h"
#include "caddis/url/domain.h"

namespace caddis::frontier {
namespace {

constexpr uint64_t kBits = 64;

std::string_view host_of(std::string_view url) {
  const size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  if (const size_t user = url.rfind('@'); user != std::string_view::npos) url.remove_prefix(user + 1);
  return url.starts_with('[') ? url : url.substr(0, url.find(':'));
}

std::string_view domain_of(std::string_view host) {
  const std::string_view domain = url::registrable_domain(host);
  return domain.empty() ? host : domain;
}

}  // namespace

uint64_t referring_bit(std::string_view page, std::string_view host) {
  const std::string_view from = domain_of(host_of(page));
  if (from.empty() || from == domain_of(host)) return 0;
  // On disk: the key may never change.
  constexpr uint64_t kKey0 = 0x6c696e6b696e6731, kKey1 = 0x6c696e6b696e6732;
  return uint64_t{1} << siphash(from, kKey0, kKey1) % kBits;
}

uint64_t referring_domains(uint64_t bits) {
  const auto unset = static_cast<double>(std::max<uint64_t>(1, kBits - static_cast<uint64_t>(std::popcount(bits))));
  return static_cast<uint64_t>(std::lround(kBits * std::log(kBits / unset)));
}

}  // namespace caddis::frontier
