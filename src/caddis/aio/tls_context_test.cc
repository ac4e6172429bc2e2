// Which protocol versions and keys the contexts of clients agree to, shown by handshakes without a network.
#include "caddis/aio/tls_context.h"

#include <gtest/gtest.h>

#include "caddis/aio/test_certificate.h"

namespace caddis::aio {
namespace {

// The protocol that a client and a server of at most `newest` agree on; empty if they do not agree.
std::string agreed(TlsStrictness strictness, int newest) {
  const TestCertificate identity = make_test_certificate();
  auto server_context = make_tls_server_context(identity.certificate_pem, identity.key_pem);
  EXPECT_TRUE(server_context);
  SSL_CTX_set_min_proto_version(server_context->get(), TLS1_VERSION);
  SSL_CTX_set_max_proto_version(server_context->get(), newest);
  SSL_CTX_set_cipher_list(server_context->get(), "DEFAULT:@SECLEVEL=0");
  const SslContextPtr client_context = make_tls_client_context(strictness);
  const SslPtr client(SSL_new(client_context.get()));
  const SslPtr server(SSL_new(server_context->get()));
  BIO* of_client = nullptr;
  BIO* of_server = nullptr;
  BIO_new_bio_pair(&of_client, 0, &of_server, 0);
  SSL_set_bio(client.get(), of_client, of_client);
  SSL_set_bio(server.get(), of_server, of_server);
  SSL_set_connect_state(client.get());
  SSL_set_accept_state(server.get());
  constexpr int kFlights = 10;
  for (int flight = 0; flight < kFlights; ++flight) {
    const int ours = SSL_do_handshake(client.get());
    const int theirs = SSL_do_handshake(server.get());
    if (ours == 1 && theirs == 1) return SSL_get_version(client.get());
  }
  tls_error_text();
  return {};
}

TEST(TlsContext, OpenClientsTakeOldProtocols) {
  EXPECT_EQ(agreed(TlsStrictness::open, TLS1_VERSION), "TLSv1");
  EXPECT_EQ(agreed(TlsStrictness::open, TLS1_3_VERSION), "TLSv1.3");
}

TEST(TlsContext, StrictClientsTakeNoneBeforeTls12) {
  EXPECT_EQ(agreed(TlsStrictness::strict, TLS1_VERSION), "");
  EXPECT_EQ(agreed(TlsStrictness::strict, TLS1_1_VERSION), "");
  EXPECT_EQ(agreed(TlsStrictness::strict, TLS1_2_VERSION), "TLSv1.2");
  EXPECT_EQ(agreed(TlsStrictness::strict, TLS1_3_VERSION), "TLSv1.3");
}

}  // namespace
}  // namespace caddis::aio
