// An Authorization of anybody's: nobody gets in by it, whatever it says.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/access/authorization.h"
#include "caddis/access/digest_check.h"
#include "caddis/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::access;
  static const DigestSecrets secrets = digest_secrets("alice", "correct horse");
  const std::string_view field(reinterpret_cast<const char*>(data), size);
  const Authorization read = parse_authorization(field);
  CADDIS_CHECK(read.token.size() <= size && read.name.size() + read.password.size() <= size);
  DigestCheck check("a key");
  const auto outcome =
      check.check(read.digest, &secrets, "GET", "/engine", caddis::SteadyTime(caddis::Duration(1'000'000'000)));
  CADDIS_CHECK(outcome != DigestCheck::Outcome::good);
  return 0;
}
