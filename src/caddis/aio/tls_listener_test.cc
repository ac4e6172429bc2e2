#include "caddis/aio/tls_listener.h"

#include <gtest/gtest.h>

#include "caddis/aio/test_certificate.h"

namespace caddis::aio {
namespace {

TEST(TlsListener, RefusesWhatIsNoCertificate) {
  const auto loop = make_loop(system_clock());
  const TestCertificate identity = make_test_certificate();
  const Endpoint at{"127.0.0.1", 0};
  const auto code_of = [&](const TlsServerOptions& options) {
    const auto listener = listen_tls(*loop, at, options);
    return listener ? ErrorCode::io : listener.error().code;
  };
  EXPECT_EQ(code_of({.certificate_pem = "none", .key_pem = identity.key_pem, .client_ca_pem = {}}), ErrorCode::config);
  EXPECT_EQ(code_of({.certificate_pem = identity.certificate_pem, .key_pem = "none", .client_ca_pem = {}}),
            ErrorCode::config);
  EXPECT_EQ(code_of({.certificate_pem = identity.certificate_pem,
                     .key_pem = make_test_certificate().key_pem,
                     .client_ca_pem = {}}),
            ErrorCode::config)
      << "the key of another";
  EXPECT_EQ(code_of({.certificate_pem = identity.certificate_pem, .key_pem = identity.key_pem, .client_ca_pem = "x"}),
            ErrorCode::config);
  const auto listener = listen_tls(*loop, at,
                                   {.certificate_pem = identity.certificate_pem,
                                    .key_pem = identity.key_pem,
                                    .client_ca_pem = identity.certificate_pem});
  ASSERT_TRUE(listener.has_value()) << listener.error().message;
  EXPECT_NE((*listener)->local().port, 0);
}

}  // namespace
}  // namespace caddis::aio
