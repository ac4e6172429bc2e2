#include "caddis/aio/tls_stream.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "caddis/aio/socket_address.h"
#include "caddis/base/check.h"

namespace caddis::aio {
namespace {

// A record of 16 KB and its overhead, twice: a page of 20 KB comes in one read.
constexpr size_t input_capacity = 33 * 1024;

bool is_address(const std::string& name) {
  unsigned char ignored[sizeof(in6_addr)];
  return inet_pton(AF_INET, name.c_str(), ignored) == 1 || inet_pton(AF_INET6, name.c_str(), ignored) == 1;
}

// As ALPN has them, the one that is liked best first (RFC 7301, 3.1).
constexpr auto kHttp2OrHttp1 = std::to_array<unsigned char>({2, 'h', '2', 8, 'h', 't', 't', 'p', '/', '1', '.', '1'});

int version_number(TlsVersion version) {
  switch (version) {
    case TlsVersion::v1_0:
      return TLS1_VERSION;
    case TlsVersion::v1_1:
      return TLS1_1_VERSION;
    case TlsVersion::v1_2:
      return TLS1_2_VERSION;
    case TlsVersion::v1_3:
      return TLS1_3_VERSION;
  }
  return TLS1_2_VERSION;
}

// "TLSv1.3" is written "tls/1.3", "TLSv1" is "tls/1.0", as WARC-Protocol has them.
std::string protocol_name(std::string_view openssl_name) {
  if (!openssl_name.starts_with("TLSv")) return std::string(openssl_name);
  const std::string version(openssl_name.substr(4));
  return "tls/" + (version == "1" ? "1.0" : version);
}

}  // namespace

// What OpenSSL calls: its input and output are a TlsStream's buffers.
struct TlsCallbacks {
  static TlsStream& stream(BIO* bio) { return *static_cast<TlsStream*>(BIO_get_data(bio)); }

  static int read(BIO* bio, char* into, size_t size, size_t* count) {
    TlsStream& self = stream(bio);
    BIO_clear_retry_flags(bio);
    *count = std::min(size, self.input_end_ - self.input_begin_);
    if (*count == 0) {
      if (!self.ended_) BIO_set_retry_read(bio);
      return self.ended_ ? 0 : -1;
    }
    std::memcpy(into, self.input_.get() + self.input_begin_, *count);
    self.input_begin_ += *count;
    return 1;
  }

  static int write(BIO* bio, const char* bytes, size_t size, size_t* count) {
    BIO_clear_retry_flags(bio);
    stream(bio).output_.append(bytes, size);
    *count = size;
    return 1;
  }

  static long control(BIO* bio, int command, long, void*) {
    if (command == BIO_CTRL_EOF) return stream(bio).ended_ ? 1 : 0;
    return command == BIO_CTRL_FLUSH ? 1 : 0;
  }

  static int create(BIO* bio) {
    BIO_set_init(bio, 1);
    return 1;
  }

  static BIO_METHOD* method() {
    static BIO_METHOD* const shared = [] {
      BIO_METHOD* const made = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "caddis stream");
      CADDIS_CHECK(made != nullptr);
      BIO_meth_set_read_ex(made, read);
      BIO_meth_set_write_ex(made, write);
      BIO_meth_set_ctrl(made, control);
      BIO_meth_set_create(made, create);
      return made;
    }();
    return shared;
  }

  static int new_session(SSL* ssl, SSL_SESSION* session) {
    auto* self = static_cast<TlsStream*>(SSL_get_app_data(ssl));
    self->sessions_->put(self->session_key_, SslSessionPtr(session));
    return 1;  // it is ours now
  }

  // Notes each problem, and has the verification go on to the next.
  static int verified(int is_good, X509_STORE_CTX* store) {
    if (is_good == 1) return 1;
    const void* const ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    auto* const self = static_cast<TlsStream*>(SSL_get_app_data(static_cast<const SSL*>(ssl)));
    const std::string problem = X509_verify_cert_error_string(X509_STORE_CTX_get_error(store));
    std::string& all = self->info_.verify_error;
    if (!all.contains(problem)) all += (all.empty() ? "" : "; ") + problem;
    return 1;
  }

