// The client's end of an HTTP/2 connection (RFC 9113): bytes that come in, bytes to send out, one exchange at a time. No
// input or output of its own, so it can be tested at every split.
//
// A response is handed to a ResponseRecorder as its HTTP/1.1 rendition: a status line without reason (HTTP/2 has none), the
// fields in the order and the lower case in which they came, without pseudo fields, and the bytes of the DATA frames.
//
//   Http2Session session;
//   session.begin(request, "example.org", recorder, max_head);
//   while (!session.is_over()) { send(session.output()); TRY_VOID(session.feed(read())); }
//   session.finish();
//
// One thread. Servers may push nothing. Windows begin small and grow with the body: what is received is stored at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/http/request.h"

struct nghttp2_session;

namespace caddis::http {

class ResponseRecorder;

// The request as an HTTP/1.1 message, for the record: without secrets, and without the fields that HTTP/2 has no use for
// (RFC 9113, section 8.2.2), which are not sent.
std::string http1_rendition(const Request& request);

class Http2Session {
 public:
  // Something to try if no response has come.
  enum class Advice {
    none,
    again,  // on another connection: the server has done nothing yet (RFC 9113, section 8.7)
    http1,  // over HTTP/1.1: the server asks for that, or its HTTP/2 is broken
  };

  Http2Session();
  Http2Session(const Http2Session&) = delete;
  Http2Session& operator=(const Http2Session&) = delete;
  ~Http2Session();

  // Begins an exchange over TLS. `recorder` lives until `finish`; what comes of a head beyond `max_head` bytes ends it.
  void begin(const Request& request, ResponseRecorder& recorder, size_t max_head);
  // Bytes that have come. An Error is our own: the recorder's disk.
  Result<void> feed(std::string_view bytes);
  // Returns what is to be sent now, and forgets it.
  std::string output();
  // The response has come to its end, or nothing more of it will come.
  bool is_over() const;
  // The server has said that this is all of it.
  bool has_ended() const { return has_ended_; }
  // Bytes of the exchange that counted so far: of the response's heads and body, and of the request's body, as far as the
  // server's windows let it out.
  uint64_t progress() const { return counted_.received + counted_.sent; }
  // The exchange is done with. Returns whether another may begin.
  bool finish();

  Advice advice() const { return advice_; }
  // Why the response is not whole, in words.
  const std::string& why() const { return why_; }
  // Lines about the response that its rendition cannot hold: trailers, fields that were no fields.
  const std::string& notes() const { return notes_; }

 private:
  friend struct Http2Callbacks;
  void take_field(std::string_view name, std::string_view value);
  void take_trailer(std::string_view name, std::string_view value);
  void note(std::string_view text);
  int end_of_head();
  int take_data(std::string_view bytes);
  int record(std::string_view bytes);
  void widen();
  void closed(uint32_t code);
  void fail_with(std::string_view why);

  struct Counted {
    uint64_t received = 0, sent = 0;
    size_t fruitless = 0;  // bytes since the last that counted
  };
  struct SessionDeleter {
    void operator()(nghttp2_session* session) const;
  };
  std::unique_ptr<nghttp2_session, SessionDeleter> session_;
  ResponseRecorder* recorder_ = nullptr;
  int32_t stream_ = 0;  // of the exchange; 0: there is none
  std::string body_;    // of the request
  std::string head_;    // of the response, while it comes
  size_t max_head_ = 0;
  bool has_head_ = false;
  bool has_ended_ = false;
  bool is_closed_ = false;  // the stream, in order or not
  Counted counted_;
  Advice advice_ = Advice::none;
  std::string why_, notes_;
  std::optional<Error> error_;  // our own
};

}  // namespace caddis::http
