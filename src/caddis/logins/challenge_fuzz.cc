// A WWW-Authenticate of anybody's: whatever it says, what is sent back is one field, and is read back as one challenge.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/logins/challenge.h"
#include "caddis/logins/digest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::logins;
  const std::string_view field(reinterpret_cast<const char*>(data), size);
  for (const Challenge& challenge : parse_challenges(field)) {
    CADDIS_CHECK(!challenge.scheme.empty());
    const auto digest = digest_challenge(challenge);
    if (!digest) continue;
    const DigestRequest request{.method = "GET", .target = "/a?b", .cnonce = "c", .count = 1};
    const std::string sent = digest_credentials(*digest, "user", "password", request);
    CADDIS_CHECK(!sent.contains('\n') && !sent.contains('\r') && !sent.contains('\0'));
    const auto back = parse_challenges(sent);
    CADDIS_CHECK(!back.empty() && back.front().scheme == "digest" && back.front().find("response"));
  }
  return 0;
}