  static SslContextPtr make_client_context(TlsStrictness strictness) {
    SslContextPtr context = make_tls_client_context(strictness);
    SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context.get(), new_session);
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_NONE, verified);
    return context;
  }

  // Shared by all clients of the process.
  static SSL_CTX* client_context(TlsStrictness strictness) {
    if (strictness == TlsStrictness::strict) {
      static const SslContextPtr strict = make_client_context(strictness);
      return strict.get();
    }
    static const SslContextPtr open = make_client_context(strictness);
    return open.get();
  }
};

TlsStream::TlsStream(Loop& loop, std::unique_ptr<Stream> transport, SSL_CTX* context)
    : transport_(std::move(transport)), shaken_(loop), flushed_(loop), ssl_(SSL_new(context)) {
  BIO* const bio = BIO_new(TlsCallbacks::method());
  CADDIS_CHECK(ssl_ && bio);
  BIO_set_data(bio, this);
  SSL_set_bio(ssl_.get(), bio, bio);
  SSL_set_app_data(ssl_.get(), this);
  // Connections just close; told nothing, OpenSSL would hold their sessions to be broken.
  SSL_set_quiet_shutdown(ssl_.get(), 1);
}

TlsStream::~TlsStream() {
  if (done_) SSL_shutdown(ssl_.get());
  ERR_clear_error();
}

std::unique_ptr<TlsStream> TlsStream::client(Loop& loop, std::unique_ptr<Stream> transport, const TlsOptions& options,
                                             std::shared_ptr<TlsSessions> sessions, bool is_named) {
  const bool is_strict = options.trust == TlsTrust::strict;
  const auto strictness = is_strict ? TlsStrictness::strict : TlsStrictness::open;
  SSL_CTX* const context = TlsCallbacks::client_context(strictness);
  std::unique_ptr<TlsStream> stream(new TlsStream(loop, std::move(transport), context));
  SSL* const ssl = stream->ssl_.get();
  const int lowest = version_number(options.lowest);
  SSL_set_min_proto_version(ssl, is_strict ? std::max(lowest, TLS1_2_VERSION) : lowest);
  if (options.offers_http2) SSL_set_alpn_protos(ssl, kHttp2OrHttp1.data(), static_cast<unsigned>(kHttp2OrHttp1.size()));
  stream->trust_ = options.trust;
  stream->sessions_ = std::move(sessions);
  // A session is resumed as it began: with the same demands.
  stream->session_key_ = fmt::format("{} {} {} {} {}", to_string(stream->remote()), options.server_name,
                                     static_cast<int>(options.trust), lowest, is_named);
  if (is_address(options.server_name)) {  // an address is verified, but not sent (RFC 6066, 3)
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), options.server_name.c_str());
  } else if (!options.server_name.empty()) {
    if (is_named) SSL_set_tlsext_host_name(ssl, options.server_name.c_str());
    stream->info_.is_name_withheld = !is_named;
    SSL_set1_host(ssl, options.server_name.c_str());
  }
  if (const SslSessionPtr session = stream->sessions_->take(stream->session_key_)) SSL_set_session(ssl, session.get());
  SSL_set_connect_state(ssl);
  return stream;
}

std::unique_ptr<TlsStream> TlsStream::server(Loop& loop, std::unique_ptr<Stream> transport, SSL_CTX* context) {
  std::unique_ptr<TlsStream> stream(new TlsStream(loop, std::move(transport), context));
  SSL_set_accept_state(stream->ssl_.get());
  return stream;
}

Task<Result<void>> TlsStream::handshake() {
  while (shaking_) co_await shaken_.wait();
  if (done_) co_return Result<void>();
  shaking_ = true;
  Result<void> outcome = co_await run_handshake();
  shaking_ = false;
  shaken_.notify();
  co_return outcome;
}

Task<Result<void>> TlsStream::run_handshake() {
  for (;;) {
    ERR_clear_error();
    const int outcome = SSL_do_handshake(ssl_.get());
    // The last flight of a client stays in the buffer, to travel with its first request.
    if (outcome == 1) co_return finish_handshake();
    if (SSL_get_error(ssl_.get(), outcome) != SSL_ERROR_WANT_READ) {
      info_.is_name_refused = ERR_GET_REASON(ERR_peek_last_error()) == SSL_R_TLSV1_UNRECOGNIZED_NAME;
      Error error = failed(outcome).error();
      co_await flush();  // the alert, for the peer's log; that it cannot be sent changes nothing
      co_return fail(ErrorCode::denied, "TLS handshake with " + to_string(remote()) + ": " + error.message);
    }
    CO_TRY_VOID(co_await flush());
    CO_TRY_VOID(co_await fill());
    if (ended_ && input_begin_ == input_end_) {
      co_return fail(ErrorCode::denied,
                     "TLS handshake with " + to_string(remote()) + ": the peer closed the connection");
    }
  }
}

