#include "simweb/serve/test_client.h"

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

namespace simweb {

TestClient::TestClient(uint32_t address, uint16_t port, std::string_view name, const std::string& authority_pem,
                       SSL_SESSION* session)
    : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(address);
  // OpenSSL writes without MSG_NOSIGNAL, and a server may have gone at any time.
  std::signal(SIGPIPE, SIG_IGN);
  good_ = connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof(to)) == 0;
  if (!good_ || authority_pem.empty()) return;
  context_.reset(SSL_CTX_new(TLS_client_method()));
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(
      BIO_new_mem_buf(authority_pem.data(), static_cast<int>(authority_pem.size())), BIO_free);
  const std::unique_ptr<X509, decltype(&X509_free)> authority(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr),
                                                              X509_free);
  X509_STORE_add_cert(SSL_CTX_get_cert_store(context_.get()), authority.get());
  SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
  ssl_.reset(SSL_new(context_.get()));
  const std::string host(name);
  SSL_set_tlsext_host_name(ssl_.get(), host.c_str());
  SSL_set1_host(ssl_.get(), host.c_str());
  if (session != nullptr) SSL_set_session(ssl_.get(), session);
  SSL_set_fd(ssl_.get(), fd_);
  good_ = SSL_connect(ssl_.get()) == 1;
}

TestClient::~TestClient() { close(fd_); }

bool TestClient::rsa() const {
  const X509* const certificate = SSL_get0_peer_certificate(ssl_.get());
  return EVP_PKEY_is_a(X509_get0_pubkey(certificate), "RSA") == 1;
}

void TestClient::send(std::string_view bytes) {
  if (ssl_)
    SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size()));
  else
    ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

TestClient::Received TestClient::receive_some(size_t most, int patience) {
  std::array<char, 64 * 1024> buffer;
  most = std::min(most, buffer.size());
  pollfd waiting{.fd = fd_, .events = POLLIN, .revents = 0};
  errno = 0;
  if ((!ssl_ || SSL_pending(ssl_.get()) == 0) && poll(&waiting, 1, patience) == 0) return {"", End::silent};
  const ssize_t count =
      ssl_ ? SSL_read(ssl_.get(), buffer.data(), static_cast<int>(most)) : recv(fd_, buffer.data(), most, 0);
  if (count > 0) return {std::string(buffer.data(), static_cast<size_t>(count)), End::kept};
  const bool reset = errno == ECONNRESET;
  return {"", reset ? End::reset : End::closed};
}

TestClient::Received TestClient::receive(size_t size, int patience) {
  Received all;
  while (all.bytes.size() < size && all.end == End::kept) {
    const Received some = receive_some(size - all.bytes.size(), patience);
    all.bytes += some.bytes;
    all.end = some.end;
  }
  return all;
}

std::string TestClient::receive_head() {
  std::string head;
  while (!head.ends_with("\r\n\r\n")) {
    const Received some = receive_some(1, 20'000);
    if (some.end != End::kept) break;
    head += some.bytes;
  }
  return head;
}

}  // namespace simweb
