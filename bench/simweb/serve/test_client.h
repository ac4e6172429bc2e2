// A blocking HTTP client for tests: bytes out, bytes in, and how it ended.
#pragma once

#include <openssl/ssl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace simweb {

class TestClient {
 public:
  enum class End : uint8_t { kept, closed, reset, silent };  // silent: nothing more came in time
  struct Received {
    std::string bytes;
    End end = End::kept;
  };

  // `authority_pem` empty: without TLS. `session` is resumed where it is not null.
  TestClient(uint32_t address, uint16_t port, std::string_view name = "", const std::string& authority_pem = "",
             SSL_SESSION* session = nullptr);
  ~TestClient();

  bool good() const { return good_; }
  void send(std::string_view bytes);
  // Until `size` bytes have come, or no more do. Waits `patience` milliseconds for each piece.
  Received receive(size_t size, int patience = 20'000);
  // A head, up to its empty line.
  std::string receive_head();

  bool resumed() const { return SSL_session_reused(ssl_.get()) == 1; }
  bool rsa() const;
  SSL_SESSION* session() const { return SSL_get1_session(ssl_.get()); }

 private:
  Received receive_some(size_t most, int patience);

  int fd_ = -1;
  bool good_ = false;
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_{nullptr, SSL_CTX_free};
  std::unique_ptr<SSL, decltype(&SSL_free)> ssl_{nullptr, SSL_free};
};

}  // namespace simweb
