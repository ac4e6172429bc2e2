// Any bytes as a URL, and, split at the first newline, as a base and a relative URL: what parses is a fixed point, its
// parts lie inside the href in order, and nothing crashes.
#include <cstdint>
#include <cstdlib>

#include "caddis/base/check.h"
#include "caddis/url/domain.h"
#include "caddis/url/query_encoder.h"
#include "caddis/url/surt.h"
#include "caddis/url/url.h"

namespace {

using caddis::url::Url;

void check(const Url& url) {
  const auto again = Url::parse(url.href());
  CADDIS_CHECK(again && again->href() == url.href());
  CADDIS_CHECK(again->username() == url.username() && again->password() == url.password());
  CADDIS_CHECK(again->host() == url.host() && again->pathname() == url.pathname());
  CADDIS_CHECK(again->search() == url.search() && again->hash() == url.hash());
  CADDIS_CHECK(again->has_host() == url.has_host() && again->has_query() == url.has_query());
  CADDIS_CHECK(again->port_number() == url.port_number() && again->has_opaque_path() == url.has_opaque_path());
  for (const char c : url.href()) CADDIS_CHECK(static_cast<unsigned char>(c) < 0x7F);
  CADDIS_CHECK(url.href().starts_with(url.without_fragment()));
  const auto domain = caddis::url::registrable_domain(url.hostname());
  CADDIS_CHECK(url.hostname().ends_with(domain));
  caddis::url::SurtPrefixSet prefixes;
  prefixes.add(caddis::url::surt_prefix_of_url(url));
  CADDIS_CHECK(prefixes.matches(url));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const auto url = Url::parse(input)) check(*url);
  const size_t newline = input.find('\n');
  const auto base = Url::parse(input.substr(0, newline));
  if (!base || newline == std::string_view::npos) return 0;
  const std::string_view relative = input.substr(newline + 1);
  if (const auto url = Url::parse(relative, &*base)) check(*url);
  static const auto encoder = caddis::url::QueryEncoder::create("iso-2022-jp").value();
  if (const auto url = Url::parse(relative, &*base, encoder.get())) check(*url);
  return 0;
}
