// A response on its way to the browser while it is received. The browser's pace is the server's: nothing more is read
// before it has taken what there is. One that has gone leaves the rest to the archive, for a while.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/recording/upstream.h"

namespace caddis::recording {

class Delivery final : public ResponseFollower {
 public:
  // `client` outlives it. `may_go_on`: the client's connection may carry another exchange.
  Delivery(aio::Loop& loop, aio::Stream& client, bool may_go_on) : loop_(loop), client_(client), goes_on_(may_go_on) {}

  aio::Task<void> follow(const http::Exchange& so_far) override;
  std::string gives_up() const override;
  // The exchange is over: the browser is told so, if that takes more than what has come.
  aio::Task<void> end();

  // Something of the response has been sent.
  bool has_begun() const { return has_begun_; }
  // All of it was taken, and another exchange may follow.
  bool goes_on() const { return goes_on_ && !is_gone_; }

 private:
  aio::Task<void> write(std::string_view bytes);
  aio::Task<void> write_body(const http::Exchange& so_far);
  aio::Task<void> write_piece(std::string_view piece);

  aio::Loop& loop_;
  aio::Stream& client_;
  bool goes_on_;
  bool has_begun_ = false, is_gone_ = false;
  bool is_in_chunks_ = false;  // of ours: the server has told no length
  uint64_t sent_ = 0;          // of the response as recorded
  SteadyTime gone_since_;
  uint64_t come_since_ = 0;  // bytes, since the client has gone
  uint64_t size_ = 0;        // of the response, as of the last call
  std::unique_ptr<char[]> buffer_;
};

}  // namespace caddis::recording
