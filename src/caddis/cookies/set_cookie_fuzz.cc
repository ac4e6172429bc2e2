// A Set-Cookie of anybody's: a jar takes or refuses it, and what it took is sent, kept and read back.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/cookies/cookie_jar.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  using namespace caddis::cookies;
  const std::string_view field(reinterpret_cast<const char*>(data), size);
  const url::Url url = *url::Url::parse("https://www.example.org/a/b");
  const Place place{url, "", WallTime(std::chrono::seconds(1'700'000'000))};
  CookieJar jar;
  Changes changes;
  if (jar.store(field, place, CookieSettings(), changes).kept == 0) {
    CADDIS_CHECK(jar.size() == 0 && changes.empty());
    return 0;
  }
  const CookieField sent = jar.field_for(place);
  CADDIS_CHECK(!sent.text.contains('\n') && !sent.text.contains('\r'));
  for (const std::string& key : changes) {
    CookieJar other;
    Changes expired;
    CADDIS_CHECK(other.load_row(key, jar.row(key), place.now, expired));
    CADDIS_CHECK(other.row(key) == jar.row(key) && expired.empty());
    CADDIS_CHECK(other.size() == jar.size() && other.bytes() == jar.bytes());
  }
  return 0;
}
