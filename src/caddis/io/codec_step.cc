#include "caddis/io/codec_step.h"

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/io/gzip.h"

namespace caddis::io {
namespace {

class GzipStep : public CodecStep {
 public:
  size_t step(std::string_view& input, bool last, std::span<char> output) override {
    size_t written = 0;
    for (;;) {
      const size_t before = input.size();
      auto got = stream_.inflate(input, output.subspan(written));
      if (!got) {
        const size_t damaged = stream_.damaged_output();
        written += damaged;
        // Bytes behind a sound member are padding that browsers ignore too.
        if (members_ > 0 && !in_data_ && damaged == 0)
          state_ = State::end;
        else
          flaw(got.error().message);
        return written;
      }
      written += got->written;
      in_data_ = !got->member_end && (in_data_ || got->written > 0);
      members_ += got->member_end ? 1 : 0;
      if (written == output.size()) return written;
      if (input.empty()) {
        if (last)
          state_ =
              members_ > 0 && (!stream_.inside_member() || stream_.member_bytes() < kMagic) ? State::end : State::cut;
        return written;
      }
      if (input.size() == before && got->written == 0 && !got->member_end) {
        flaw("no progress");
        return written;
      }
    }
  }

 private:
  static constexpr uint64_t kMagic = 4;
  GunzipStream stream_;
  bool in_data_ = false;
  size_t members_ = 0;
};

class InflateStep : public CodecStep {
 public:
  explicit InflateStep(int window_bits) { CADDIS_CHECK(inflateInit2(&stream_, window_bits) == Z_OK); }
  InflateStep(const InflateStep&) = delete;
  InflateStep& operator=(const InflateStep&) = delete;
  ~InflateStep() override { inflateEnd(&stream_); }

  size_t step(std::string_view& input, bool last, std::span<char> output) override {
    constexpr size_t kMaxPiece = 1U << 30;
    const std::string_view piece = input.substr(0, kMaxPiece);
    const size_t room = std::min(output.size(), kMaxPiece);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    stream_.avail_in = static_cast<uInt>(piece.size());
    stream_.next_out = reinterpret_cast<Bytef*>(output.data());
    stream_.avail_out = static_cast<uInt>(room);
    const int code = ::inflate(&stream_, Z_NO_FLUSH);
    input.remove_prefix(piece.size() - stream_.avail_in);
    if (code == Z_STREAM_END) {
      state_ = State::end;
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      flaw(stream_.msg != nullptr ? stream_.msg : "invalid data");
    } else if (last && input.empty() && stream_.avail_out > 0) {
      state_ = State::cut;
    }
    return room - stream_.avail_out;
  }

 private:
  z_stream stream_{};
};

class BrotliStep : public CodecStep {
 public:
  explicit BrotliStep(MemoryBudget* windows)
      : windows_(windows),
        decoder_(BrotliDecoderCreateInstance(allocate, release, this), BrotliDecoderDestroyInstance) {
    if (decoder_ == nullptr) state_ = State::no_memory;
  }

  size_t step(std::string_view& input, bool last, std::span<char> output) override {
    if (state_ != State::more) return 0;
    auto* next_in = reinterpret_cast<const uint8_t*>(input.data());
    auto* next_out = reinterpret_cast<uint8_t*>(output.data());
    size_t in = input.size(), out = output.size();
    const BrotliDecoderResult result =
        BrotliDecoderDecompressStream(decoder_.get(), &in, &next_in, &out, &next_out, nullptr);
    input.remove_prefix(input.size() - in);
    if (result == BROTLI_DECODER_RESULT_SUCCESS) {
      state_ = State::end;
    } else if (result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT) {
      if (last && input.empty()) state_ = State::cut;
    } else if (result == BROTLI_DECODER_RESULT_ERROR) {
      flaw(BrotliDecoderErrorString(BrotliDecoderGetErrorCode(decoder_.get())));
      if (refused_) state_ = State::no_memory;
    }
    return output.size() - out;
  }

 private:
  // In front of what is handed out stands its size.
  static constexpr size_t kPrefix = alignof(std::max_align_t);
  static void* allocate(void* self, size_t size) {
    auto& step = *static_cast<BrotliStep*>(self);
    if (step.windows_ != nullptr && !step.windows_->take(size)) {
      step.refused_ = true;
      return nullptr;
    }
    auto* const memory = static_cast<char*>(::operator new(size + kPrefix));
    new (memory) size_t(size);
    return memory + kPrefix;
  }
  static void release(void* self, void* memory) {
    if (memory == nullptr) return;
    char* const begin = static_cast<char*>(memory) - kPrefix;
    auto& step = *static_cast<BrotliStep*>(self);
    if (step.windows_ != nullptr) step.windows_->give_back(*reinterpret_cast<size_t*>(begin));
    ::operator delete(begin);
  }

