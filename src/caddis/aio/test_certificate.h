// A self-signed certificate for tests.
#pragma once

#include <string>

namespace caddis::aio {

struct TestCertificate {
  std::string certificate_pem;
  std::string key_pem;
};

// For "caddis.test", with a new P-256 key; valid for a day.
TestCertificate make_test_certificate();

}  // namespace caddis::aio
