#include "caddis/store/packed_log.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/io/gzip.h"

namespace caddis::store {
namespace {

constexpr size_t kMemberText = 1 << 20;
constexpr size_t kHeader = 10;  // of a member without further fields (RFC 1952, 2.3)
constexpr char kHasExtra = 4;
// The extra field begins with its length, then comes the one subfield: two letters, its length, two numbers.
constexpr size_t kExtraFront = 6;

template <class Number>
void append_number(std::string& out, Number number) {
  for (size_t i = 0; i < sizeof(Number); ++i) out += static_cast<char>(number >> (8 * i) & 0xff);
}

uint64_t number_at(std::string_view bytes, size_t at) {
  uint64_t number = 0;
  for (size_t i = sizeof(uint64_t); i-- > 0;) number = number << 8 | static_cast<uint8_t>(bytes[at + i]);
  return number;
}

// Puts a subfield into the header of a member that has none.
void insert_extra(std::string& member, std::string_view letters, std::string_view data) {
  CADDIS_CHECK(member.size() > kHeader && member[3] == 0);
  member[3] = kHasExtra;
  std::string extra;
  append_number(extra, static_cast<uint16_t>(letters.size() + sizeof(uint16_t) + data.size()));
  extra += letters;
  append_number(extra, static_cast<uint16_t>(data.size()));
  extra += data;
  member.insert(kHeader, extra);
}

void make_member(std::string& member, std::string_view text) {
  member.clear();
  io::gzip_member_append(member, {text}, io::GzipEffort::small);
  std::string lengths;
  append_number(lengths, static_cast<uint32_t>(member.size() + kExtraFront + 2 * sizeof(uint32_t)));
  append_number(lengths, static_cast<uint32_t>(text.size()));
  insert_extra(member, "CL", lengths);
}

// The empty member behind so many bytes.
std::string end_member(uint64_t text, uint64_t packed) {
  std::string member = io::gzip_member({}, io::GzipEffort::small), lengths;
  append_number(lengths, text);
  append_number(lengths, packed);
  insert_extra(member, "CE", lengths);
  return member;
}

Result<void> rename_durably(io::Files& files, const std::string& from, const std::string& to) {
  TRY_VOID(files.rename(from, to));
  return files.sync_dir(io::parent_path(to));
}

// An empty file, whatever was there.
Result<std::unique_ptr<io::File>> open_anew(io::Files& files, const std::string& path) {
  TRY(auto file, files.open_append(path));
  TRY_VOID(file->truncate(0));
  return file;
}

Result<void> inflate_into(io::File& from, io::File& to) {
  constexpr size_t kPiece = 256 << 10;
  io::GunzipStream gunzip;
  std::string packed(kPiece, '\0'), text(kPiece, '\0');
  for (uint64_t at = 0;;) {
    TRY(const size_t got, from.read_at(at, packed.data(), packed.size()));
    if (got == 0) return {};
    at += got;
    for (std::string_view input(packed.data(), got); !input.empty();) {
      TRY(const auto step, gunzip.inflate(input, text));
      TRY_VOID(to.append(std::string_view(text).substr(0, step.written)));
    }
  }
}

}  // namespace

Result<std::optional<uint64_t>> length_of_packed(io::Files& files, const std::string& packed) {
  std::string end = end_member(0, 0);
  TRY(const auto file, files.open_read(packed));
  TRY(const uint64_t size, file->size());
  if (size < end.size()) return std::optional<uint64_t>();
  const uint64_t front = size - end.size();
  TRY(const size_t got, file->read_at(front, end.data(), end.size()));
  const uint64_t text = number_at(end, kHeader + kExtraFront);
  const bool is_whole = got == end.size() && end == end_member(text, front);
  return is_whole ? std::optional(text) : std::nullopt;
}

Result<void> unpack_log(io::Files& files, const std::string& path) {
  const std::string begun = packing_path(path);
  {
    TRY(const auto from, files.open_read(packed_path(path)));
    TRY(const auto to, open_anew(files, begun));
    TRY_VOID(inflate_into(*from, *to));
    TRY_VOID(to->sync());
  }
  return rename_durably(files, begun, path);
}

Result<bool> LogPacker::step(uint64_t bytes) {
  if (!to_) TRY_VOID(begin());
  const uint64_t until = std::min(length_, read_ + bytes);
  while (read_ < until) TRY_VOID(pack_member());
  if (read_ < length_) return false;
  TRY_VOID(finish());
  return true;
}

Result<void> LogPacker::begin() {
  TRY(from_, files_.open_read(path_));
  TRY(to_, open_anew(files_, packing_path(path_)));
  return {};
}

Result<void> LogPacker::pack_member() {
  text_.resize(std::min<uint64_t>(kMemberText, length_ - read_));
  TRY(const size_t got, from_->read_at(read_, text_.data(), text_.size()));
  if (got < text_.size()) return fail(ErrorCode::io, path_ + " is shorter than it was");
  // Up to the end of a line, if there is one, and this is not the rest.
  if (const size_t line = text_.rfind('\n'); line != std::string::npos && read_ + got < length_) text_.resize(line + 1);
  make_member(member_, text_);
  TRY_VOID(to_->append(member_));
  read_ += text_.size();
  written_ += member_.size();
  return {};
}

Result<void> LogPacker::finish() {
  TRY_VOID(to_->append(end_member(length_, written_)));
  TRY_VOID(to_->sync());
  from_.reset();
  to_.reset();
  return rename_durably(files_, packing_path(path_), packed_path(path_));
}

}  // namespace caddis::store
