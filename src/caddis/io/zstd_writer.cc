// Compression half of zstd.h.
#include <zstd.h>

#include "caddis/base/check.h"
#include "caddis/io/zstd_dictionary.h"

namespace caddis::io {
namespace {

struct FreeCompressor {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
using Compressor = std::unique_ptr<ZSTD_CCtx, FreeCompressor>;

void set(ZSTD_CCtx* context, ZSTD_cParameter parameter, int value) {
  CADDIS_CHECK(!ZSTD_isError(ZSTD_CCtx_setParameter(context, parameter, value)));
}

// Neither effort's window is larger than the 8 MiB that readers of .warc.zst must accept.
void prepare(ZSTD_CCtx* context, ZstdEffort effort, uint64_t content_size, const ZstdDictionary* dictionary) {
  CADDIS_CHECK(context != nullptr);
  ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
  set(context, ZSTD_c_compressionLevel, zstd_level(effort));
  set(context, ZSTD_c_checksumFlag, 1);
  if (dictionary != nullptr) {
    const ZSTD_CDict* digested = dictionary->digested().for_effort(effort, dictionary->bytes());
    CADDIS_CHECK(!ZSTD_isError(ZSTD_CCtx_refCDict(context, digested)));
  }
  CADDIS_CHECK(!ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(context, content_size)));
}

// Compresses all of `bytes`, and with ZSTD_e_end the rest of the frame.
void compress(ZSTD_CCtx* context, std::string_view bytes, ZSTD_EndDirective end, std::string& out) {
  constexpr size_t kStep = 64 * 1024;
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  for (bool done = false; !done;) {
    const size_t before = out.size();
    out.resize_and_overwrite(before + kStep + bytes.size() / 4, [&](char* buffer, size_t size) {
      ZSTD_outBuffer room{buffer + before, size - before, 0};
      const size_t left = ZSTD_compressStream2(context, &room, &in, end);
      CADDIS_CHECK(!ZSTD_isError(left));
      done = end == ZSTD_e_end ? left == 0 : in.pos == in.size;
      return before + room.pos;
    });
  }
}

}  // namespace

void zstd_frame_append(std::string& out, std::span<const std::string_view> parts, ZstdEffort effort,
                       const ZstdDictionary* dictionary) {
  thread_local const Compressor context(ZSTD_createCCtx());
  uint64_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  prepare(context.get(), effort, size, dictionary);
  for (const std::string_view part : parts) compress(context.get(), part, ZSTD_e_continue, out);
  compress(context.get(), {}, ZSTD_e_end, out);
  // The dictionary may be gone before the next frame.
  ZSTD_CCtx_reset(context.get(), ZSTD_reset_session_and_parameters);
}

struct ZstdStream::State {
  Compressor context{ZSTD_createCCtx()};
};

ZstdStream::ZstdStream(ZstdEffort effort, uint64_t content_size, const ZstdDictionary* dictionary)
    : state_(std::make_unique<State>()) {
  prepare(state_->context.get(), effort, content_size, dictionary);
}
ZstdStream::ZstdStream(ZstdStream&&) noexcept = default;
ZstdStream& ZstdStream::operator=(ZstdStream&&) noexcept = default;
ZstdStream::~ZstdStream() = default;

void ZstdStream::write(std::string_view bytes, std::string& out) {
  if (!bytes.empty()) compress(state_->context.get(), bytes, ZSTD_e_continue, out);
}
void ZstdStream::finish(std::string& out) { compress(state_->context.get(), {}, ZSTD_e_end, out); }

}  // namespace caddis::io
