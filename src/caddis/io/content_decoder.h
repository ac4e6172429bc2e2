// Undoes the content codings of a body (RFC 9110 section 8.4) piece by piece: memory does not grow with the body.
//
//   ContentDecoder decoder("gzip, br");
//   while (!decoder.ended()) {
//     if (input.empty() && !last) …                       // get more
//     const size_t written = decoder.decode(input, last, buffer);
//   }
//
// As decode_content (content_codec.h) does: what could be decoded of a damaged body is given; a body that is not in the
// coding named is given as it is; an unknown coding leaves the bytes as they are at that point. One thread at a time.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "caddis/io/codec_step.h"

namespace caddis::io {

class ContentDecoder {
 public:
  // `windows`: see make_codec_step.
  explicit ContentDecoder(std::string_view content_encoding, MemoryBudget* windows = nullptr);

  // Consumes from the front of `input`, fills `output`, and says how many bytes it put there: 0 also where it needs
  // more input, or has worked long enough for one call. `last`: nothing follows `input`.
  size_t decode(std::string_view& input, bool last, std::span<char> output);
  // Nothing more will come.
  bool ended() const { return stages_.empty() ? ended_ : stages_.back().ended(); }
  // A decoder's window found no room in the share of memory: what was given is not all.
  bool out_of_memory() const;

 private:
  // One coding. Until it has given something, its input is held: the label may be wrong.
  class Stage {
   public:
    Stage(Coding coding, MemoryBudget* windows) : coding_(coding), windows_(windows) {}
    size_t run(std::string_view& input, bool last, std::span<char> output);
    bool ended() const { return ended_; }
    bool out_of_memory() const { return step_ != nullptr && step_->state() == CodecStep::State::no_memory; }

    std::string pending;  // output of the stage before,
    size_t taken = 0;     // of which so much is consumed

   private:
    void hold(std::string_view& input);
    bool begin(std::string_view front, bool all);
    bool read_otherwise();

    Coding coding_;
    MemoryBudget* windows_;
    std::unique_ptr<CodecStep> step_;  // null: not begun, or bytes go through as they are
    bool begun_ = false, ended_ = false, tried_other_ = false;
    bool holding_ = true, can_go_back_ = true;
    std::string held_;
    size_t held_at_ = 0;
  };

  size_t pull(size_t at, std::string_view& input, bool last, std::span<char> output);

  std::deque<Stage> stages_;  // in the order in which codings are undone
  bool ended_ = false;        // where there are none
};

}  // namespace caddis::io
