#include "caddis/aio/tls_listener.h"

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <utility>

#include "caddis/aio/asio_loop.h"
#include "caddis/aio/socket_address.h"
#include "caddis/aio/socket_listener.h"
#include "caddis/aio/tls_context.h"

namespace caddis::aio {
namespace {

Result<void> ask_for_client(SSL_CTX* context, std::string_view authorities_pem) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> text(
      BIO_new_mem_buf(authorities_pem.data(), static_cast<int>(authorities_pem.size())), BIO_free);
  X509_STORE* const store = SSL_CTX_get_cert_store(context);
  int count = 0;
  for (;;) {
    const std::unique_ptr<X509, decltype(&X509_free)> authority(
        PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr), X509_free);
    if (!authority) break;
    if (X509_STORE_add_cert(store, authority.get()) != 1 || SSL_CTX_add_client_CA(context, authority.get()) != 1)
      return fail(ErrorCode::config, "an authority of clients cannot be used: " + tls_error_text());
    ++count;
  }
  (void)tls_error_text();  // the end of the text is reported as an error
  if (count == 0) return fail(ErrorCode::config, "the file of client authorities has no PEM certificate");
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  // A session that is resumed shows no certificate again; sessions of this context alone are taken.
  constexpr unsigned char kContext[] = "caddis";
  SSL_CTX_set_session_id_context(context, kContext, sizeof(kContext) - 1);
  return {};
}

}  // namespace

Result<std::unique_ptr<Listener>> listen_tls(Loop& loop, const Endpoint& at, const TlsServerOptions& options) {
  TRY(SslContextPtr context, make_tls_server_context(options.certificate_pem, options.key_pem));
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  if (!options.client_ca_pem.empty()) TRY_VOID(ask_for_client(context.get(), options.client_ca_pem));
  TRY(const SocketAddress address, socket_address(at));
  TRY(const int socket, bind_and_listen(address, to_string(at)));
  return std::make_unique<SocketListener>(AsioLoop::of(loop), socket, std::string(), std::move(context));
}

}  // namespace caddis::aio