  MemoryBudget* windows_;
  bool refused_ = false;
  std::unique_ptr<BrotliDecoderState, void (*)(BrotliDecoderState*)> decoder_;  // last: it gives back to windows_
};

class ZstdStep : public CodecStep {
 public:
  explicit ZstdStep(MemoryBudget* windows) : windows_(windows), decoder_(nullptr, ZSTD_freeDCtx) {
    if (windows_ != nullptr && !windows_->take(kMemory)) {
      windows_ = nullptr;
      state_ = State::no_memory;
      return;
    }
    decoder_.reset(ZSTD_createDCtx());
    CADDIS_CHECK(decoder_ != nullptr);
    ZSTD_DCtx_setParameter(decoder_.get(), ZSTD_d_windowLogMax, kMaxWindowLog);
  }
  ZstdStep(const ZstdStep&) = delete;
  ZstdStep& operator=(const ZstdStep&) = delete;
  ~ZstdStep() override {
    if (windows_ != nullptr) windows_->give_back(kMemory);
  }

  size_t step(std::string_view& input, bool last, std::span<char> output) override {
    if (state_ != State::more) return 0;
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{output.data(), output.size(), 0};
    for (size_t before = SIZE_MAX; out.pos < out.size && in.pos + out.pos != before;) {
      before = in.pos + out.pos;
      const size_t hint = ZSTD_decompressStream(decoder_.get(), &out, &in);
      if (ZSTD_isError(hint)) {
        flaw(ZSTD_getErrorName(hint));
        break;
      }
      // Asked again behind the end of a frame, it wants the next one's header.
      if (in.pos + out.pos != before || hint == 0) frame_end_ = hint == 0;
      if (in.pos == in.size && out.pos < out.size) {
        if (last) state_ = frame_end_ ? State::end : State::cut;
        break;
      }
    }
    input.remove_prefix(in.pos);
    return out.pos;
  }

 private:
  // RFC 9659: a decoder for HTTP needs to support windows up to 8 MB; more is refused by browsers as well.
  static constexpr int kMaxWindowLog = 23;
  static constexpr uint64_t kMemory = (1ULL << kMaxWindowLog) + (512ULL << 10);
  MemoryBudget* windows_;
  bool frame_end_ = false;
  std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> decoder_;
};

}  // namespace

Coding coding_of(std::string_view name) {
  if (name.empty() || equals_ignore_case(name, "identity") || equals_ignore_case(name, "none")) return Coding::identity;
  if (equals_ignore_case(name, "gzip") || equals_ignore_case(name, "x-gzip")) return Coding::gzip;
  if (equals_ignore_case(name, "deflate")) return Coding::zlib;
  if (equals_ignore_case(name, "br")) return Coding::brotli;
  if (equals_ignore_case(name, "zstd")) return Coding::zstd;
  return Coding::unknown;
}

std::string_view name_of(Coding coding) {
  switch (coding) {
    case Coding::gzip:
      return "gzip";
    case Coding::zlib:
    case Coding::raw_deflate:
      return "deflate";
    case Coding::brotli:
      return "br";
    case Coding::zstd:
      return "zstd";
    case Coding::identity:
    case Coding::unknown:
      break;
  }
  return "body";
}

bool has_zlib_header(std::string_view body) {
  if (body.size() < 2) return false;
  const unsigned cmf = static_cast<uint8_t>(body[0]), flg = static_cast<uint8_t>(body[1]);
  return (cmf & 15) == 8 && (cmf >> 4) <= 7 && (cmf * 256 + flg) % 31 == 0;
}

std::unique_ptr<CodecStep> make_codec_step(Coding coding, MemoryBudget* windows) {
  constexpr int kZlib = 15, kRaw = -15;
  switch (coding) {
    case Coding::gzip:
      return std::make_unique<GzipStep>();
    case Coding::zlib:
      return std::make_unique<InflateStep>(kZlib);
    case Coding::raw_deflate:
      return std::make_unique<InflateStep>(kRaw);
    case Coding::brotli:
      return std::make_unique<BrotliStep>(windows);
    case Coding::zstd:
      return std::make_unique<ZstdStep>(windows);
    case Coding::identity:
    case Coding::unknown:
      break;
  }
  CADDIS_CHECK(false);
  return nullptr;
}

}  // namespace caddis::io
