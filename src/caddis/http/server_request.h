// Reading requests from the bytes of a connection, for the server.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "caddis/http/head.h"
#include "caddis/http/server.h"
#include "caddis/io/chunked.h"

namespace caddis::http {

// One request, as its bytes arrive. Fails with ErrorCode::parse (to be answered 400), limit (413, or 431 while
// `in_head`) or unsupported (501).
class RequestParser {
 public:
  explicit RequestParser(const ServerSettings& settings) : settings_(settings) {}

  // `bytes` is all that has come and was not taken yet. How much of it is taken now; the head is taken whole.
  Result<size_t> take(std::string_view bytes);
  bool done() const { return state_ == State::done; }
  bool in_head() const { return state_ == State::head; }
  // The head has come, and the handler reads the body (ServerSettings::reads_body).
  bool is_for_reader() const { return for_reader_ && state_ != State::head; }
  // Once: the client waits for "100 Continue" before it sends the body.
  bool take_wish_to_continue() { return std::exchange(wants_continue_, false); }
  bool keep_alive() const { return keep_alive_; }
  bool http_1_0() const { return http_1_0_; }
  ServerRequest& request() { return request_; }

 private:
  enum class State { head, sized_body, chunked_body, done };
  Result<size_t> take_head(std::string_view bytes);
  Result<void> use_head(const RequestHead& head);
  Result<void> use_framing(const RequestHead& head);
  Result<size_t> take_sized(std::string_view bytes);
  Result<size_t> take_chunked(std::string_view bytes);

  const ServerSettings& settings_;
  State state_ = State::head;
  HeadScanner scanner_;
  uint64_t left_ = 0;  // of a sized body
  io::ChunkedDecoder chunked_;
  bool wants_continue_ = false;
  bool keep_alive_ = false;
  bool http_1_0_ = false;
  bool for_reader_ = false;
  ServerRequest request_;
};

// The status that answers a request which failed like that.
int status_of(const Error& error, bool in_head);
// That of an answer whose body cannot be made.
int status_of_body(const Error& error);

}  // namespace caddis::http
