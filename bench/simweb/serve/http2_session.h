// HTTP/2 (RFC 9113) on one connection: streams in, answers out, each misbehaving as it says: what breaks off is a stream
// that is reset, what hangs is one that says no more. Frames are nghttp2's. Never blocks; delays are timers of the loop.
// Internal to serve/.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "simweb/serve/desk.h"
#include "simweb/serve/transport.h"

namespace simweb {

class Http2Session {
 public:
  virtual ~Http2Session() = default;

  // All of them outlive it. `failed` is called by a timer of the session if its connection is to be closed; it may
  // destroy the session.
  static std::unique_ptr<Http2Session> create(Site& site, Desk& desk, Transport& transport,
                                              std::function<void()> failed);

  // Takes what has come. False: it is no HTTP/2, or the connection is over.
  virtual bool receive(std::string_view bytes) = 0;
  // Sends what may go now. `closed`: the connection is over.
  virtual Transport::State send() = 0;
};

}  // namespace simweb
