#include "caddis/io/small_blocks.h"

#include <zdict.h>
#include <zstd.h>

#include "caddis/base/check.h"

namespace caddis::io {
namespace {

constexpr int kLevel = 3;
constexpr size_t kFewestSamples = 64;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  void operator()(ZSTD_DDict* dictionary) const { ZSTD_freeDDict(dictionary); }
};

}  // namespace

std::string train_dictionary(const std::vector<std::string>& samples, size_t size) {
  if (samples.size() < kFewestSamples) return {};
  std::string all;
  std::vector<size_t> sizes;
  for (const std::string& sample : samples) {
    all += sample;
    sizes.push_back(sample.size());
  }
  std::string dictionary(size, '\0');
  const size_t trained =
      ZDICT_trainFromBuffer(dictionary.data(), size, all.data(), sizes.data(), static_cast<unsigned>(sizes.size()));
  if (ZDICT_isError(trained) != 0) return {};  // nothing that repeats
  dictionary.resize(trained);
  return dictionary;
}

struct BlockCompressor::State {
  std::unique_ptr<ZSTD_CCtx, FreeContext> context{ZSTD_createCCtx()};
};

BlockCompressor::BlockCompressor(std::string_view dictionary) : state_(std::make_unique<State>()) {
  ZSTD_CCtx* const context = state_->context.get();
  CADDIS_CHECK(context != nullptr);
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 0);
  ZSTD_CCtx_setParameter(context, ZSTD_c_dictIDFlag, 0);
  if (!dictionary.empty())
    CADDIS_CHECK(ZSTD_isError(ZSTD_CCtx_loadDictionary(context, dictionary.data(), dictionary.size())) == 0);
}
BlockCompressor::~BlockCompressor() = default;

void BlockCompressor::append(std::string& out, std::string_view block) {
  const size_t before = out.size();
  out.resize(before + ZSTD_compressBound(block.size()));
  const size_t size =
      ZSTD_compress2(state_->context.get(), out.data() + before, out.size() - before, block.data(), block.size());
  CADDIS_CHECK(ZSTD_isError(size) == 0);
  out.resize(before + size);
}

struct BlockDecompressor::State {
  std::unique_ptr<ZSTD_DDict, FreeContext> dictionary;
};

BlockDecompressor::BlockDecompressor(std::string_view dictionary) : state_(std::make_unique<State>()) {
  if (!dictionary.empty()) state_->dictionary.reset(ZSTD_createDDict(dictionary.data(), dictionary.size()));
}
BlockDecompressor::~BlockDecompressor() = default;

Result<std::string_view> BlockDecompressor::decompress(std::string_view frame, size_t limit) const {
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  thread_local std::string block;
  const auto size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > limit)
    return fail(ErrorCode::corrupt, "a compressed block that does not begin as one, or is too large");
  if (block.size() < size) block.resize(size);
  const size_t got = ZSTD_decompress_usingDDict(context.get(), block.data(), size, frame.data(), frame.size(),
                                                state_->dictionary.get());
  if (ZSTD_isError(got) != 0 || got != size)
    return fail(ErrorCode::corrupt, std::string("a compressed block that is damaged: ") + ZSTD_getErrorName(got));
  return std::string_view(block).substr(0, size);
}

}  // namespace caddis::io
