// Decompressing half of zstd.h.
//
// The library decodes; the frame's structure is walked here beside it, so that a flaw can be named with its place, and
// a frame whose checksum alone is wrong can be told from one whose data is damaged:
//
//   header:   28 b5 2f fd, descriptor, [window], [dictionary id], [content size]
//   blocks:   3 bytes (bit 0: the last one; bits 1-2: raw, run, compressed; bits 3-23: size), content
//   checksum: 4 bytes if the descriptor says so
//
// The library gets no byte of the checksum before all data has been taken from it.
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>

#include "caddis/base/check.h"
#include "caddis/io/zstd_dictionary.h"
#include "fmt/format.h"

namespace caddis::io {
namespace {

constexpr std::string_view kMagic = "\x28\xb5\x2f\xfd";
constexpr size_t kDescriptorAt = 4, kBlockHeader = 3, kChecksum = 4;
constexpr uint8_t kSingleSegment = 0x20, kHasChecksum = 0x04;
constexpr int kMaxWindowLog = 27;

struct FreeDecompressor {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};
using Decompressor = std::unique_ptr<ZSTD_DCtx, FreeDecompressor>;

// The size of the header whose descriptor this is.
size_t header_size(uint8_t descriptor) {
  constexpr std::array<size_t, 4> kDictionaryId{0, 1, 2, 4}, kContentSize{0, 2, 4, 8};
  const bool single = (descriptor & kSingleSegment) != 0;
  const size_t content = descriptor >> 6 == 0 && single ? 1 : kContentSize[descriptor >> 6];
  return kDescriptorAt + 1 + (single ? 0 : 1) + kDictionaryId[descriptor & 3] + content;
}

// A larger window than UnzstdStream accepts, though one that needs none could do without it: both give the same.
bool window_too_large(std::string_view frame) {
  constexpr size_t kWindowAt = 5;
  constexpr uint64_t kLeast = 1024;
  if (frame.size() <= kWindowAt || (static_cast<uint8_t>(frame[kDescriptorAt]) & kSingleSegment) != 0) return false;
  const auto window = static_cast<uint8_t>(frame[kWindowAt]);
  const uint64_t base = kLeast << (window >> 3);
  return base + base / 8 * (window & 7) > 1ULL << kMaxWindowLog;
}

std::string_view reason(ZSTD_ErrorCode code) {
  switch (code) {
    case ZSTD_error_prefix_unknown:
      return "no zstd magic number";
    case ZSTD_error_dictionary_wrong:
      return "a dictionary is needed that the file does not have";
    case ZSTD_error_frameParameter_windowTooLarge:
      return "a window of more than 128 MiB is needed";
    case ZSTD_error_checksum_wrong:
      return "checksum mismatch";
    default:
      return ZSTD_getErrorString(code);
  }
}

}  // namespace

bool looks_like_zstd(std::string_view bytes) { return bytes.starts_with(kMagic); }

ZstdPromises zstd_promises(std::string_view header) {
  if (header.size() <= kDescriptorAt) return {};
  const auto descriptor = static_cast<uint8_t>(header[kDescriptorAt]);
  return {.content_size = descriptor >> 6 != 0 || (descriptor & kSingleSegment) != 0,
          .checksum = (descriptor & kHasChecksum) != 0};
}

struct UnzstdStream::State {
  enum class Phase { descriptor, header, block_header, block, checksum, done };

  Decompressor context{ZSTD_createDCtx()};
  Phase phase = Phase::descriptor;
  std::string head;        // of the frame or the block, as far as it has come
  size_t left = 0;         // bytes of the current part still to come
  bool undrained = false;  // the library may hold output
  bool has_checksum = false;
  bool last_block = false;
  bool ended = true;
  bool only_checksum_wrong = false;
  uint64_t consumed = 0;
  size_t damaged_output = 0;

  State() {
    CADDIS_CHECK(context != nullptr);
    ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kMaxWindowLog);
  }

  void enter(Phase next, size_t size) {
    phase = next;
    left = size;
    head.clear();
  }

  void begin() {
    ZSTD_DCtx_reset(context.get(), ZSTD_reset_session_only);
    enter(Phase::descriptor, kDescriptorAt + 1);
    undrained = has_checksum = last_block = ended = only_checksum_wrong = false;
    consumed = 0;
    damaged_output = 0;
  }

  std::unexpected<Error> damage(std::string_view what) const {
    return fail(ErrorCode::corrupt, fmt::format("{} at byte {} of the zstd frame", what, consumed));
  }

