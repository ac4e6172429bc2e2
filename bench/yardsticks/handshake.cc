#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <memory>

#include "caddis/aio/test_certificate.h"
#include "caddis/base/check.h"
#include "yardsticks/network.h"
#include "yardsticks/stopwatch.h"

namespace yardsticks {
namespace {

using ContextPtr = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;
using SslPtr = std::unique_ptr<SSL, decltype(&SSL_free)>;
using BioPtr = std::unique_ptr<BIO, decltype(&BIO_free)>;

ContextPtr server_context() {
  const caddis::aio::TestCertificate identity = caddis::aio::make_test_certificate();
  ContextPtr context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  const auto bio_of = [](const std::string& text) {
    return BioPtr(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free);
  };
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(
      PEM_read_bio_X509(bio_of(identity.certificate_pem).get(), nullptr, nullptr, nullptr), X509_free);
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      PEM_read_bio_PrivateKey(bio_of(identity.key_pem).get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  CADDIS_CHECK(SSL_CTX_use_certificate(context.get(), certificate.get()) == 1);
  CADDIS_CHECK(SSL_CTX_use_PrivateKey(context.get(), key.get()) == 1);
  return context;
}

// Our end's share of one handshake over a pair of buffers.
double client_seconds(SSL_CTX* client_context, SSL_CTX* server_context) {
  double taken = -thread_seconds();
  const SslPtr client(SSL_new(client_context), SSL_free);
  SSL_set_connect_state(client.get());
  taken += thread_seconds();

  const SslPtr server(SSL_new(server_context), SSL_free);
  SSL_set_accept_state(server.get());
  BIO *client_end = nullptr, *server_end = nullptr;
  CADDIS_CHECK(BIO_new_bio_pair(&client_end, 0, &server_end, 0) == 1);
  SSL_set_bio(client.get(), client_end, client_end);
  SSL_set_bio(server.get(), server_end, server_end);
  constexpr int kFlights = 10;
  for (int i = 0; i < kFlights && (!SSL_is_init_finished(client.get()) || !SSL_is_init_finished(server.get())); ++i) {
    taken -= thread_seconds();
    SSL_do_handshake(client.get());
    taken += thread_seconds();
    SSL_do_handshake(server.get());
  }
  CADDIS_CHECK(SSL_is_init_finished(client.get()) == 1);
  return taken;
}

}  // namespace

double measure_handshake(double seconds) {
  const ContextPtr server = server_context();
  const ContextPtr client(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  SSL_CTX_set_verify(client.get(), SSL_VERIFY_NONE, nullptr);
  std::vector<double> taken;
  double sum = 0;
  while (taken.size() < 20 || sum < seconds) {
    taken.push_back(client_seconds(client.get(), server.get()));
    sum += taken.back();
  }
  return median(std::move(taken));
}

}  // namespace yardsticks
