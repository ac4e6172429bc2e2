// Dictionaries: trained, digested, and in the skippable frame that a file of records has for its own.
#include "caddis/io/zstd_dictionary.h"

#include <zdict.h>
#include <zstd_errors.h>

#include "caddis/base/check.h"
#include "fmt/format.h"

namespace caddis::io {
namespace {

constexpr uint32_t kDictionaryFrame = 0x184D2A5D;
constexpr uint32_t kSkippableFirst = 0x184D2A50, kSkippableLast = 0x184D2A5F;

uint32_t little_endian32(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = 4; i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

void append32(std::string& out, uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xff);
}

}  // namespace

int zstd_level(ZstdEffort effort) {
  constexpr int kFast = 3, kSmall = 15;
  return effort == ZstdEffort::fast ? kFast : kSmall;
}

const ZSTD_CDict* ZstdDictionary::Digested::for_effort(ZstdEffort effort, std::string_view bytes) {
  Compressing& wanted = effort == ZstdEffort::fast ? fast : small;
  std::call_once(wanted.once,
                 [&] { wanted.made.reset(ZSTD_createCDict(bytes.data(), bytes.size(), zstd_level(effort))); });
  CADDIS_CHECK(wanted.made != nullptr);
  return wanted.made.get();
}

ZstdDictionary::ZstdDictionary(std::string bytes) : bytes_(std::move(bytes)), digested_(std::make_unique<Digested>()) {}
ZstdDictionary::~ZstdDictionary() = default;

Result<std::unique_ptr<const ZstdDictionary>> ZstdDictionary::load(std::string bytes) {
  if (bytes.size() > kMaxSize)
    return fail(ErrorCode::limit, fmt::format("the dictionary has {} bytes, more than {}", bytes.size(), kMaxSize));
  std::unique_ptr<ZstdDictionary> dictionary(new ZstdDictionary(std::move(bytes)));
  dictionary->digested_->reading.reset(ZSTD_createDDict(dictionary->bytes_.data(), dictionary->bytes_.size()));
  if (dictionary->digested_->reading == nullptr || dictionary->bytes_.empty())
    return fail(ErrorCode::corrupt, "the dictionary is damaged");
  return dictionary;
}

std::optional<std::string> ZstdDictionary::train(std::string_view samples, std::span<const size_t> sizes, size_t size) {
  std::string dictionary(size, '\0');
  const size_t made = ZDICT_trainFromBuffer(dictionary.data(), dictionary.size(), samples.data(), sizes.data(),
                                            static_cast<unsigned>(sizes.size()));
  if (ZDICT_isError(made)) return std::nullopt;
  dictionary.resize(made);
  return dictionary;
}

uint32_t ZstdDictionary::id() const { return ZSTD_getDictID_fromDDict(digested_->reading.get()); }

std::optional<uint64_t> skippable_frame(std::string_view bytes) {
  if (bytes.size() < kSkippableHead) return std::nullopt;
  const uint32_t magic = little_endian32(bytes);
  if (magic < kSkippableFirst || magic > kSkippableLast) return std::nullopt;
  return kSkippableHead + uint64_t{little_endian32(bytes.substr(4))};
}

bool is_dictionary_frame(std::string_view bytes) {
  return bytes.size() >= kSkippableHead && little_endian32(bytes) == kDictionaryFrame;
}

std::string dictionary_frame(std::string_view dictionary) {
  std::string packed;
  zstd_frame_append(packed, {dictionary}, ZstdEffort::small);
  std::string frame;
  append32(frame, kDictionaryFrame);
  append32(frame, static_cast<uint32_t>(packed.size()));
  return frame += packed;
}

Result<std::string> dictionary_in(std::string_view content) {
  if (!looks_like_zstd(content)) return std::string(content);
  UnzstdStream unzstd;
  std::string dictionary;
  std::string piece(ZSTD_DStreamOutSize(), '\0');
  for (;;) {
    TRY(const UnzstdStream::Step step, unzstd.decompress(content, piece));
    dictionary.append(piece, 0, step.written);
    if (step.frame_end) return dictionary;
    if (dictionary.size() > ZstdDictionary::kMaxSize)
      return fail(ErrorCode::limit, fmt::format("the dictionary has more than {} bytes", ZstdDictionary::kMaxSize));
    if (content.empty() && step.written < piece.size())
      return fail(ErrorCode::corrupt, "the dictionary's zstd frame is cut");
  }
}

}  // namespace caddis::io
