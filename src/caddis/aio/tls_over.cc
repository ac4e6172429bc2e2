#include "caddis/aio/tls_over.h"

#include <openssl/ssl.h>

#include <utility>

#include "caddis/aio/tls_context.h"
#include "caddis/aio/tls_stream.h"

namespace caddis::aio {

struct TlsIdentity::Context {
  SslContextPtr ssl;
};

TlsIdentity::TlsIdentity(std::unique_ptr<Context> context) : context_(std::move(context)) {}
TlsIdentity::~TlsIdentity() = default;

Result<std::shared_ptr<const TlsIdentity>> TlsIdentity::make(std::string_view certificate_pem,
                                                             std::string_view key_pem) {
  auto context = std::make_unique<Context>();
  TRY(context->ssl, make_tls_server_context(certificate_pem, key_pem));
  SSL_CTX_set_min_proto_version(context->ssl.get(), TLS1_2_VERSION);
  return std::shared_ptr<const TlsIdentity>(new TlsIdentity(std::move(context)));
}

// OpenSSL's stream holds its context by a count of its own, so the identity may go before it.
std::unique_ptr<Stream> TlsIdentity::serve(Loop& loop, std::unique_ptr<Stream> transport,
                                           std::shared_ptr<const TlsIdentity> identity) {
  return TlsStream::server(loop, std::move(transport), identity->context_->ssl.get());
}

}  // namespace caddis::aio
