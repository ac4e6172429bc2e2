#include "caddis/wacz/zip_writer.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "caddis/io/checksum.h"
#include "caddis/io/digest.h"

namespace caddis::wacz {
namespace {

constexpr size_t kPiece = 1 << 20;
constexpr uint64_t kNoRoom = 0xFFFFFFFF;
constexpr uint16_t kPlain = 20, kVersion64 = 45;  // of the program that is needed to unpack
constexpr uint16_t kUtf8Names = 1 << 11;

void put(std::string& out, uint64_t value, int size) {
  for (int i = 0; i < size; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

uint32_t narrow(uint64_t value) { return static_cast<uint32_t>(std::min(value, kNoRoom)); }

Result<void> each_piece(const io::File& file, const std::function<Result<void>(std::string_view piece)>& use) {
  std::string piece(kPiece, '\0');
  for (uint64_t at = 0;;) {
    TRY(const size_t got, file.read_at(at, piece.data(), piece.size()));
    if (got == 0) return {};
    TRY_VOID(use(std::string_view(piece).substr(0, got)));
    at += got;
  }
}

}  // namespace

ZipWriter::ZipWriter(io::Files& files, std::string path, std::unique_ptr<io::File> file, WallTime now)
    : files_(files), path_(std::move(path)), file_(std::move(file)) {
  const auto day = std::chrono::floor<std::chrono::days>(now);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(now - day));
  const int years = std::max(static_cast<int>(date.year()) - 1980, 0);
  date_ = static_cast<uint16_t>(years << 9 | static_cast<int>(static_cast<unsigned>(date.month())) << 5 |
                                static_cast<int>(static_cast<unsigned>(date.day())));
  time_ =
      static_cast<uint16_t>(clock.hours().count() << 11 | clock.minutes().count() << 5 | clock.seconds().count() / 2);
}

Result<std::unique_ptr<ZipWriter>> ZipWriter::create(io::Files& files, const std::string& path, WallTime now) {
  if (files.exists(path)) return fail(ErrorCode::conflict, path + " is there already");
  TRY_VOID(files.make_dirs(io::parent_path(path)));
  const std::string temporary = path + ".tmp";
  if (files.exists(temporary)) TRY_VOID(files.remove(temporary));
  TRY(auto file, files.open_append(temporary));
  return std::unique_ptr<ZipWriter>(new ZipWriter(files, path, std::move(file), now));
}

ZipWriter::~ZipWriter() {
  if (!file_) return;
  file_.reset();
  (void)files_.remove(path_ + ".tmp");
}

Result<void> ZipWriter::append(std::string_view bytes) {
  TRY_VOID(file_->append(bytes));
  at_ += bytes.size();
  return {};
}

Result<void> ZipWriter::begin(const std::string& name, uint32_t crc, uint64_t size) {
  const bool is_large = size >= kNoRoom;
  std::string header = "PK\x03\x04";
  put(header, is_large ? kVersion64 : kPlain, 2);
  put(header, kUtf8Names, 2);
  put(header, 0, 2);  // stored
  put(header, time_, 2);
  put(header, date_, 2);
  put(header, crc, 4);
  put(header, narrow(size), 4);
  put(header, narrow(size), 4);
  put(header, name.size(), 2);
  put(header, is_large ? 20 : 0, 2);
  header += name;
  if (is_large) {
    put(header, 1, 2);
    put(header, 16, 2);
    put(header, size, 8);
    put(header, size, 8);
  }
  entries_.push_back({name, crc, size, at_});
  return append(header);
}

Result<ZipWriter::Written> ZipWriter::add_file(const std::string& name, const io::File& file) {
  io::Sha256 sha256;
  uint32_t crc = 0;
  Written written;
  TRY_VOID(each_piece(file, [&](std::string_view piece) -> Result<void> {
    sha256.update(piece);
    crc = io::crc32(piece, crc);
    written.size += piece.size();
    return {};
  }));
  written.sha256 = sha256.finish();
  TRY_VOID(begin(name, crc, written.size));
  uint32_t again = 0;
  uint64_t size = 0;
  TRY_VOID(each_piece(file, [&](std::string_view piece) -> Result<void> {
    again = io::crc32(piece, again);
    size += piece.size();
    return size > written.size ? Result<void>() : append(piece);
  }));
  if (again != crc || size != written.size)
    return fail(ErrorCode::conflict, name + " was changed while it was packed; try again when nobody writes it");
  return written;
}

Result<ZipWriter::Written> ZipWriter::add(const std::string& name, std::string_view bytes) {
  TRY_VOID(begin(name, io::crc32(bytes), bytes.size()));
  TRY_VOID(append(bytes));
  return Written{io::sha256(bytes), bytes.size()};
}

std::string ZipWriter::directory() const {
  std::string out;
  for (const Entry& entry : entries_) {
    const bool is_large = entry.size >= kNoRoom, is_far = entry.header >= kNoRoom;
    const int extra = (is_large ? 16 : 0) + (is_far ? 8 : 0);
    out += "PK\x01\x02";
    put(out, kVersion64 | 3 << 8, 2);  // made on Unix
    put(out, extra > 0 ? kVersion64 : kPlain, 2);
    put(out, kUtf8Names, 2);
    put(out, 0, 2);
    put(out, time_, 2);
    put(out, date_, 2);
    put(out, entry.crc, 4);
    put(out, narrow(entry.size), 4);
    put(out, narrow(entry.size), 4);
    put(out, entry.name.size(), 2);
    put(out, extra > 0 ? static_cast<uint64_t>(extra) + 4 : 0, 2);
    put(out, 0, 2 + 2 + 2);                // comment, disk, internal attributes
    put(out, uint64_t{0100644} << 16, 4);  // a file, readable by all
    put(out, narrow(entry.header), 4);
    out += entry.name;
    if (extra == 0) continue;
    put(out, 1, 2);
    put(out, static_cast<uint64_t>(extra), 2);
    if (is_large) put(out, entry.size, 8);
    if (is_large) put(out, entry.size, 8);
    if (is_far) put(out, entry.header, 8);
  }
  return out;
}

Result<void> ZipWriter::finish() {
  const std::string entries = directory();
  const uint64_t offset = at_;
  TRY_VOID(append(entries));
  std::string end;
  const bool is_large = offset >= kNoRoom || entries.size() >= kNoRoom || entries_.size() >= 0xFFFF;
  if (is_large) {
    end += "PK\x06\x06";
    put(end, 44, 8);
    put(end, kVersion64, 2);
    put(end, kVersion64, 2);
    put(end, 0, 8);  // disks
    put(end, entries_.size(), 8);
    put(end, entries_.size(), 8);
    put(end, entries.size(), 8);
    put(end, offset, 8);
    end += "PK\x06\x07";
    put(end, 0, 4);
    put(end, at_, 8);
    put(end, 1, 4);
  }
  end += "PK\x05\x06";
  put(end, 0, 4);
  put(end, std::min<uint64_t>(entries_.size(), 0xFFFF), 2);
  put(end, std::min<uint64_t>(entries_.size(), 0xFFFF), 2);
  put(end, narrow(entries.size()), 4);
  put(end, narrow(offset), 4);
  put(end, 0, 2);
  TRY_VOID(append(end));
  TRY_VOID(file_->sync());
  file_.reset();
  TRY_VOID(files_.rename(path_ + ".tmp", path_));
  return files_.sync_dir(io::parent_path(path_));
}

}  // namespace caddis::wacz
