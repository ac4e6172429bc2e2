#include "simweb/serve/tls.h"

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "caddis/base/strings.h"
#include "simweb/serve/certificates.h"

namespace simweb {
namespace {

// Plain text that is encrypted before anything is sent: a page of 100 KB goes in two sends instead of seven.
constexpr size_t max_batch = 64 * 1024;
constexpr size_t record_size = 16 * 1024;

bool is_address(const std::string& name) {
  in6_addr ignored;
  return inet_pton(AF_INET, name.c_str(), &ignored) == 1 || inet_pton(AF_INET6, name.c_str(), &ignored) == 1;
}

// A BIO whose writes append to a std::string: what OpenSSL writes piece by piece goes out in one send.
int append_to_string(BIO* bio, const char* data, int size) {
  static_cast<std::string*>(BIO_get_data(bio))->append(data, static_cast<size_t>(size));
  return size;
}
long control_string(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

const BIO_METHOD* string_method() {
  static BIO_METHOD* const method = [] {
    BIO_METHOD* const made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "string");
    BIO_meth_set_write(made, append_to_string);
    BIO_meth_set_ctrl(made, control_string);
    return made;
  }();
  return method;
}

class TlsTransport : public Transport {
 public:
  TlsTransport(int fd, SSL_CTX* context) : Transport(fd), ssl_(SSL_new(context), SSL_free) {
    if (!ssl_) return;
    BIO* const out = BIO_new(string_method());
    BIO_set_data(out, &pending_);
    BIO_set_init(out, 1);
    SSL_set0_rbio(ssl_.get(), BIO_new_socket(fd, BIO_NOCLOSE));
    SSL_set0_wbio(ssl_.get(), out);
    SSL_set_accept_state(ssl_.get());
  }

  Moved read(std::span<char> into) override {
    if (!ssl_) return {State::closed, 0};
    ERR_clear_error();
    size_t count = 0;
    const int result = SSL_read_ex(ssl_.get(), into.data(), into.size(), &count);
    const bool waits = result != 1 && SSL_get_error(ssl_.get(), result) == SSL_ERROR_WANT_READ;
    if (flush() == State::closed) return {State::closed, 0};  // answers of the handshake, alerts
    if (result == 1) return {State::ok, count};
    return {waits ? State::blocked : State::closed, 0};
  }

  Moved write(std::span<const iovec> pieces) override {
    if (const State state = flush(); state != State::ok) return {state, 0};
    size_t taken = 0;
    std::array<char, record_size> record;
    size_t filled = 0;
    for (const iovec& piece : pieces) {
      const char* from = static_cast<const char*>(piece.iov_base);
      for (size_t left = piece.iov_len; left > 0;) {
        const size_t part = std::min(left, record.size() - filled);
        std::copy_n(from, part, record.data() + filled);
        from += part;
        left -= part;
        filled += part;
        if (filled < record.size()) continue;
        if (!encrypt({record.data(), filled})) return {State::closed, 0};
        taken += std::exchange(filled, 0);
        if (taken >= max_batch) return sent(taken);
      }
    }
    if (filled > 0 && !encrypt({record.data(), filled})) return {State::closed, 0};
    return sent(taken + filled);
  }

  State flush() override {
    while (!pending_.empty()) {
      const iovec piece{pending_.data() + begin_, pending_.size() - begin_};
      const Moved moved = send_now({&piece, 1});
      if (moved.state != State::ok) return moved.state;
      begin_ += moved.bytes;
      if (begin_ < pending_.size()) continue;
      begin_ = 0;
      // Nothing is kept by connections that are silent.
      if (pending_.capacity() > record_size) pending_ = {};
      pending_.clear();
    }
    return State::ok;
  }

  bool is_http2() const override {
    const unsigned char* name = nullptr;
    unsigned size = 0;
    if (ssl_) SSL_get0_alpn_selected(ssl_.get(), &name, &size);
    return std::string_view(reinterpret_cast<const char*>(name), size) == "h2";
  }
  void finish() override {
    if (ssl_ && SSL_is_init_finished(ssl_.get())) SSL_shutdown(ssl_.get());
    flush();
  }

 private:
  bool encrypt(std::string_view plain) {
    ERR_clear_error();
    size_t count = 0;
    return SSL_write_ex(ssl_.get(), plain.data(), plain.size(), &count) == 1;
  }
  // What was encrypted is taken, whether or not it could be sent.
  Moved sent(size_t taken) { return {flush() == State::closed ? State::closed : State::ok, taken}; }

