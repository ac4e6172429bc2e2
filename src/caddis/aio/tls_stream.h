// TLS over another Stream, with OpenSSL. Internal.
//
// OpenSSL reads from and writes to two buffers here; this class moves bytes between them and the transport. The
// handshake is done by the first operation, or by `handshake` where its outcome is wanted at once.
#pragma once

#include <memory>
#include <string>

#include "caddis/aio/event.h"
#include "caddis/aio/network.h"
#include "caddis/aio/tls_context.h"

namespace caddis::aio {

class TlsStream final : public Stream {
 public:
  // A client. `sessions` takes the tickets the server hands out, under `session_key`. `is_named`: the server is told
  // the name it is called by.
  static std::unique_ptr<TlsStream> client(Loop& loop, std::unique_ptr<Stream> transport, const TlsOptions& options,
                                           std::shared_ptr<TlsSessions> sessions, bool is_named = true);
  static std::unique_ptr<TlsStream> server(Loop& loop, std::unique_ptr<Stream> transport, SSL_CTX* context);

  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;
  ~TlsStream() override;

  // ErrorCode::denied: the peers do not agree, or the certificate is not trusted although it has to be.
  Task<Result<void>> handshake();
  // Whether the handshake failed since the server knows nobody of the name it was called by.
  bool refused_name() const { return info_.is_name_refused; }

  Task<Result<size_t>> read(char* buffer, size_t size) override;
  // Gives its own buffer away meanwhile.
  Task<Result<void>> wait_readable() override;
  Task<Result<void>> write(std::string_view bytes) override;
  void set_deadline(SteadyTime when) override { transport_->set_deadline(when); }
  void close() override;
  Endpoint remote() const override { return transport_->remote(); }
  Endpoint local() const override { return transport_->local(); }
  const TlsInfo* tls() const override { return done_ ? &info_ : nullptr; }
  bool is_quiet() override {
    return input_begin_ == input_end_ && SSL_pending(ssl_.get()) == 0 && transport_->is_quiet();
  }
  bool peer_left() override { return transport_->peer_left(); }

 private:
  friend struct TlsCallbacks;
  TlsStream(Loop& loop, std::unique_ptr<Stream> transport, SSL_CTX* context);
  Task<Result<void>> run_handshake();
  // Sends what OpenSSL has written.
  Task<Result<void>> flush();
  // Receives more for OpenSSL to read; at the transport's end `ended_` is set.
  Task<Result<void>> fill();
  Result<void> finish_handshake();
  std::unexpected<Error> failed(int outcome) const;

  std::unique_ptr<Stream> transport_;
  std::shared_ptr<TlsSessions> sessions_;
  std::string session_key_;
  TlsInfo info_;
  TlsTrust trust_ = TlsTrust::open;
  bool done_ = false;  // with the handshake
  bool shaking_ = false;
  bool ended_ = false;
  bool closed_ = false;
  bool flushing_ = false;
  Event shaken_;
  Event flushed_;
  std::unique_ptr<char[]> input_;  // received, not yet read by OpenSSL: [input_begin_, input_end_)
  size_t input_begin_ = 0;
  size_t input_end_ = 0;
  std::string output_;   // written by OpenSSL
  std::string sending_;  // being sent
  SslPtr ssl_;           // last: it must go before what its callbacks use
};

}  // namespace caddis::aio