  // The part that follows the one which is complete.
  Result<void> next_part() {
    switch (phase) {
      case Phase::descriptor: {
        if (!looks_like_zstd(head)) return damage("no zstd magic number");
        const auto descriptor = static_cast<uint8_t>(head[kDescriptorAt]);
        has_checksum = (descriptor & kHasChecksum) != 0;
        enter(Phase::header, header_size(descriptor) - kDescriptorAt - 1);
        break;
      }
      case Phase::header:
        enter(Phase::block_header, kBlockHeader);
        break;
      case Phase::block_header:
        return enter_block();
      case Phase::block:
        if (!last_block) {
          enter(Phase::block_header, kBlockHeader);
        } else {
          enter(has_checksum ? Phase::checksum : Phase::done, has_checksum ? kChecksum : 0);
        }
        break;
      case Phase::checksum:
      case Phase::done:
        enter(Phase::done, 0);
        break;
    }
    return {};
  }

  Result<void> enter_block() {
    constexpr uint32_t kRun = 1, kReserved = 3;
    uint32_t value = 0;
    for (size_t i = kBlockHeader; i-- > 0;) value = value << 8 | static_cast<uint8_t>(head[i]);
    last_block = (value & 1) != 0;
    const uint32_t type = value >> 1 & 3;
    if (type == kReserved) return damage("a block of reserved type");
    enter(Phase::block, type == kRun ? 1 : value >> 3);
    return {};
  }

  // One call of the library, with no byte behind the current part.
  Result<void> feed(std::string_view& input, ZSTD_outBuffer& out) {
    const size_t offered = std::min(input.size(), left);
    if (offered == 0 && !undrained) return {};
    ZSTD_inBuffer in{input.data(), offered, 0};
    const size_t hint = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(hint)) {
      const ZSTD_ErrorCode code = ZSTD_getErrorCode(hint);
      only_checksum_wrong = phase == Phase::checksum && code == ZSTD_error_checksum_wrong;
      if (only_checksum_wrong) take(input, offered);
      damaged_output = out.pos;
      ended = true;
      return damage(reason(code));
    }
    if (phase == Phase::descriptor || phase == Phase::block_header) head.append(input.substr(0, in.pos));
    take(input, in.pos);
    left -= in.pos;
    undrained = out.pos == out.size;
    return {};
  }

  void take(std::string_view& input, size_t size) {
    input.remove_prefix(size);
    consumed += size;
  }
};

UnzstdStream::UnzstdStream() : state_(std::make_unique<State>()) { state_->begin(); }
UnzstdStream::UnzstdStream(UnzstdStream&&) noexcept = default;
UnzstdStream& UnzstdStream::operator=(UnzstdStream&&) noexcept = default;
UnzstdStream::~UnzstdStream() = default;

void UnzstdStream::use(const ZstdDictionary* dictionary) {
  state_->begin();
  ZSTD_DCtx_refDDict(state_->context.get(), dictionary == nullptr ? nullptr : dictionary->digested().reading.get());
}
void UnzstdStream::begin_frame() { state_->begin(); }
size_t UnzstdStream::damaged_output() const { return state_->damaged_output; }
bool UnzstdStream::only_checksum_wrong() const { return state_->only_checksum_wrong; }
uint64_t UnzstdStream::frame_bytes() const { return state_->consumed; }

Result<UnzstdStream::Step> UnzstdStream::decompress(std::string_view& input, std::span<char> output) {
  State& state = *state_;
  if (state.ended) state.begin();
  state.damaged_output = 0;
  ZSTD_outBuffer out{output.data(), output.size(), 0};
  while (!state.ended) {
    TRY_VOID(state.feed(input, out));
    if (state.undrained || state.left > 0) break;
    if (auto next = state.next_part(); !next) {
      state.damaged_output = out.pos;
      state.ended = true;
      return std::unexpected(std::move(next).error());
    }
    state.ended = state.phase == State::Phase::done;
  }
  return Step{out.pos, state.ended};
}

std::optional<WholeFrame> unzstd_frame(std::string_view input, std::span<char> output,
                                       const ZstdDictionary* dictionary) {
  if (!looks_like_zstd(input) || window_too_large(input)) return std::nullopt;
  thread_local const Decompressor context(ZSTD_createDCtx());
  CADDIS_CHECK(context != nullptr);
  const size_t size = ZSTD_findFrameCompressedSize(input.data(), input.size());
  if (ZSTD_isError(size)) return std::nullopt;
  const size_t written = dictionary == nullptr
                             ? ZSTD_decompressDCtx(context.get(), output.data(), output.size(), input.data(), size)
                             : ZSTD_decompress_usingDDict(context.get(), output.data(), output.size(), input.data(),
                                                          size, dictionary->digested().reading.get());
  if (ZSTD_isError(written)) return std::nullopt;
  return WholeFrame{size, written};
}

}  // namespace caddis::io
