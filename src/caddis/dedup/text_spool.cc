#include "caddis/dedup/text_spool.h"

#include "caddis/dedup/bytes.h"
#include "caddis/dedup/original_block.h"
#include "caddis/io/small_blocks.h"

namespace caddis::dedup {
namespace {

constexpr size_t kPieceSize = 4 << 20;
constexpr size_t kMostSamples = 2048;
constexpr size_t kMaxSample = 4096;
// Training takes a fifth of a second, however little it is for: it has to be worth it.
constexpr size_t kDictionary = 64 << 10;
constexpr uint64_t kLeastText = 32 * kDictionary;

}  // namespace

TextSpool::~TextSpool() {
  if (file_) (void)files_.remove(path_);
}

Result<void> TextSpool::add(std::string_view taken) {
  if (!file_) {
    (void)files_.remove(path_);
    TRY(file_, files_.open_append(path_));
  }
  const std::string_view text = text_of(taken);
  if (texts_++ % stride_ == 0) sample(text);
  bytes_ += text.size();
  put_number(pending_, static_cast<uint32_t>(taken.size()));
  pending_ += taken;
  return pending_.size() < kPieceSize ? Result<void>() : flush();
}

Result<void> TextSpool::flush() {
  TRY_VOID(file_->append(pending_));
  pending_.clear();
  return {};
}

void TextSpool::sample(std::string_view text) {
  if (samples_.size() == kMostSamples) {
    // Every second one goes, so that those left are still from all over.
    for (size_t i = 0; i < kMostSamples / 2; ++i) samples_[i] = std::move(samples_[2 * i]);
    samples_.resize(kMostSamples / 2);
    stride_ *= 2;
    if ((texts_ - 1) % stride_ != 0) return;
  }
  samples_.emplace_back(text.substr(0, kMaxSample));
}

std::string TextSpool::dictionary() const {
  return bytes_ < kLeastText ? std::string() : io::train_dictionary(samples_, kDictionary);
}

Result<void> TextSpool::each(const std::function<Result<void>(std::string_view taken)>& use) {
  if (!file_) return {};
  TRY_VOID(flush());
  std::string buffer;
  uint64_t offset = 0;
  for (;;) {
    const size_t before = buffer.size();
    buffer.resize(before + kPieceSize);
    TRY(const size_t got, file_->read_at(offset, buffer.data() + before, kPieceSize));
    buffer.resize(before + got);
    offset += got;
    size_t used = 0;
    while (buffer.size() - used >= sizeof(uint32_t)) {
      const auto size = get_number<uint32_t>(buffer.data() + used);
      if (buffer.size() - used - sizeof size < size) break;
      TRY_VOID(use(std::string_view(buffer).substr(used + sizeof size, size)));
      used += sizeof size + size;
    }
    buffer.erase(0, used);
    if (got == 0)
      return buffer.empty() ? Result<void>() : fail(ErrorCode::corrupt, path_ + " was cut meanwhile; build again");
  }
}

}  // namespace caddis::dedup
