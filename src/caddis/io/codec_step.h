// One content coding undone piece by piece. Internal to io: content_codec.h for bodies in memory, content_decoder.h for
// those of any size.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "caddis/io/memory_budget.h"

namespace caddis::io {

enum class Coding { identity, gzip, zlib, raw_deflate, brotli, zstd, unknown };

// By its name in Content-Encoding. "deflate" is zlib here: servers mean that or raw deflate.
Coding coding_of(std::string_view name);
std::string_view name_of(Coding coding);
// The two header bytes of zlib (RFC 1950 section 2.2).
bool has_zlib_header(std::string_view body);

class CodecStep {
 public:
  enum class State {
    more,
    end,       // of the coded data; what follows is ignored
    cut,       // the input ends before the coded data does
    flawed,    // problem() says how
    no_memory  // the share of memory is used up
  };
  virtual ~CodecStep() = default;

  // Consumes from the front of `input` and fills `output` until either is used up or the state is not `more` any
  // longer; how many bytes were put there. `last`: nothing follows `input`.
  virtual size_t step(std::string_view& input, bool last, std::span<char> output) = 0;
  State state() const { return state_; }
  const std::string& problem() const { return problem_; }

 protected:
  void flaw(std::string_view why) {
    state_ = State::flawed;
    problem_ = why;
  }
  State state_ = State::more;
  std::string problem_;
};

// Of a coding that is neither identity nor unknown. `windows`, where given, is asked for what br and zstd need for
// their windows (up to 16 and 8 MB); it must outlive the step.
std::unique_ptr<CodecStep> make_codec_step(Coding coding, MemoryBudget* windows = nullptr);

}  // namespace caddis::io
