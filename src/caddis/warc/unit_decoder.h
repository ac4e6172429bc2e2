// Unpacks the units of an archive file, gzip members or zstd frames, one at a time. Internal to the reader.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/warc/packing.h"

namespace caddis::warc {

class UnitDecoder {
 public:
  struct Whole {
    size_t consumed = 0, written = 0;
  };
  struct Step {
    size_t written = 0;
    bool end = false;  // of the unit, and its checksum was right
  };

  // Expects a member's or frame's begin, after so many packed bytes of the same unit.
  void begin(Packing packing, uint64_t earlier_bytes = 0);
  // For zstd frames to come; null for none.
  void use(std::unique_ptr<const io::ZstdDictionary> dictionary);
  const io::ZstdDictionary* dictionary() const { return dictionary_.get(); }

  // The unit at the front of `input` in one go, if all of it is there and its data fits.
  std::optional<Whole> whole(std::string_view input, std::span<char> output) const;
  // As io::GunzipStream::inflate.
  Result<Step> step(std::string_view& input, std::span<char> output);
  size_t damaged_output() const;
  bool only_trailer_wrong() const;
  // Packed bytes of the unit so far.
  uint64_t bytes() const;

 private:
  bool is_zstd() const { return packing_ == Packing::zstd; }
  io::UnzstdStream& unzstd();

  Packing packing_ = Packing::gzip;
  uint64_t earlier_bytes_ = 0;
  io::GunzipStream gunzip_;
  std::unique_ptr<const io::ZstdDictionary> dictionary_;
  std::unique_ptr<io::UnzstdStream> unzstd_;  // made when it is needed: it is large
};

}  // namespace caddis::warc
