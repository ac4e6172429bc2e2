// The body of a response as its author wrote it: transfer coding and content coding undone, for those who read it (the
// extractors, robots.txt). The archive keeps the bytes as they came.
//
// Bytes that had to be decoded, or read from the spool's file, are up to `max_output` of memory. Whoever waits puts them
// away; they are made again when somebody needs them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/check.h"
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
  // More than that is not kept of one that is put away. By so many bytes it is known what it is.
  static constexpr size_t kFront = 16 * 1024;

  // Borrowed from the exchange where nothing had to be decoded: valid as long as the exchange stays where it is. Not of
  // one that is put away.
  std::string_view bytes() const {
    CADDIS_CHECK(!is_away_);
    return front();
  }
  // All bytes, or the first kFront of them if it is put away.
  std::string_view front() const { return owned_ ? std::string_view(text_) : view_; }
  // How many bytes it has, put away or not.
  size_t size() const { return is_away_ ? size_ : front().size(); }
  // The bytes of one that ends here; not of one that is put away.
  std::string take() && { return owned_ && !is_away_ ? std::move(text_) : std::string(bytes()); }

  // Gives up memory of its own. What is borrowed stays: it is the exchange's.
  void put_away();
  bool is_away() const { return is_away_; }
  // The limit that it was made with.
  size_t max_output() const { return max_output_; }
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
  friend Result<DecodedBody> decode_front(const http::Exchange& exchange, size_t max_output);
  void own(std::string text) {
    text_ = std::move(text);
    owned_ = true;
  }
  void cut(size_t max_output, bool is_front);

  std::string text_;
  std::string_view view_;
  bool owned_ = false, is_away_ = false;
  size_t size_ = 0;  // if it is put away
  size_t max_output_ = 0;
  std::string problem_;
  bool is_cut_ = false;
  bool is_undecodable_ = false;
  std::string unknown_coding_;
};

// At most `max_output` bytes. An Error is our own: the spool's file.
Result<DecodedBody> decode_body(const http::Exchange& exchange, size_t max_output);

// The same, but put away from the start if its bytes are stored as they are, and memory does not hold them: for who does
// not know yet whether anybody reads them.
Result<DecodedBody> decode_front(const http::Exchange& exchange, size_t max_output);

}  // namespace caddis::fetch
