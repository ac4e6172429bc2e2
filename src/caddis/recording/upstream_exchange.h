// One exchange of the proxy with a site, over a connection that is open: the request is sent, and the response recorded
// and told of while it comes. In either version of HTTP: of HTTP/2 the rendition is recorded (http/http2_session.h).
//
// Belongs to the loop. All that it is given outlives it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/fetch/settings.h"
#include "caddis/http/again.h"
#include "caddis/http/connection_pool.h"
#include "caddis/http/head.h"
#include "caddis/http/recorder.h"
#include "caddis/http/response_intake.h"
#include "caddis/io/spool.h"
#include "caddis/recording/outgoing_request.h"
#include "caddis/recording/upstream_result.h"

namespace caddis::recording {

struct OpenConnection {
  http::Connection connection;
  bool is_reused = false;
  Duration took{};
};

class UpstreamExchange {
 public:
  struct World {
    aio::Loop& loop;
    io::SpoolFolder& spools;
    const fetch::FetchSettings& settings;
  };
  // `body` may be null.
  UpstreamExchange(World world, OpenConnection& opened, const OutgoingRequest& request, const io::Spool* body,
                   ResponseFollower& follower);
  UpstreamExchange(const UpstreamExchange&) = delete;
  UpstreamExchange& operator=(const UpstreamExchange&) = delete;

  // Once. A connection that changes its protocol is taken out of `opened`.
  aio::Task<UpstreamResult> run();
  // Whether it is to be tried again, which nobody who follows it has been told of.
  http::Again again() const { return again_; }

 private:
  using End = http::ResponseRecorder::End;
  aio::Task<void> send();
  aio::Task<void> send_over_http2();
  aio::Task<void> receive();
  // Returns whether `bytes`, which are then all that has come, belong to a response.
  bool is_response(std::string_view& bytes);
  void interrupted(const Error& error);
  aio::Task<UpstreamResult> finish(http::Timings timings);
  aio::Stream& stream() const { return *opened_.connection.stream; }
  void await_progress() const;

  const World world_;
  OpenConnection& opened_;
  const OutgoingRequest& request_;
  const io::Spool* const body_;
  ResponseFollower& follower_;
  const SteadyTime begun_;
  Duration first_byte_{};
  http::ResponseRecorder recorder_;
  http::ResponseIntake intake_;
  struct Upgrade {  // that the request asks for
    http::HeadScanner scanner;
    std::string first;  // of the response
    std::optional<Upgraded> done;
  };
  std::optional<Upgrade> upgrade_;  // none: the response can be none but one of HTTP
  struct Ending {
    bool is_closed = false;
    End how = End::complete;
    std::string why, cut;
    std::optional<Error> local;  // our own disk
  };
  Ending ending_;
  http::Again again_ = http::Again::no;
};

}  // namespace caddis::recording
