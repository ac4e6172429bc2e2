#include "caddis/aio/tls_context.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>

#include "caddis/base/check.h"

namespace caddis::aio {

void TlsSessions::put(const std::string& peer, SslSessionPtr session) {
  constexpr size_t sessions_per_peer = 4;
  if (const auto found = by_peer_.find(peer); found != by_peer_.end()) {
    by_use_.splice(by_use_.begin(), by_use_, found->second);
  } else {
    by_use_.push_front(Entry{peer, {}});
    by_peer_.emplace(by_use_.front().peer, by_use_.begin());
  }
  auto& sessions = by_use_.front().sessions;
  if (sessions.size() == sessions_per_peer) sessions.erase(sessions.begin());
  sessions.push_back(std::move(session));
  if (by_use_.size() <= peers_) return;
  by_peer_.erase(by_use_.back().peer);
  by_use_.pop_back();
}

SslSessionPtr TlsSessions::take(const std::string& peer) {
  const auto found = by_peer_.find(peer);
  if (found == by_peer_.end() || found->second->sessions.empty()) return nullptr;
  auto& sessions = found->second->sessions;
  if (SSL_SESSION_get_protocol_version(sessions.back().get()) < TLS1_3_VERSION) {
    SSL_SESSION_up_ref(sessions.back().get());
    return SslSessionPtr(sessions.back().get());
  }
  SslSessionPtr session = std::move(sessions.back());
  sessions.pop_back();
  return session;
}

namespace {

// Not SSL_CTX_set_default_verify_paths: that one also searches the whole folder for every issuer it does not know,
// which doubles the cost of a handshake with an untrusted server.
void trust_system_store(SSL_CTX* context) {
  const char* file = std::getenv(X509_get_default_cert_file_env());
  const char* folder = std::getenv(X509_get_default_cert_dir_env());
  SSL_CTX_load_verify_file(context, file ? file : X509_get_default_cert_file());
  SSL_CTX_load_verify_dir(context, folder ? folder : X509_get_default_cert_dir());
}

}  // namespace

SslContextPtr make_tls_client_context(TlsStrictness strictness) {
  SslContextPtr context(SSL_CTX_new(TLS_client_method()));
  CADDIS_CHECK(context != nullptr);
  SSL_CTX* const raw = context.get();
  if (strictness == TlsStrictness::strict) {
    SSL_CTX_set_cipher_list(raw, "DEFAULT:@SECLEVEL=2");
  } else {
    SSL_CTX_set_cipher_list(raw, "DEFAULT:@SECLEVEL=0");  // level 0: TLS 1.0 and 1.1 sign with SHA-1
    SSL_CTX_set_options(raw, SSL_OP_LEGACY_SERVER_CONNECT);
  }
  SSL_CTX_set1_groups_list(raw, "X25519:P-256:P-384:P-521");  // X25519 first: 65-100 us cheaper a handshake
  SSL_CTX_set_options(raw, SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(raw, SSL_MODE_RELEASE_BUFFERS);    // 34 KB less for an idle connection
  SSL_CTX_set_verify(raw, SSL_VERIFY_NONE, nullptr);  // the chain is still verified, the outcome only recorded
  trust_system_store(raw);
  ERR_clear_error();  // a machine without certificate store trusts nobody, which the record will say
  return context;
}

Result<SslContextPtr> make_tls_server_context(std::string_view certificate_pem, std::string_view key_pem) {
  SslContextPtr context(SSL_CTX_new(TLS_server_method()));
  CADDIS_CHECK(context != nullptr);
  SSL_CTX_set_options(context.get(), SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);

  const std::unique_ptr<BIO, decltype(&BIO_free)> certificates(
      BIO_new_mem_buf(certificate_pem.data(), static_cast<int>(certificate_pem.size())), BIO_free);
  const std::unique_ptr<X509, decltype(&X509_free)> own(
      PEM_read_bio_X509(certificates.get(), nullptr, nullptr, nullptr), X509_free);
  if (!own || SSL_CTX_use_certificate(context.get(), own.get()) != 1) {
    return fail(ErrorCode::config, "the TLS certificate is no PEM certificate: " + tls_error_text());
  }
  while (X509* issuer = PEM_read_bio_X509(certificates.get(), nullptr, nullptr, nullptr)) {
    SSL_CTX_add0_chain_cert(context.get(), issuer);
  }
  ERR_clear_error();  // the end of the text is reported as one

  const std::unique_ptr<BIO, decltype(&BIO_free)> keys(
      BIO_new_mem_buf(key_pem.data(), static_cast<int>(key_pem.size())), BIO_free);
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      PEM_read_bio_PrivateKey(keys.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  if (!key || SSL_CTX_use_PrivateKey(context.get(), key.get()) != 1) {
    return fail(ErrorCode::config, "the TLS key is no PEM key of that certificate: " + tls_error_text());
  }
  return context;
}

namespace {

std::string text_of(const X509_NAME* name) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> out(BIO_new(BIO_s_mem()), BIO_free);
  // UTF-8 as it is: records are in UTF-8.
  X509_NAME_print_ex(out.get(), name, 0, XN_FLAG_RFC2253 & ~static_cast<unsigned long>(ASN1_STRFLGS_ESC_MSB));
  char* text = nullptr;
  const long size = BIO_get_mem_data(out.get(), &text);
  return std::string(text, static_cast<size_t>(size));
}

// "2026-11-23T20:08:43Z"; empty if it is no time.
std::string text_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return {};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string fingerprint_of(const X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  std::string text;
  if (X509_digest(certificate, EVP_sha256(), digest.data(), &size) != 1) return text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace

std::shared_ptr<const std::vector<TlsCertificate>> chain_of(SSL* ssl) {
  constexpr int kMost = 16;  // what comes behind them is no chain
  const STACK_OF(X509)* const sent = SSL_get_peer_cert_chain(ssl);
  if (sent == nullptr || sk_X509_num(sent) == 0) return nullptr;
  auto chain = std::make_shared<std::vector<TlsCertificate>>();
  for (int i = 0; i < std::min(sk_X509_num(sent), kMost); ++i) {
    const X509* const each = sk_X509_value(sent, i);
    chain->push_back({.subject = text_of(X509_get_subject_name(each)),
                      .issuer = text_of(X509_get_issuer_name(each)),
                      .sha256 = fingerprint_of(each),
                      .not_before = text_of(X509_get0_notBefore(each)),
                      .not_after = text_of(X509_get0_notAfter(each))});
  }
  ERR_clear_error();
  return chain;
}

std::string tls_error_text() {
  const unsigned long error = ERR_peek_last_error();
  ERR_clear_error();
  const char* const reason = error == 0 ? nullptr : ERR_reason_error_string(error);
  return reason ? reason : "unknown TLS error";
}

}  // namespace caddis::aio
