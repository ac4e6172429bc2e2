// The body of a response as its author wrote it: transfer coding and content coding undone, for those who read it (the
// extractors, robots.txt). The archive keeps the bytes as they came.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/http/exchange.h"

namespace caddis::fetch {

// The flaw of a body for those who look for links in it.
enum class BodyFlaw : uint8_t {
  none,
  read_in_part,  // links are looked for in it, and a limit ends that before its end
  undecodable,   // it came whole, and could not be decoded to its end
};

class DecodedBody {
 public:
  // Borrowed from the exchange where nothing had to be decoded: valid as long as the exchange stays where it is.
  std::string_view bytes() const { return owned_ ? std::string_view(text_) : view_; }
  // False if `max_output` cut it, or it could not be decoded to its end.
  bool complete() const { return problem_.empty(); }
  // Why it is not complete.
  const std::string& problem() const { return problem_; }
  // Whether there is more of it than `max_output` bytes.
  bool is_cut() const { return is_cut_; }
  // Whether it came whole, and could not be decoded to its end.
  bool is_undecodable() const { return is_undecodable_; }
  // A content coding that is not known, up to 40 bytes of it; empty if there is none.
  const std::string& unknown_coding() const { return unknown_coding_; }

 private:
  friend Result<DecodedBody> decode_body(const http::Exchange& exchange, size_t max_output);
  void own(std::string text) {
    text_ = std::move(text);
    owned_ = true;
  }
  void cut(size_t max_output, bool is_front);

  std::string text_;
  std::string_view view_;
  bool owned_ = false;
  std::string problem_;
  bool is_cut_ = false;
  bool is_undecodable_ = false;
  std::string unknown_coding_;
};

// At most `max_output` bytes. An Error is our own: the spool's file.
Result<DecodedBody> decode_body(const http::Exchange& exchange, size_t max_output);

}  // namespace caddis::fetch
