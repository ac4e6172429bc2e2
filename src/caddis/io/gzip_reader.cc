// Inflating half of gzip.h: zlib's raw inflate for streams, libdeflate for whole members.
//
// ISA-L streams large members twice as fast, but 2.30 reads past the end of its input on some damaged data (avail_in
// passes below zero): not for hostile bytes. Only its CRC is used, three times as fast as zlib's.
//
// The wrapper (RFC 1952 section 2.3) is read here and not by the library, so that a flaw can be named with its place,
// and a member whose trailer alone is wrong can be told from one whose data is damaged:
//
//   header:  1f 8b 08 FLG MTIME(4) XFL OS  [XLEN(2) extra] [name 00] [comment 00] [CRC16]
//   deflate data
//   trailer: CRC32(4) ISIZE(4)
#include <isa-l/crc.h>
#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <array>

#include "caddis/base/check.h"
#include "caddis/io/gzip.h"
#include "fmt/format.h"

namespace caddis::io {
namespace {

constexpr uint8_t kHeaderCrc = 2, kExtra = 4, kName = 8, kComment = 16, kReserved = 0xe0;
constexpr size_t kFixedHeader = 10;
// Names and comments in gzip headers are short; an endless one is damage.
constexpr size_t kMaxHeaderText = 64 * 1024;

uint8_t byte_at(std::string_view bytes, size_t i) { return static_cast<uint8_t>(bytes[i]); }

uint32_t little_endian32(const std::array<uint8_t, 8>& bytes, size_t at) {
  return static_cast<uint32_t>(bytes[at]) | static_cast<uint32_t>(bytes[at + 1]) << 8 |
         static_cast<uint32_t>(bytes[at + 2]) << 16 | static_cast<uint32_t>(bytes[at + 3]) << 24;
}

}  // namespace

bool looks_like_gzip(std::string_view bytes) {
  return bytes.size() >= 4 && byte_at(bytes, 0) == 0x1f && byte_at(bytes, 1) == 0x8b && byte_at(bytes, 2) == 8 &&
         (byte_at(bytes, 3) & kReserved) == 0;
}

struct GunzipStream::State {
  enum class Phase { fixed_header, extra_length, extra, name, comment, header_crc, data, trailer };

  z_stream inflater{};
  Phase phase = Phase::fixed_header;
  std::array<uint8_t, kFixedHeader> header{};
  size_t have = 0;  // bytes of the current fixed-size field or text
  size_t want = 0;
  uint8_t flags = 0;
  std::array<uint8_t, 8> trailer{};
  uint32_t crc = 0;
  uint64_t length = 0;  // of the data so far
  uint64_t consumed = 0;
  size_t damaged_output = 0;
  bool only_trailer_wrong = false;
  bool ended = true;

  State() {
    constexpr int kRawWindow = -15;
    CADDIS_CHECK(inflateInit2(&inflater, kRawWindow) == Z_OK);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { inflateEnd(&inflater); }

  void begin() {
    inflateReset(&inflater);
    phase = Phase::fixed_header;
    have = want = 0;
    flags = 0;
    crc = 0;
    length = consumed = 0;
    damaged_output = 0;
    only_trailer_wrong = ended = false;
  }

  std::unexpected<Error> damage(std::string_view what) const {
    return fail(ErrorCode::corrupt, fmt::format("{} at byte {} of the gzip member", what, consumed));
  }

  void take(std::string_view& input, size_t n) {
    input.remove_prefix(n);
    consumed += n;
  }

  // The field after `done`, by the flags.
  void enter_after(Phase done) {
    have = 0;
    if (done < Phase::extra_length && (flags & kExtra)) {
      phase = Phase::extra_length;
    } else if (done < Phase::name && (flags & kName)) {
      phase = Phase::name;
    } else if (done < Phase::comment && (flags & kComment)) {
      phase = Phase::comment;
    } else if (done < Phase::header_crc && (flags & kHeaderCrc)) {
      phase = Phase::header_crc;
    } else {
      phase = Phase::data;
    }
  }

  Result<void> read_header(std::string_view& input) {
    while (!input.empty() && phase < Phase::data) {
      const uint8_t byte = byte_at(input, 0);
      switch (phase) {
        case Phase::fixed_header:
          header[have] = byte;
          if ((have == 0 && byte != 0x1f) || (have == 1 && byte != 0x8b)) return damage("no gzip magic");
          if (have == 2 && byte != 8) return damage("unknown compression method");
          if (have == 3 && (byte & kReserved)) return damage("reserved gzip flags");
          if (++have == kFixedHeader) {
            flags = header[3];
            enter_after(Phase::fixed_header);
          }
          break;
        case Phase::extra_length:
          want = have == 0 ? byte : want | static_cast<size_t>(byte) << 8;
          if (++have == 2) {
            have = 0;
            phase = Phase::extra;
            if (want == 0) enter_after(Phase::extra);
          }
          break;
        case Phase::extra:
          if (++have == want) enter_after(Phase::extra);
          break;
        case Phase::name:
        case Phase::comment:
          if (++have > kMaxHeaderText) return damage("endless text in the gzip header");
          if (byte == 0) enter_after(phase);
          break;
        case Phase::header_crc:
          if (++have == 2) enter_after(Phase::header_crc);
          break;
        default:
          break;
      }
      take(input, 1);
    }
    return {};
  }

  Result<size_t> read_data(std::string_view& input, std::span<char> output) {
    constexpr size_t kMaxPiece = 1U << 30;
    const size_t offered = std::min(input.size(), kMaxPiece);
    const size_t room = std::min(output.size(), kMaxPiece);
    inflater.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    inflater.avail_in = static_cast<uInt>(offered);
    inflater.next_out = reinterpret_cast<Bytef*>(output.data());
    inflater.avail_out = static_cast<uInt>(room);
    const int code = ::inflate(&inflater, Z_NO_FLUSH);
    const size_t written = room - inflater.avail_out;
    take(input, offered - inflater.avail_in);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      damaged_output = written;
      return damage(inflater.msg != nullptr ? inflater.msg : "invalid deflate data");
    }
    crc = crc32_gzip_refl(crc, reinterpret_cast<const unsigned char*>(output.data()), written);
    length += written;
    if (code == Z_STREAM_END) {
      phase = Phase::trailer;
      have = 0;
    }
    return written;
  }

