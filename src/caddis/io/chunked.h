// The chunked transfer coding (RFC 9112 section 7.1), incremental and lenient: chunks may end with LF alone, sizes may
// carry blanks and extensions, and a body that breaks off or turns out not to be chunked gives what can be had.
//
//   ChunkedDecoder decoder;
//   while (more) decoder.feed(bytes, [&](std::string_view piece) { ... });    // pieces are views into `bytes`
//   if (decoder.state() != ChunkedDecoder::State::done) ...                    // cut, or not chunked
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace caddis::io {

// A petabyte. Who announces more, of a chunk or of a whole body, does not tell the truth: it is no size then.
inline constexpr uint64_t kLargestBody = uint64_t{1} << 50;

class ChunkedDecoder {
 public:
  enum class State {
    size,      // in a chunk's size line
    data,      // in a chunk's data
    data_end,  // at the line end behind the data
    trailer,   // in the trailer section
    done,      // the body is complete; nothing more is consumed
    broken,    // the bytes are not chunked: see problem()
  };
  static constexpr size_t kMaxLine = 16 * 1024;      // of a size line with its extensions, or a trailer line
  static constexpr size_t kMaxTrailer = 256 * 1024;  // of all trailer lines

  // Decodes from the front of `input`, which is advanced past what was consumed, and gives the next piece of the body:
  // a view into `input`, empty when `input` is used up or the body is done or broken.
  std::string_view next(std::string_view& input);

  template <class Sink>
  void feed(std::string_view input, Sink&& sink) {
    for (std::string_view piece; !(piece = next(input)).empty();) sink(piece);
  }

  State state() const { return state_; }
  bool done() const { return state_ == State::done; }
  bool broken() const { return state_ == State::broken; }
  // The last chunk was there: a body that ends in its trailer lacks nothing.
  bool has_all_data() const { return done() || state_ == State::trailer; }
  // Whether the first line was a chunk size. Otherwise, as soon as it is broken or the body has ended, the body is what
  // it is: servers and crawlers leave the header on bodies already decoded.
  bool was_chunked() const { return was_chunked_; }
  // What is wrong and at which byte of the coded body.
  const std::string& problem() const { return problem_; }
  // Bytes of the coded body consumed so far.
  uint64_t consumed() const { return consumed_; }
  uint64_t decoded() const { return decoded_; }
  // Trailer fields as they came, each line with its line end.
  const std::string& trailer() const { return trailer_; }

 private:
  void take_line(std::string_view& input, void (ChunkedDecoder::*done)());
  void on_size_line();
  void on_trailer_line();
  void fail(std::string problem);

  State state_ = State::size;
  bool was_chunked_ = false;
  uint64_t left_ = 0;  // of the current chunk's data
  uint64_t consumed_ = 0;
  uint64_t decoded_ = 0;
  std::string line_;
  std::string trailer_;
  std::string problem_;
};

// The whole of `body` decoded; where it is broken or cut, what was decoded up to there. A body that is not chunked at
// all is given back as it is.
struct Dechunked {
  std::string bytes;
  bool complete = false;     // ended by its last chunk
  bool was_chunked = false;  // ChunkedDecoder::was_chunked
};
Dechunked dechunk(std::string_view body);

}  // namespace caddis::io