Result<void> TlsStream::finish_handshake() {
  SSL* const ssl = ssl_.get();
  done_ = true;
  info_.protocol = protocol_name(SSL_get_version(ssl));
  if (const char* name = SSL_CIPHER_standard_name(SSL_get_current_cipher(ssl))) info_.cipher = name;
  info_.resumed = SSL_session_reused(ssl) == 1;
  // A session that is resumed is not verified again: it knows how that went.
  const long verified = SSL_get_verify_result(ssl);
  if (verified != X509_V_OK && info_.verify_error.empty()) info_.verify_error = X509_verify_cert_error_string(verified);
  info_.chain = chain_of(ssl);
  const unsigned char* application = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl, &application, &size);
  if (size > 0) info_.application.assign(reinterpret_cast<const char*>(application), size);
  if (trust_ != TlsTrust::open && !info_.verify_error.empty()) {
    done_ = false;
    return fail(ErrorCode::denied,
                "the certificate of " + to_string(remote()) + " is not trusted: " + info_.verify_error);
  }
  return {};
}

Task<Result<size_t>> TlsStream::read(char* buffer, size_t size) {
  if (!done_) CO_TRY_VOID(co_await handshake());
  for (;;) {
    if (closed_) co_return fail(ErrorCode::cancelled, "the connection has been closed here");
    ERR_clear_error();
    size_t count = 0;
    const int outcome = SSL_read_ex(ssl_.get(), buffer, size, &count);
    if (outcome == 1) co_return count;
    const int reason = SSL_get_error(ssl_.get(), outcome);
    if (reason == SSL_ERROR_ZERO_RETURN) co_return 0;
    if (reason != SSL_ERROR_WANT_READ) co_return failed(outcome);
    // Where a writer is at it, it sends this too.
    if (!output_.empty() && !flushing_) CO_TRY_VOID(co_await flush());
    CO_TRY_VOID(co_await fill());
  }
}

Task<Result<void>> TlsStream::wait_readable() {
  // A handshake or something of ours that is to be sent is `read`'s business.
  const bool has_input = input_begin_ < input_end_ || SSL_pending(ssl_.get()) > 0 || ended_;
  if (!done_ || closed_ || has_input || !output_.empty()) co_return Result<void>();
  input_.reset();
  input_begin_ = input_end_ = 0;
  co_return co_await transport_->wait_readable();
}

Task<Result<void>> TlsStream::write(std::string_view bytes) {
  if (!done_) CO_TRY_VOID(co_await handshake());
  while (!bytes.empty()) {
    if (closed_) co_return fail(ErrorCode::cancelled, "the connection has been closed here");
    const std::string_view part = bytes.substr(0, 64 * 1024);
    ERR_clear_error();
    size_t count = 0;
    const int outcome = SSL_write_ex(ssl_.get(), part.data(), part.size(), &count);
    if (outcome != 1) co_return failed(outcome);
    bytes.remove_prefix(count);
    CO_TRY_VOID(co_await flush());
  }
  co_return Result<void>();
}

Task<Result<void>> TlsStream::flush() {
  while (flushing_) co_await flushed_.wait();
  Result<void> outcome;
  while (outcome && !output_.empty()) {
    flushing_ = true;
    sending_.clear();
    sending_.swap(output_);
    outcome = co_await transport_->write(sending_);
    flushing_ = false;
  }
  flushed_.notify();
  co_return outcome;
}

Task<Result<void>> TlsStream::fill() {
  if (input_begin_ < input_end_) co_return Result<void>();
  if (!input_) input_ = std::make_unique_for_overwrite<char[]>(input_capacity);
  input_begin_ = input_end_ = 0;
  CO_TRY(const size_t count, co_await transport_->read(input_.get(), input_capacity));
  input_end_ = count;
  ended_ = count == 0;
  co_return Result<void>();
}

void TlsStream::close() {
  closed_ = true;
  transport_->close();
}

std::unexpected<Error> TlsStream::failed(int outcome) const {
  if (SSL_get_error(ssl_.get(), outcome) == SSL_ERROR_SSL) return fail(ErrorCode::io, tls_error_text());
  return fail(ErrorCode::closed, "the peer ended the TLS connection without notice");
}

}  // namespace caddis::aio