  Result<void> read_trailer(std::string_view& input) {
    const size_t n = std::min(input.size(), trailer.size() - have);
    std::copy_n(input.begin(), n, trailer.begin() + static_cast<ptrdiff_t>(have));
    have += n;
    take(input, n);
    if (have < trailer.size()) return {};
    ended = true;
    const bool crc_right = little_endian32(trailer, 0) == crc;
    const bool length_right = little_endian32(trailer, 4) == static_cast<uint32_t>(length);
    if (crc_right && length_right) return {};
    only_trailer_wrong = true;
    return damage(!crc_right
                      ? fmt::format("CRC mismatch (stored {:08x}, data has {:08x})", little_endian32(trailer, 0), crc)
                      : fmt::format("length mismatch (stored {}, data has {})", little_endian32(trailer, 4),
                                    length & 0xffffffffU));
  }
};

GunzipStream::GunzipStream() : state_(std::make_unique<State>()) { state_->begin(); }
GunzipStream::GunzipStream(GunzipStream&&) noexcept = default;
GunzipStream& GunzipStream::operator=(GunzipStream&&) noexcept = default;
GunzipStream::~GunzipStream() = default;

void GunzipStream::begin_member() { state_->begin(); }
uint64_t GunzipStream::member_bytes() const { return state_->consumed; }
size_t GunzipStream::damaged_output() const { return state_->damaged_output; }
bool GunzipStream::only_trailer_wrong() const { return state_->only_trailer_wrong; }
bool GunzipStream::inside_member() const { return !state_->ended && state_->consumed > 0; }

Result<GunzipStream::Step> GunzipStream::inflate(std::string_view& input, std::span<char> output) {
  State& state = *state_;
  if (state.ended) state.begin();
  state.damaged_output = 0;
  if (state.phase < State::Phase::data) TRY_VOID(state.read_header(input));
  Step step;
  if (state.phase == State::Phase::data && !output.empty()) {
    TRY(step.written, state.read_data(input, output));
  }
  if (state.phase == State::Phase::trailer) {
    state.damaged_output = step.written;
    TRY_VOID(state.read_trailer(input));
    step.member_end = state.ended;
  }
  return step;
}

namespace {
struct FreeDecompressor {
  void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};
}  // namespace

std::optional<WholeMember> gunzip_member(std::string_view input, std::span<char> output) {
  thread_local std::unique_ptr<libdeflate_decompressor, FreeDecompressor> decompressor(libdeflate_alloc_decompressor());
  CADDIS_CHECK(decompressor != nullptr);
  WholeMember whole;
  const libdeflate_result result = libdeflate_gzip_decompress_ex(
      decompressor.get(), input.data(), input.size(), output.data(), output.size(), &whole.consumed, &whole.written);
  if (result != LIBDEFLATE_SUCCESS) return std::nullopt;
  return whole;
}

Result<std::string> gunzip_all(std::string_view data, size_t max_output) {
  std::string out;
  GunzipStream gunzip;
  std::string buffer(64 * 1024, '\0');
  GunzipStream::Step step;
  do {
    TRY(step, gunzip.inflate(data, buffer));
    if (out.size() + step.written > max_output) {
      return fail(ErrorCode::limit, fmt::format("the data inflates to more than {} bytes", max_output));
    }
    out.append(buffer, 0, step.written);
  } while (!data.empty() || step.written == buffer.size());
  if (!step.member_end) return fail(ErrorCode::corrupt, fmt::format("the gzip data is cut after {} bytes", out.size()));
  return out;
}

}  // namespace caddis::io
