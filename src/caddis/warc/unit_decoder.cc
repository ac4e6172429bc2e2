#include "caddis/warc/unit_decoder.h"

namespace caddis::warc {

io::UnzstdStream& UnitDecoder::unzstd() {
  if (unzstd_ == nullptr) {
    unzstd_ = std::make_unique<io::UnzstdStream>();
    unzstd_->use(dictionary_.get());
  }
  return *unzstd_;
}

void UnitDecoder::begin(Packing packing, uint64_t earlier_bytes) {
  packing_ = packing;
  earlier_bytes_ = earlier_bytes;
  if (is_zstd()) {
    unzstd().begin_frame();
  } else {
    gunzip_.begin_member();
  }
}

void UnitDecoder::use(std::unique_ptr<const io::ZstdDictionary> dictionary) {
  if (unzstd_ != nullptr) unzstd_->use(dictionary.get());
  dictionary_ = std::move(dictionary);
}

std::optional<UnitDecoder::Whole> UnitDecoder::whole(std::string_view input, std::span<char> output) const {
  if (is_zstd()) {
    const auto frame = io::unzstd_frame(input, output, dictionary_.get());
    return frame ? std::optional(Whole{frame->consumed, frame->written}) : std::nullopt;
  }
  const auto member = io::gunzip_member(input, output);
  return member ? std::optional(Whole{member->consumed, member->written}) : std::nullopt;
}

Result<UnitDecoder::Step> UnitDecoder::step(std::string_view& input, std::span<char> output) {
  if (is_zstd()) {
    TRY(const auto step, unzstd().decompress(input, output));
    return Step{step.written, step.frame_end};
  }
  TRY(const auto step, gunzip_.inflate(input, output));
  return Step{step.written, step.member_end};
}

size_t UnitDecoder::damaged_output() const { return is_zstd() ? unzstd_->damaged_output() : gunzip_.damaged_output(); }
bool UnitDecoder::only_trailer_wrong() const {
  return is_zstd() ? unzstd_->only_checksum_wrong() : gunzip_.only_trailer_wrong();
}
uint64_t UnitDecoder::bytes() const {
  return earlier_bytes_ + (is_zstd() ? unzstd_->frame_bytes() : gunzip_.member_bytes());
}

}  // namespace caddis::warc