  std::string pending_;
  size_t begin_ = 0;  // of what is left of it
  std::unique_ptr<SSL, decltype(&SSL_free)> ssl_;
};

class OpenSslTls : public Tls {
 public:
  OpenSslTls(Choose choose, std::unique_ptr<Certificates> certificates)
      : choose_(std::move(choose)),
        certificates_(std::move(certificates)),
        context_(SSL_CTX_new(TLS_server_method()), SSL_CTX_free) {
    if (!context_) return;
    SSL_CTX_set_min_proto_version(context_.get(), TLS1_2_VERSION);
    SSL_CTX_set_mode(context_.get(), SSL_MODE_RELEASE_BUFFERS);
    // Tickets alone resume: a cache would need memory for each client.
    SSL_CTX_set_session_cache_mode(context_.get(), SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context_.get(), 1);
    SSL_CTX_set_options(context_.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_client_hello_cb(context_.get(), on_hello, this);
    SSL_CTX_set_alpn_select_cb(context_.get(), on_alpn, nullptr);
    SSL_CTX_set_info_callback(context_.get(), on_info);
    SSL_CTX_set_app_data(context_.get(), this);
  }
  bool good() const { return context_ != nullptr; }

  std::string authority_pem() const override { return certificates_->authority_pem(); }
  std::unique_ptr<Transport> accept(int fd) override { return std::make_unique<TlsTransport>(fd, context_.get()); }
  uint64_t handshakes() const override { return handshakes_; }
  uint64_t resumed() const override { return resumed_; }

 private:
  // The name in the server_name extension (RFC 6066 section 3), which is a list with one entry.
  static std::string server_name(SSL* ssl) {
    const unsigned char* data = nullptr;
    size_t size = 0;
    if (SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_server_name, &data, &size) != 1 || size < 5) return {};
    const size_t length = size_t{data[3]} << 8 | data[4];
    if (data[2] != TLSEXT_NAMETYPE_host_name || length > 255 || length > size - 5) return {};
    return caddis::to_lower(std::string_view(reinterpret_cast<const char*>(data) + 5, length));
  }

  // Before anything else is decided, as tickets and the certificate depend on the host.
  static int on_hello(SSL* ssl, int* alert, void* self) {
    auto& tls = *static_cast<OpenSslTls*>(self);
    std::string name = server_name(ssl);
    // An address is no name (RFC 6066 section 3), but load generators send it.
    if (name.empty() || is_address(name)) name = "localhost";
    const auto choice = tls.choose_(name);
    *alert = SSL_AD_UNRECOGNIZED_NAME;
    if (!choice) return SSL_CLIENT_HELLO_ERROR;
    if (!choice->tickets) {
      SSL_set_options(ssl, SSL_OP_NO_TICKET);
      SSL_set_num_tickets(ssl, 0);
    }
    // Read by on_alpn: any pointer but null.
    SSL_set_app_data(ssl, choice->http2 ? self : nullptr);
    const Certificates::Leaf leaf = tls.certificates_->leaf(name, choice->rsa);
    *alert = SSL_AD_INTERNAL_ERROR;
    if (leaf.certificate == nullptr || SSL_use_cert_and_key(ssl, leaf.certificate, leaf.key, nullptr, 1) != 1)
      return SSL_CLIENT_HELLO_ERROR;
    return SSL_CLIENT_HELLO_SUCCESS;
  }

  static int on_alpn(SSL* ssl, const unsigned char** out, unsigned char* out_size, const unsigned char* in,
                     unsigned in_size, void*) {
    static constexpr unsigned char both[] = {2, 'h', '2', 8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
    constexpr unsigned http2_size = 3;
    const unsigned skipped = SSL_get_app_data(ssl) != nullptr ? 0 : http2_size;
    unsigned char* chosen = nullptr;
    if (SSL_select_next_proto(&chosen, out_size, both + skipped, sizeof(both) - skipped, in, in_size) !=
        OPENSSL_NPN_NEGOTIATED)
      return SSL_TLSEXT_ERR_NOACK;
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
  }

  static void on_info(const SSL* ssl, int where, int) {
    if ((where & SSL_CB_HANDSHAKE_DONE) == 0) return;
    auto& tls = *static_cast<OpenSslTls*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
    ++tls.handshakes_;
    if (SSL_session_reused(ssl) == 1) ++tls.resumed_;
  }

  const Choose choose_;
  const std::unique_ptr<Certificates> certificates_;
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_;
  uint64_t handshakes_ = 0;
  uint64_t resumed_ = 0;
};

}  // namespace

caddis::Result<std::unique_ptr<Tls>> Tls::create(Choose choose) {
  TRY(auto certificates, Certificates::create());
  auto tls = std::make_unique<OpenSslTls>(std::move(choose), std::move(certificates));
  if (!tls->good()) return caddis::fail(caddis::ErrorCode::io, "OpenSSL cannot make a TLS context");
  return tls;
}

}  // namespace simweb
