// One client's connection: reads requests, lets the world answer them, and misbehaves as the answers say. Requests are
// answered one after the other, pipelined or not; those of HTTP/2 by an
// Http2Session. Never blocks; delays are timers of the loop. Internal to serve/.
//
//   reading --request--> delayed --> sending --> reading          (whole answers on a kept connection)
//                                      |-> dripping, silent       (until the client goes, or all has dripped)
//                                      '-> lingering --> gone     (the last answer was sent, the client has more to
//                                      say)
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "simweb/serve/desk.h"
#include "simweb/serve/http2_session.h"
#include "simweb/serve/request_head.h"
#include "simweb/serve/sending.h"
#include "simweb/serve/site.h"
#include "simweb/serve/transport.h"

namespace simweb {

class Connection : public Handler {
 public:
  // `address` is the one the client connected to. `gone` is called once, when the connection has been closed; its owner
  // then hands it to Loop::drop().
  using Gone = std::function<void(Connection&)>;
  Connection(Site& site, std::unique_ptr<Transport> transport, uint32_t address, bool tls, Gone gone);
  ~Connection() override;

  void ready(uint32_t events) override;
  int fd() const { return transport_->fd(); }

  size_t place = 0;  // the owner's own note

 private:
  enum class Phase : uint8_t { reading, delayed, sending, dripping, silent, lingering, gone };

  void go_on();
  bool read_more();
  // Whether a whole request stood in what has been read, and is now being answered.
  bool take_request();
  void refuse(int status);
  void answer(const RequestHead& head, std::string_view body);
  void take(Reply reply);
  // The bytes that were read are HTTP/2.
  void go_on_as_http2();
  void begin_sending();
  void send();
  void after_sending();
  void drip();
  void end_answer(bool whole);
  void end_connection();
  void close(bool reset = false);
  void set_timer(caddis::Duration delay, void (Connection::*work)());
  void check_idle();

  Site& site_;
  std::unique_ptr<Transport> transport_;
  const uint32_t address_;
  const Gone gone_;
  Phase phase_ = Phase::reading;
  bool readable_ = true;
  bool half_closed_ = false;  // the client says no more
  std::string in_;            // read and not yet taken
  size_t searched_ = 0;       // of it, without finding the end of a head
  uint64_t skip_ = 0;         // bytes of a request's body still to come
  uint64_t timer_ = 0, idle_timer_ = 0;
  caddis::SteadyTime last_active_;

  Desk desk_;
  std::unique_ptr<Http2Session> http2_;  // it has turned out to speak HTTP/2
  std::optional<Sending> sending_;
  std::optional<Asked> asked_;  // nothing for answers that the world does not give
  bool keep_ = false;
  bool head_only_ = false;
};

}  // namespace simweb
