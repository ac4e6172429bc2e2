#include "caddis/warc/record_scan.h"

#include <algorithm>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/warc/header_parser.h"

namespace caddis::warc {
namespace {

constexpr size_t kWindow = 256 * 1024;
constexpr size_t kMaxArcLine = 16 * 1024;

bool is_arc_start(std::string_view bytes) {
  if (bytes.empty() || !is_alpha(bytes[0])) return false;
  const size_t end = bytes.substr(0, kMaxArcLine).find('\n');
  return end != std::string_view::npos && parse_arc_line(bytes.substr(0, end)).has_value();
}

// The next place at or after `from` where a record could begin, looked for by its first bytes alone.
size_t next_candidate(std::string_view bytes, size_t from, Dialect dialect) {
  const size_t warc = dialect == Dialect::arc ? std::string_view::npos : bytes.find("WARC/", from);
  if (dialect == Dialect::warc) return warc;
  size_t line = from;
  if (line > 0 && bytes[line - 1] != '\n') {
    line = bytes.find('\n', line);
    if (line != std::string_view::npos) ++line;
  }
  return std::min(warc, line < bytes.size() ? line : std::string_view::npos);
}

// Tells whether units begin with records.
class UnitFront {
 public:
  UnitFront(Packing packing, const io::ZstdDictionary* dictionary) : packing_(packing) {
    if (packing == Packing::zstd) unzstd_.emplace().use(dictionary);
  }

  bool holds_record(std::string_view bytes, Dialect dialect) {
    const size_t have = packing_ == Packing::zstd ? unpack_zstd(bytes) : unpack_gzip(bytes);
    return is_record_start(std::string_view(front_).substr(0, have), dialect);
  }

 private:
  size_t unpack_gzip(std::string_view bytes) {
    gunzip_.begin_member();
    size_t have = 0;
    while (have < front_.size() && !bytes.empty()) {
      const auto step = gunzip_.inflate(bytes, std::span(front_).subspan(have));
      have += step ? step->written : gunzip_.damaged_output();
      if (!step || step->member_end || step->written == 0) break;
    }
    return have;
  }

  size_t unpack_zstd(std::string_view bytes) {
    unzstd_->begin_frame();
    const auto step = unzstd_->decompress(bytes, front_);
    return step ? step->written : unzstd_->damaged_output();
  }

  Packing packing_;
  std::string front_ = std::string(kMaxArcLine, '\0');
  io::GunzipStream gunzip_;
  std::optional<io::UnzstdStream> unzstd_;
};

}  // namespace

bool is_record_start(std::string_view bytes, Dialect dialect) {
  if (dialect != Dialect::arc && starts_like_warc(bytes)) return true;
  return dialect != Dialect::warc && is_arc_start(bytes);
}

bool is_sound_record(std::string_view bytes, Dialect dialect) {
  if (dialect != Dialect::arc && is_sound_warc_header(bytes.substr(0, kScanHeader))) return true;
  return dialect != Dialect::warc && is_arc_start(bytes);
}

std::optional<size_t> find_record(std::string_view bytes, size_t from, Dialect dialect) {
  for (size_t at = next_candidate(bytes, from, dialect); at != std::string_view::npos;
       at = next_candidate(bytes, at + 1, dialect)) {
    if (is_sound_record(bytes.substr(at), dialect)) return at;
  }
  return std::nullopt;
}

Result<std::optional<uint64_t>> find_plain_record(const ByteSource& source, uint64_t from, uint64_t end,
                                                  Dialect dialect) {
  std::string window(kWindow + kScanHeader, '\0');
  // The byte before `from` goes in front, so that a line's begin can be told.
  uint64_t offset = from == 0 ? 0 : from - 1;
  size_t start = from == 0 ? 0 : 1;
  while (offset < end) {
    TRY(const size_t n, source.read_at(offset, window.data(), window.size()));
    const std::string_view bytes(window.data(), n);
    if (const auto found = find_record(bytes, start, dialect)) {
      if (offset + *found >= end) return std::nullopt;
      return offset + *found;
    }
    if (n < window.size()) return std::nullopt;
    // What is near the window's end may be a header that is cut by it: it comes again in the next window.
    offset += kWindow - 1;
    start = 1;
  }
  return std::nullopt;
}

Result<std::optional<uint64_t>> find_packed_record(const ByteSource& source, uint64_t from, Dialect dialect,
                                                   Packing packing, const io::ZstdDictionary* dictionary) {
  constexpr size_t kZstdBlock = 132 * 1024;  // nothing of a smaller piece can be told
  const std::string_view magic = packing == Packing::zstd ? "\x28\xb5\x2f\xfd" : "\x1f\x8b\x08";
  std::string window(kWindow + (packing == Packing::zstd ? kZstdBlock : kScanHeader), '\0');
  UnitFront front(packing, dictionary);
  for (uint64_t offset = from;; offset += kWindow) {
    TRY(const size_t n, source.read_at(offset, window.data(), window.size()));
    const std::string_view bytes(window.data(), n);
    for (size_t at = bytes.find(magic); at != std::string_view::npos && at < kWindow; at = bytes.find(magic, at + 1)) {
      if (looks_like_unit(packing, bytes.substr(at)) && front.holds_record(bytes.substr(at), dialect))
        return offset + at;
    }
    if (n < window.size()) return std::nullopt;
  }
}

}  // namespace caddis::warc
