#include "caddis/warc/packer.h"

namespace caddis::warc {
namespace {

io::GzipEffort gzip_effort(Compression compression) {
  switch (compression) {
    case Compression::small:
      return io::GzipEffort::small;
    case Compression::fields:
      return io::GzipEffort::fields;
    case Compression::cheapest:
      return io::GzipEffort::cheapest;
    default:
      return io::GzipEffort::fast;
  }
}

io::ZstdEffort zstd_effort(Compression compression) {
  return compression == Compression::zstd_small ? io::ZstdEffort::small : io::ZstdEffort::fast;
}

}  // namespace

Packing packing_of(Compression compression) {
  if (compression == Compression::none) return Packing::plain;
  const bool zstd = compression == Compression::zstd_fast || compression == Compression::zstd_small;
  return zstd ? Packing::zstd : Packing::gzip;
}

void append_unit(std::string& out, std::span<const std::string_view> parts, Compression compression,
                 const io::ZstdDictionary* dictionary) {
  switch (packing_of(compression)) {
    case Packing::plain:
      for (const std::string_view part : parts) out += part;
      break;
    case Packing::gzip:
      io::gzip_member_append(out, parts, gzip_effort(compression));
      break;
    case Packing::zstd:
      io::zstd_frame_append(out, parts, zstd_effort(compression), dictionary);
      break;
  }
}

UnitStream::UnitStream(Compression compression, uint64_t size, const io::ZstdDictionary* dictionary) {
  const Packing packing = packing_of(compression);
  if (packing == Packing::gzip) gzip_ = std::make_unique<io::GzipStream>(gzip_effort(compression));
  if (packing == Packing::zstd) zstd_ = std::make_unique<io::ZstdStream>(zstd_effort(compression), size, dictionary);
}

void UnitStream::write(std::string_view bytes, std::string& out) {
  if (gzip_) {
    gzip_->write(bytes, out);
  } else if (zstd_) {
    zstd_->write(bytes, out);
  } else {
    out += bytes;
  }
}

void UnitStream::finish(std::string& out) {
  if (gzip_) gzip_->finish(out);
  if (zstd_) zstd_->finish(out);
}

}  // namespace caddis::warc
