// Gzip (RFC 1952) member by member: a WARC file is a row of members, one for each record, and the offset of a member is
// what an index points to.
//
// Writing: gzip_member for what is in memory, GzipStream for what is not. Reading: GunzipStream, which stops exactly at
// the end of each member. Members that Caddis writes have no file name and no time, so the same bytes give the same
// member. Nothing here is shared between threads except the functions, which keep their work space per thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "caddis/base/error.h"

namespace caddis::io {

// How much processor time compression may cost (figures: codec_bench.cc, docs/architecture.md).
enum class GzipEffort {
  fast,      // ISA-L level 1: for busy lanes
  small,     // libdeflate level 6: for idle cores, about the size zlib's 6 gives
  cheapest,  // for bodies that are compressed already: the largest part is stored, what stands before it packed as
             // fields
  fields,    // ISA-L level 0 with codes made beforehand: for short texts of "Name: value" lines, below 1 GB
};

// One whole gzip member over `data`.
std::string gzip_member(std::string_view data, GzipEffort effort);
// Appends one member over the concatenation of `parts`.
void gzip_member_append(std::string& out, std::span<const std::string_view> parts, GzipEffort effort);
inline void gzip_member_append(std::string& out, std::initializer_list<std::string_view> parts, GzipEffort effort) {
  gzip_member_append(out, std::span(parts.begin(), parts.size()), effort);
}

class GzipCompressor;  // gzip_writer.cc

// Compresses one member piece by piece, for records that lie in a file. After finish() a new member may be begun.
class GzipStream {
 public:
  explicit GzipStream(GzipEffort effort);
  GzipStream(GzipStream&&) noexcept;
  GzipStream& operator=(GzipStream&&) noexcept;
  ~GzipStream();

  // Appends to `out` what compressed bytes are ready.
  void write(std::string_view bytes, std::string& out);
  // Appends the rest and the trailer.
  void finish(std::string& out);

 private:
  std::unique_ptr<GzipCompressor> compressor_;
};

// Inflates a row of members, one at a time:
//
//   GunzipStream gunzip;
//   while (!input.empty()) {
//     TRY(const auto step, gunzip.inflate(input, buffer));       // input is advanced past what was consumed
//     use(buffer.first(step.written));
//     if (step.member_end) ...                                    // `input` begins right behind the member's trailer
//   }
//
// The trailer's CRC and length are verified. After an Error, begin_member() makes the object usable for another member.
class GunzipStream {
 public:
  struct Step {
    size_t written = 0;       // bytes put into the output
    bool member_end = false;  // the member ended here, and its trailer was right
  };

  GunzipStream();
  GunzipStream(GunzipStream&&) noexcept;
  GunzipStream& operator=(GunzipStream&&) noexcept;
  ~GunzipStream();

  // Consumes from the front of `input` and fills `output`, until either is used up or the member ends. An Error
  // (corrupt) names the flaw and the offset within the member; `damaged_output()` tells how much of `output` was filled
  // before it.
  Result<Step> inflate(std::string_view& input, std::span<char> output);
  size_t damaged_output() const;
  // True where the structure was sound, and only CRC or length in the trailer differ: `input` begins behind the
  // trailer.
  bool only_trailer_wrong() const;
  // True from the first byte of a member to its end: when input ends while this holds, the member is cut.
  bool inside_member() const;
  // Forgets everything and expects a member's header.
  void begin_member();
  // Compressed bytes of the current (or, at its end, the last) member consumed so far.
  uint64_t member_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Inflates the whole member at the front of `input` in one go, with libdeflate: for records of usual size two to three
// times as fast as GunzipStream. Nothing where the member is damaged, goes on behind `input`, or is larger than
// `output`: GunzipStream then tells which.
struct WholeMember {
  size_t consumed = 0;
  size_t written = 0;
};
std::optional<WholeMember> gunzip_member(std::string_view input, std::span<char> output);

// True where `bytes` (at least 4 of them) can be the front of a gzip member.
bool looks_like_gzip(std::string_view bytes);

// Inflates all members of `data`; fails where one is damaged or the output would pass `max_output`.
Result<std::string> gunzip_all(std::string_view data, size_t max_output);

}  // namespace caddis::io
