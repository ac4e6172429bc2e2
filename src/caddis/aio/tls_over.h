// A server's side of TLS over a stream that is connected already, as a proxy has after CONNECT.
#pragma once

#include <memory>
#include <string_view>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/base/error.h"

namespace caddis::aio {

// A certificate with its key, ready to be shown. One thread.
class TlsIdentity {
 public:
  // ErrorCode::config if a text is not what it should be (PEM). TLS 1.2 and later.
  static Result<std::shared_ptr<const TlsIdentity>> make(std::string_view certificate_pem, std::string_view key_pem);
  ~TlsIdentity();
  // The handshake is part of the stream's first operation. The identity may go before the stream.
  static std::unique_ptr<Stream> serve(Loop& loop, std::unique_ptr<Stream> transport,
                                       std::shared_ptr<const TlsIdentity> identity);

 private:
  struct Context;
  explicit TlsIdentity(std::unique_ptr<Context> context);
  std::unique_ptr<Context> context_;
};

}  // namespace caddis::aio
