// The way of a response's bytes from the connection to the recorder, in either version of HTTP. For clients: the one of
// crawls (client.h), and the one of a recorder that passes on what comes (recording/upstream.h).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/http/exchange.h"
#include "caddis/http/http2_session.h"
#include "caddis/http/recorder.h"

namespace caddis::http {

// For HTTP/2 to say that a response is whole, which has told its length: most do it at once.
inline constexpr Duration kLinger = std::chrono::seconds(1);

// The facts of an exchange over HTTP/2 that its rendition does not hold. `may_go_on`: its connection can carry another.
inline void add_http2_facts(Exchange& exchange, const Http2Session& session, bool may_go_on) {
  exchange.framing.keep_alive = may_go_on && exchange.truncated == Truncated::none;
  if (session.notes().empty()) return;
  if (!exchange.problem.empty()) exchange.problem += "; ";
  exchange.problem += session.notes();
}

class ResponseIntake {
 public:
  // Both outlive it. `http2` is null for HTTP/1.1.
  ResponseIntake(ResponseRecorder& recorder, Http2Session* http2) : recorder_(recorder), http2_(http2) {}

  bool wants_more() const {
    if (http2_ == nullptr) return recorder_.wants_more();
    return !http2_->has_ended() && !http2_->is_over() && !recorder_.is_cut();
  }
  // The recorder has all of the response. HTTP/2 may still have to say so: only then the connection is used again.
  bool is_whole() const { return !recorder_.wants_more(); }
  // As in ResponseRecorder: nothing for frames.
  std::span<char> place() { return http2_ != nullptr ? std::span<char>() : recorder_.place(); }
  void fed_in_place(size_t count) { recorder_.fed_in_place(count); }
  Result<void> feed(std::string_view bytes) { return http2_ != nullptr ? http2_->feed(bytes) : recorder_.feed(bytes); }
  // To be sent before more is read.
  std::string output() { return http2_ != nullptr ? http2_->output() : std::string(); }
  // Grows with each part of the response: what else a server sends is no sign of life.
  uint64_t progress() const { return http2_ != nullptr ? http2_->progress() : fed_; }
  void count(size_t bytes) { fed_ += bytes; }

  // How the response ended, once no more of it is wanted or the connection has ended.
  ResponseRecorder::End end_of(bool is_closed, std::string& why) const {
    using End = ResponseRecorder::End;
    if (http2_ == nullptr) return is_closed ? End::closed : End::complete;
    if (!recorder_.wants_more()) return End::complete;
    if (http2_->has_ended()) return End::closed;
    why = http2_->why().empty() ? "the server closed the connection" : http2_->why();
    return End::broken;
  }

 private:
  ResponseRecorder& recorder_;
  Http2Session* const http2_;
  uint64_t fed_ = 0;
};

}  // namespace caddis::http
