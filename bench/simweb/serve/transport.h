// The bytes of one connection, plain or under TLS, without ever blocking.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <memory>
#include <span>

namespace simweb {

class Transport {
 public:
  enum class State : unsigned char {
    ok,
    blocked,  // nothing goes now; the loop tells when to try again
    closed,   // the peer has ended its side, or the connection is broken
  };
  struct Moved {
    State state = State::ok;
    size_t bytes = 0;
    bool more = true;  // of a read: more may stand there already
  };

  explicit Transport(int fd) : fd_(fd) {}
  virtual ~Transport();
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  virtual Moved read(std::span<char> into) = 0;
  // Takes a front part of `pieces`; fewer bytes than all with `ok` is no reason to wait.
  virtual Moved write(std::span<const iovec> pieces) = 0;
  // Sends what write() took and could not send yet. `ok`: all is with the system.
  virtual State flush() { return State::ok; }
  // HTTP/2 was agreed on (ALPN). Known once something has been read.
  virtual bool is_http2() const { return false; }
  // Tells the peer that no more comes, in good order.
  virtual void finish() {}

  int fd() const { return fd_; }
  // Closes with a TCP reset instead of a FIN.
  void reset_on_close();

 protected:
  Moved send_now(std::span<const iovec> pieces) const;

 private:
  const int fd_;
};

std::unique_ptr<Transport> make_plain_transport(int fd);

}  // namespace simweb
