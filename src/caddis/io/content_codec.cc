#include "caddis/io/content_codec.h"

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/io/gzip.h"
#include "fmt/format.h"

namespace caddis::io {
namespace {

enum class Coding { identity, gzip, deflate, brotli, zstd, unknown };

constexpr size_t kStep = 64 * 1024;
// Nobody nests more than two; a header that names a hundred is an attack.
constexpr size_t kMaxCodings = 8;

Coding coding_of(std::string_view name) {
  if (name.empty() || equals_ignore_case(name, "identity") || equals_ignore_case(name, "none")) return Coding::identity;
  if (equals_ignore_case(name, "gzip") || equals_ignore_case(name, "x-gzip")) return Coding::gzip;
  if (equals_ignore_case(name, "deflate")) return Coding::deflate;
  if (equals_ignore_case(name, "br")) return Coding::brotli;
  if (equals_ignore_case(name, "zstd")) return Coding::zstd;
  return Coding::unknown;
}

// Collects output up to the limit and remembers why it stopped.
class Output {
 public:
  Output(std::string_view coding, std::string_view body, size_t limit) : coding_(coding), body_(body), limit_(limit) {}

  // False when the limit is reached.
  bool add(std::string_view bytes) {
    const size_t room = limit_ - decoded_.bytes.size();
    decoded_.bytes += bytes.substr(0, room);
    if (bytes.size() <= room) return true;
    stop(fmt::format("stopped at the limit of {} bytes", limit_));
    return false;
  }
  void stop(std::string_view why) {
    decoded_.complete = false;
    decoded_.problem = fmt::format("{}: {}", coding_, why);
  }
  void cut() {
    cut_ = true;
    stop(fmt::format("the data is cut; {} bytes could be decoded", decoded_.bytes.size()));
  }
  // Where not a byte could be decoded of data that is whole, the label is wrong: it is given as it is.
  Decoded take() {
    if (!decoded_.complete && !cut_ && decoded_.bytes.empty()) {
      decoded_.bytes = body_.substr(0, limit_);
      decoded_.problem += "; the body is given undecoded";
    }
    return std::move(decoded_);
  }

