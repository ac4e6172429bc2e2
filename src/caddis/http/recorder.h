// Turns the bytes of one response, as they arrive, into an Exchange: stores them exactly, finds out where the response
// ends, and computes both digests, in one pass. No input or output of its own, so it can be tested at every split.
//
//   ResponseRecorder recorder(folder, limits, "GET");
//   while (recorder.wants_more()) { ...read...; TRY_VOID(recorder.feed(bytes)); }
//   FetchResult result = recorder.finish(ResponseRecorder::End::complete);
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "caddis/http/exchange.h"
#include "caddis/io/chunked.h"
#include "caddis/io/digest.h"

namespace caddis::http {

class ResponseRecorder {
 public:
  // How the input ended.
  enum class End {
    complete,  // wants_more() was false
    closed,    // the server has closed in order
    broken,    // the connection was lost
    timeout,
  };

  ResponseRecorder(io::SpoolFolder& folder, const Limits& limits, std::string_view method);

  // An Error is our own: the spool's disk. Bytes behind the response are counted, not stored.
  Result<void> feed(std::string_view bytes);
  // Where the next bytes may be read to, not more of them, instead of being fed: the place in which they are stored,
  // and some room behind it, so that what comes behind the response is noticed here, too. Empty where that is not
  // known. `fed_in_place` follows.
  std::span<char> place();
  void fed_in_place(size_t count);
  bool wants_more() const { return state_ != State::done; }
  // The exchange as far as it has come, for whoever passes it on while it comes: there is a final head if `head_size` is not 0. Digests
  // and what is missing are known when it is finished.
  const Exchange& so_far() const { return exchange_; }
  // No more is wanted, although the response may go on, or it is none.
  bool is_cut() const { return exchange_.truncated != Truncated::none || !not_http_.empty(); }
  // Anything of a final response's head or body, or of an interim one.
  bool has_bytes() const { return received_ > 0; }
  uint64_t surplus() const { return exchange_.surplus; }
  // The exchange without what only the connection knows; or why there is none.
  FetchResult finish(End end, std::string_view why = {});

 private:
  enum class State { head, body, done };
  Result<void> feed_head(std::string_view& bytes);
  Result<void> take_head(std::string_view raw);
  Result<void> feed_body(std::string_view& bytes);
  size_t take_chunked(std::string_view bytes);
  Result<void> store(std::string_view bytes);
  // Bytes as they came, and those of them that are payload: counted and digested.
  void received(std::string_view bytes);
  void payload(std::string_view bytes);
  bool readers_differ() const { return exchange_.head_size_for_readers < exchange_.head_size; }
  void note(std::string_view problem);
  void not_chunked();
  void stop(Truncated why);
  void refuse(std::string why);
  Failure no_response(End end, std::string_view why) const;
  Truncated lacking(End end) const;

  const Limits limits_;
  const std::string method_;
  Exchange exchange_;
  State state_ = State::head;
  HeadScanner scanner_;
  std::string pending_;  // of a head that is not whole yet
  unsigned interim_heads_ = 0;
  uint64_t received_ = 0;
  uint64_t left_ = 0;     // of a body with a length
  std::string not_http_;  // why it is no HTTP response, empty while it is
  io::ChunkedDecoder chunks_;
  std::string undecided_;  // a body said to be chunked, while nothing shows that it is
  io::Digest block_;
  io::Digest payload_;
};

}  // namespace caddis::http
