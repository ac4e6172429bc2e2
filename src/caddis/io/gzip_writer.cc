// Compression half of gzip.h: libdeflate and ISA-L for whole members, zlib and ISA-L for streamed ones.
#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "caddis/base/check.h"
#include "caddis/io/gzip.h"
#include "caddis/io/gzip_fields.h"
#include "caddis/io/gzip_stored.h"

namespace caddis::io {
namespace {

constexpr int kSmallLevel = 6;
constexpr size_t kOutputStep = 64 * 1024;

// One ISA-L level 1 compressor with its tables (about 350 KB), used for one member after another.
class FastCompressor {
 public:
  FastCompressor() : level_buffer_(ISAL_DEF_LVL1_DEFAULT) { begin(); }

  void begin() {
    isal_deflate_init(&stream_);
    stream_.level = 1;
    stream_.level_buf = level_buffer_.data();
    stream_.level_buf_size = static_cast<uint32_t>(level_buffer_.size());
    stream_.gzip_flag = IGZIP_GZIP;
    stream_.flush = NO_FLUSH;
  }

  void write(std::string_view bytes, bool last, std::string& out) {
    // The library counts in 32 bits.
    constexpr size_t kMaxPiece = 1U << 30;
    do {
      const std::string_view piece = bytes.substr(0, kMaxPiece);
      bytes.remove_prefix(piece.size());
      stream_.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(piece.data()));
      stream_.avail_in = static_cast<uint32_t>(piece.size());
      stream_.end_of_stream = last && bytes.empty() ? 1 : 0;
      drain(out);
    } while (!bytes.empty());
  }

 private:
  void drain(std::string& out) {
    const auto wants_more = [this] {
      return stream_.avail_in > 0 || stream_.avail_out == 0 ||
             (stream_.end_of_stream != 0 && stream_.internal_state.state != ZSTATE_END);
    };
    do {
      const size_t room = std::clamp<size_t>(stream_.avail_in / 2, 4096, kOutputStep);
      const size_t before = out.size();
      out.resize_and_overwrite(before + room, [&](char* buffer, size_t) {
        stream_.next_out = reinterpret_cast<uint8_t*>(buffer + before);
        stream_.avail_out = static_cast<uint32_t>(room);
        CADDIS_CHECK(isal_deflate(&stream_) == COMP_OK);
        return before + room - stream_.avail_out;
      });
    } while (wants_more());
  }

  std::vector<uint8_t> level_buffer_;
  isal_zstream stream_;
};

FastCompressor& fast_compressor() {
  thread_local auto compressor = std::make_unique<FastCompressor>();
  compressor->begin();
  return *compressor;
}

struct FreeLibdeflate {
  void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
};

void append_small(std::string& out, std::string_view data) {
  thread_local std::unique_ptr<libdeflate_compressor, FreeLibdeflate> compressor(
      libdeflate_alloc_compressor(kSmallLevel));
  CADDIS_CHECK(compressor != nullptr);
  const size_t before = out.size();
  const size_t bound = libdeflate_gzip_compress_bound(compressor.get(), data.size());
  out.resize_and_overwrite(before + bound, [&](char* buffer, size_t) {
    const size_t n = libdeflate_gzip_compress(compressor.get(), data.data(), data.size(), buffer + before, bound);
    CADDIS_CHECK(n > 0);
    return before + n;
  });
}

}  // namespace

void gzip_member_append(std::string& out, std::span<const std::string_view> parts, GzipEffort effort) {
  if (effort == GzipEffort::fields) return append_fields_member(out, parts);
  if (effort == GzipEffort::cheapest) return append_stored_member(out, parts);
  if (effort == GzipEffort::small) {
    if (parts.size() == 1) return append_small(out, parts[0]);
    thread_local std::string joined;
    joined.clear();
    for (const std::string_view part : parts) joined += part;
    append_small(out, joined);
    constexpr size_t kKeepAtMost = 4 << 20;
    if (joined.capacity() > kKeepAtMost) joined = std::string();
    return;
  }
  FastCompressor& compressor = fast_compressor();
  for (size_t i = 0; i + 1 < parts.size(); ++i) compressor.write(parts[i], false, out);
  compressor.write(parts.empty() ? std::string_view() : parts.back(), true, out);
}

std::string gzip_member(std::string_view data, GzipEffort effort) {
  std::string out;
  gzip_member_append(out, {data}, effort);
  return out;
}

class GzipCompressor {
 public:
  virtual ~GzipCompressor() = default;
  virtual void write(std::string_view bytes, bool last, std::string& out) = 0;
};

namespace {

class FastStream : public GzipCompressor {
 public:
  void write(std::string_view bytes, bool last, std::string& out) override {
    compressor_.write(bytes, last, out);
    if (last) compressor_.begin();
  }

 private:
  FastCompressor compressor_;
};

class StoredStream : public GzipCompressor {
 public:
  void write(std::string_view bytes, bool last, std::string& out) override {
    if (last)
      member_.finish(out);
    else
      member_.write(bytes, out);
  }

 private:
  StoredMember member_;
};

class ZlibStream : public GzipCompressor {
 public:
  ZlibStream() {
    constexpr int kGzipWindow = 15 + 16, kMemory = 8;
    CADDIS_CHECK(deflateInit2(&stream_, kSmallLevel, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY) == Z_OK);
  }
  ~ZlibStream() override { deflateEnd(&stream_); }

  void write(std::string_view bytes, bool last, std::string& out) override {
    constexpr size_t kMaxPiece = 1U << 30;
    do {
      const std::string_view piece = bytes.substr(0, kMaxPiece);
      bytes.remove_prefix(piece.size());
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
      stream_.avail_in = static_cast<uInt>(piece.size());
      drain(last && bytes.empty() ? Z_FINISH : Z_NO_FLUSH, out);
    } while (!bytes.empty());
    if (last) deflateReset(&stream_);
  }

 private:
  void drain(int flush, std::string& out) {
    do {
      const size_t before = out.size();
      out.resize_and_overwrite(before + kOutputStep, [&](char* buffer, size_t) {
        stream_.next_out = reinterpret_cast<Bytef*>(buffer + before);
        stream_.avail_out = static_cast<uInt>(kOutputStep);
        deflate(&stream_, flush);
        return before + kOutputStep - stream_.avail_out;
      });
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
};

}  // namespace

GzipStream::GzipStream(GzipEffort effort) {
  if (effort == GzipEffort::small) {
    compressor_ = std::make_unique<ZlibStream>();
  } else if (effort == GzipEffort::cheapest) {
    compressor_ = std::make_unique<StoredStream>();
  } else {
    compressor_ = std::make_unique<FastStream>();
  }
}
GzipStream::GzipStream(GzipStream&&) noexcept = default;
GzipStream& GzipStream::operator=(GzipStream&&) noexcept = default;
GzipStream::~GzipStream() = default;

void GzipStream::write(std::string_view bytes, std::string& out) {
  if (!bytes.empty()) compressor_->write(bytes, false, out);
}
void GzipStream::finish(std::string& out) { compressor_->write({}, true, out); }

}  // namespace caddis::io