 private:
  std::string_view coding_;
  std::string_view body_;
  size_t limit_;
  bool cut_ = false;
  Decoded decoded_;
};

// One sound member and nothing behind it, as nearly every body is, in one go: a quarter of the time. Nothing where that
// cannot be or is not so: piece by piece it can be said what is wrong.
std::optional<std::string> gunzip_whole(std::string_view body, size_t limit) {
  constexpr size_t kTrailer = 4, kShortest = 18, kMostGrowth = 1032;
  if (body.size() < kShortest) return std::nullopt;
  size_t size = 0;
  for (size_t i = 1; i <= kTrailer; ++i) size = size << 8 | static_cast<uint8_t>(body[body.size() - i]);
  if (size == 0 || size > limit || size / kMostGrowth > body.size()) return std::nullopt;
  std::string out;
  out.resize_and_overwrite(size, [&](char* buffer, size_t) {
    const auto whole = gunzip_member(body, {buffer, size});
    return whole && whole->consumed == body.size() && whole->written == size ? size : 0;
  });
  if (out.empty()) return std::nullopt;
  return out;
}

Decoded gunzip(std::string_view body, size_t limit) {
  if (auto whole = gunzip_whole(body, limit)) {
    Decoded decoded;
    decoded.bytes = *std::move(whole);
    return decoded;
  }
  Output out("gzip", body, limit);
  GunzipStream stream;
  std::string buffer(kStep, '\0');
  bool member_end = false;
  size_t members = 0;
  for (size_t written = 0; !body.empty() || written == buffer.size();) {
    auto step = stream.inflate(body, buffer);
    if (!step) {
      out.add(std::string_view(buffer).substr(0, stream.damaged_output()));
      // Bytes behind a sound member are padding that browsers ignore too.
      if (members == 0 || !member_end) out.stop(step.error().message);
      return out.take();
    }
    written = step->written;
    if (!out.add(std::string_view(buffer).substr(0, written))) return out.take();
    if (written > 0 || step->member_end) member_end = step->member_end;
    if (step->member_end) {
      ++members;
      if (!looks_like_gzip(body)) return out.take();
    }
  }
  if (!member_end) out.cut();
  return out.take();
}

// The two header bytes of zlib (RFC 1950 section 2.2).
bool has_zlib_header(std::string_view body) {
  if (body.size() < 2) return false;
  const unsigned cmf = static_cast<uint8_t>(body[0]), flg = static_cast<uint8_t>(body[1]);
  return (cmf & 15) == 8 && (cmf >> 4) <= 7 && (cmf * 256 + flg) % 31 == 0;
}

Decoded inflate_with(std::string_view body, int window_bits, size_t limit) {
  Output out("deflate", body, limit);
  z_stream stream{};
  CADDIS_CHECK(inflateInit2(&stream, window_bits) == Z_OK);
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  std::string buffer(kStep, '\0');
  int code = Z_OK;
  do {
    constexpr size_t kMaxPiece = 1U << 30;
    const std::string_view piece = body.substr(0, kMaxPiece);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    stream.avail_in = static_cast<uInt>(piece.size());
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    code = ::inflate(&stream, Z_NO_FLUSH);
    body.remove_prefix(piece.size() - stream.avail_in);
    if (!out.add(std::string_view(buffer).substr(0, buffer.size() - stream.avail_out))) return out.take();
  } while (code == Z_OK && (!body.empty() || stream.avail_out == 0));
  if (code == Z_DATA_ERROR || code == Z_NEED_DICT) {
    out.stop(stream.msg != nullptr ? stream.msg : "invalid data");
  } else if (code != Z_STREAM_END) {
    out.cut();
  }
  return out.take();
}

// Servers mean either zlib or raw deflate; two bytes can deceive, so the other reading is tried where one gives
// nothing.
Decoded undeflate(std::string_view body, size_t limit) {
  constexpr int kZlib = 15, kRaw = -15;
  const bool zlib_first = has_zlib_header(body);
  Decoded first = inflate_with(body, zlib_first ? kZlib : kRaw, limit);
  if (first.complete) return first;
  Decoded second = inflate_with(body, zlib_first ? kRaw : kZlib, limit);
  return second.complete ? second : first;
}

Decoded unbrotli(std::string_view body, size_t limit) {
  Output out("br", body, limit);
  const std::unique_ptr<BrotliDecoderState, void (*)(BrotliDecoderState*)> decoder(
      BrotliDecoderCreateInstance(nullptr, nullptr, nullptr), BrotliDecoderDestroyInstance);
  CADDIS_CHECK(decoder != nullptr);
  auto* next_in = reinterpret_cast<const uint8_t*>(body.data());
  size_t available_in = body.size();
  for (;;) {
    size_t none = 0;
    const BrotliDecoderResult result =
        BrotliDecoderDecompressStream(decoder.get(), &available_in, &next_in, &none, nullptr, nullptr);
    for (size_t size = 0; BrotliDecoderHasMoreOutput(decoder.get()); size = 0) {
      const uint8_t* piece = BrotliDecoderTakeOutput(decoder.get(), &size);
      if (!out.add({reinterpret_cast<const char*>(piece), size})) return out.take();
    }
    if (result == BROTLI_DECODER_RESULT_SUCCESS) return out.take();
    if (result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT) {
      out.cut();
      return out.take();
    }
    if (result == BROTLI_DECODER_RESULT_ERROR) {
      out.stop(BrotliDecoderErrorString(BrotliDecoderGetErrorCode(decoder.get())));
      return out.take();
    }
  }
}

Decoded unzstd(std::string_view body, size_t limit) {
  // RFC 9659: a decoder for HTTP needs to support windows up to 8 MB; more is refused by browsers as well.
  constexpr int kMaxWindowLog = 23;
  Output out("zstd", body, limit);
  const std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> decoder(ZSTD_createDCtx(), ZSTD_freeDCtx);
  CADDIS_CHECK(decoder != nullptr);
  ZSTD_DCtx_setParameter(decoder.get(), ZSTD_d_windowLogMax, kMaxWindowLog);
  std::string buffer(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{body.data(), body.size(), 0};
  size_t hint = 1;
  for (size_t written = 0; in.pos < in.size || written == buffer.size();) {
    ZSTD_outBuffer piece{buffer.data(), buffer.size(), 0};
    hint = ZSTD_decompressStream(decoder.get(), &piece, &in);
    written = piece.pos;
    if (!out.add(std::string_view(buffer).substr(0, written))) return out.take();
    if (ZSTD_isError(hint)) {
      out.stop(ZSTD_getErrorName(hint));
      return out.take();
    }
  }
  if (hint != 0) out.cut();
  return out.take();
}

Decoded decode_one(std::string_view body, Coding coding, size_t limit) {
  // An empty body under a coding is what servers send with 204, 304 and HEAD; there is nothing to decode.
  if (body.empty()) return {};
  switch (coding) {
    case Coding::gzip:
      return gunzip(body, limit);
    case Coding::deflate:
      return undeflate(body, limit);
    case Coding::brotli:
      return unbrotli(body, limit);
    case Coding::zstd:
      return unzstd(body, limit);
    case Coding::identity:
    case Coding::unknown:
      break;
  }
  Output out("body", body, limit);
  out.add(body);
  return out.take();
}

}  // namespace

bool can_decode(std::string_view content_encoding) {
  const auto names = split(content_encoding, ',');
  return names.size() <= kMaxCodings &&
         std::ranges::none_of(names, [](std::string_view name) { return coding_of(trim(name)) == Coding::unknown; });
}

Decoded decode_content(std::string_view body, std::string_view content_encoding, size_t max_output) {
  auto names = split(content_encoding, ',');
  Decoded decoded;
  std::string problem;
  if (names.size() > kMaxCodings) {
    problem = fmt::format("{} content codings, more than {}: left as they are", names.size(), kMaxCodings);
    names.clear();
  }
  bool first = true;
  for (; !names.empty(); names.pop_back()) {
    const std::string_view name = trim(names.back());
    const Coding coding = coding_of(name);
    if (coding == Coding::identity) continue;
    if (coding == Coding::unknown) {
      problem = fmt::format("unknown content coding '{}'", name.substr(0, 40));
      break;
    }
    const std::string coded = std::move(decoded.bytes);
    decoded = decode_one(first ? body : std::string_view(coded), coding, max_output);
    first = false;
    if (problem.empty()) problem = decoded.problem;
  }
  if (first) decoded = decode_one(body, Coding::identity, max_output);
  if (problem.empty()) problem = decoded.problem;
  decoded.complete = problem.empty();
  decoded.problem = std::move(problem);
  return decoded;
}

Result<std::string> decode_content_strictly(std::string_view body, std::string_view content_encoding,
                                            size_t max_output) {
  Decoded decoded = decode_content(body, content_encoding, max_output);
  if (!decoded.complete) return fail(ErrorCode::corrupt, decoded.problem);
  return std::move(decoded.bytes);
}

}  // namespace caddis::io
