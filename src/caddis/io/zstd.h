// Zstandard (RFC 8878) frame by frame: a .warc.zst file is a row of frames, one or more for each record, with a
// dictionary for all of them in a skippable frame at its begin (docs/formats/warc.md).
//
// Writing: zstd_frame_append for what is in memory, ZstdStream for what is not. Frames that Caddis writes tell the size
// of their content and have a checksum. Reading: UnzstdStream, which stops exactly at the end of each frame. A
// dictionary may be used by any number of threads at once; everything else belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "caddis/base/error.h"

namespace caddis::io {

// How much processor time compression may cost.
enum class ZstdEffort {
  fast,   // level 3: about the speed of gzip's fast, the size of gzip's small
  small,  // level 15: for files that are kept
};

class ZstdDictionary {
 public:
  static constexpr size_t kMaxSize = 8 << 20;

  // `bytes` as a trainer gives them, or any content that frames refer to. ErrorCode::limit if they are more than
  // kMaxSize, ErrorCode::corrupt if they are no dictionary.
  static Result<std::unique_ptr<const ZstdDictionary>> load(std::string bytes);
  // A dictionary of at most `size` bytes, made of samples: `samples` holds them one behind the other. Nothing if they
  // are too few or too short to learn from.
  static std::optional<std::string> train(std::string_view samples, std::span<const size_t> sizes, size_t size);
  ZstdDictionary(const ZstdDictionary&) = delete;
  ZstdDictionary& operator=(const ZstdDictionary&) = delete;
  ~ZstdDictionary();

  const std::string& bytes() const { return bytes_; }
  // As frames name it; 0 if it has none.
  uint32_t id() const;
  // As the library uses it (zstd_dictionary.h).
  struct Digested;
  Digested& digested() const { return *digested_; }

 private:
  explicit ZstdDictionary(std::string bytes);

  std::string bytes_;
  std::unique_ptr<Digested> digested_;
};

// Appends one frame over the concatenation of `parts`.
void zstd_frame_append(std::string& out, std::span<const std::string_view> parts, ZstdEffort effort,
                       const ZstdDictionary* dictionary = nullptr);
inline void zstd_frame_append(std::string& out, std::initializer_list<std::string_view> parts, ZstdEffort effort,
                              const ZstdDictionary* dictionary = nullptr) {
  zstd_frame_append(out, std::span(parts.begin(), parts.size()), effort, dictionary);
}

// Compresses one frame piece by piece, for records that lie in a file.
class ZstdStream {
 public:
  // Exactly `content_size` bytes will be written. The dictionary must outlive the stream.
  ZstdStream(ZstdEffort effort, uint64_t content_size, const ZstdDictionary* dictionary = nullptr);
  ZstdStream(ZstdStream&&) noexcept;
  ZstdStream& operator=(ZstdStream&&) noexcept;
  ~ZstdStream();

  // Appends to `out` what compressed bytes are ready.
  void write(std::string_view bytes, std::string& out);
  // Appends the rest and the checksum.
  void finish(std::string& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Decompresses a row of frames, one at a time, as GunzipStream does members (gzip.h). Frames whose window is larger
// than 128 MiB are refused.
class UnzstdStream {
 public:
  struct Step {
    size_t written = 0;      // bytes put into the output
    bool frame_end = false;  // the frame ended here, and its checksum was right
  };

  UnzstdStream();
  UnzstdStream(UnzstdStream&&) noexcept;
  UnzstdStream& operator=(UnzstdStream&&) noexcept;
  ~UnzstdStream();

  // For the frames to come; it must outlive them. Null for none.
  void use(const ZstdDictionary* dictionary);
  // Forgets everything and expects a frame's header.
  void begin_frame();
  // Consumes from the front of `input` and fills `output`, until either is used up or the frame ends. An Error
  // (corrupt) names the flaw and the offset within the frame.
  Result<Step> decompress(std::string_view& input, std::span<char> output);
  // How much of `output` was filled before the error.
  size_t damaged_output() const;
  // True if the structure was sound, and only the checksum differs: `input` begins behind it.
  bool only_checksum_wrong() const;
  // Compressed bytes of the current (or, at its end, the last) frame consumed so far.
  uint64_t frame_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Decompresses the whole frame at the front of `input` in one go. Nothing if the frame is damaged, goes on behind
// `input`, or is larger than `output`: UnzstdStream then tells which.
struct WholeFrame {
  size_t consumed = 0;
  size_t written = 0;
};
std::optional<WholeFrame> unzstd_frame(std::string_view input, std::span<char> output,
                                       const ZstdDictionary* dictionary = nullptr);

// True if a frame (not a skippable one) begins at the front of `bytes`.
bool looks_like_zstd(std::string_view bytes);
// How long a frame's header can be; what it promises.
inline constexpr size_t kZstdHeaderSize = 18;
struct ZstdPromises {
  bool content_size = false;
  bool checksum = false;
};
ZstdPromises zstd_promises(std::string_view header);

// Skippable frames: 8 bytes of head, and content that decoders pass over. The whole length of the one that begins at
// the front of `bytes` (at least kSkippableHead of them); nothing if none does.
inline constexpr size_t kSkippableHead = 8;
std::optional<uint64_t> skippable_frame(std::string_view bytes);
// True if it is the one that WARC files have for their dictionary (magic number 0x184D2A5D).
bool is_dictionary_frame(std::string_view bytes);
// That frame for a dictionary, which is compressed in it.
std::string dictionary_frame(std::string_view dictionary);
// The dictionary in such a frame's content: the bytes themselves, or one zstd frame of them.
Result<std::string> dictionary_in(std::string_view content);

}  // namespace caddis::io
