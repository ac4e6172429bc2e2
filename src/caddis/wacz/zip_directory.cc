// From the end of the file: the end record (behind it a comment of up to 64 KB), the ZIP64 one if the first says that it
// has no room, and then the directory, an entry after the other.
#include "caddis/wacz/zip_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "caddis/base/strings.h"

namespace caddis::wacz {
namespace {

constexpr uint32_t kEndMark = 0x06054b50, kEnd64Mark = 0x06064b50, kLocator64Mark = 0x07064b50;
constexpr uint32_t kEntryMark = 0x02014b50, kHeaderMark = 0x04034b50;
constexpr size_t kEndSize = 22, kLocatorSize = 20, kEnd64Size = 56, kEntrySize = 46, kHeaderSize = 30;
constexpr uint32_t kNoRoom = 0xFFFFFFFF;
constexpr uint16_t kExtra64 = 1;

uint64_t number(std::string_view bytes, size_t at, size_t size) {
  uint64_t value = 0;
  for (size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}
uint16_t number16(std::string_view bytes, size_t at) { return static_cast<uint16_t>(number(bytes, at, 2)); }
uint32_t number32(std::string_view bytes, size_t at) { return static_cast<uint32_t>(number(bytes, at, 4)); }

Result<std::string> read_whole(const io::File& file, uint64_t offset, uint64_t size) {
  std::string bytes(size, '\0');
  TRY(const size_t got, file.read_at(offset, bytes.data(), bytes.size()));
  if (got != size) return fail(ErrorCode::corrupt, "the zip archive is cut");
  return bytes;
}

struct Directory {
  uint64_t offset = 0, size = 0;
};

Result<std::optional<Directory>> directory64(const io::File& file, uint64_t end) {
  if (end < kLocatorSize) return std::nullopt;
  TRY(const std::string locator, read_whole(file, end - kLocatorSize, kLocatorSize));
  if (number32(locator, 0) != kLocator64Mark) return std::nullopt;
  const uint64_t at = number(locator, 8, 8);
  if (end < kEnd64Size + kLocatorSize || at > end - kEnd64Size - kLocatorSize)
    return fail(ErrorCode::corrupt, "the zip archive has its ZIP64 record outside of itself");
  TRY(const std::string record, read_whole(file, at, kEnd64Size));
  if (number32(record, 0) != kEnd64Mark) return fail(ErrorCode::corrupt, "the zip archive has no ZIP64 record");
  return Directory{number(record, 48, 8), number(record, 40, 8)};
}

Result<Directory> find_directory(const io::File& file, uint64_t size) {
  const uint64_t looked = std::min<uint64_t>(size, kEndSize + 0xFFFF);
  TRY(const std::string tail, read_whole(file, size - looked, looked));
  if (tail.size() < kEndSize) return fail(ErrorCode::parse, "this is no zip archive");
  for (size_t at = tail.size() - kEndSize + 1; at-- > 0;) {
    if (number32(tail, at) != kEndMark || at + kEndSize + number16(tail, at + 20) != tail.size()) continue;
    if (number16(tail, at + 4) != 0 && number16(tail, at + 4) != 0xFFFF)
      return fail(ErrorCode::unsupported, "a zip archive in several files");
    const Directory small{number32(tail, at + 16), number32(tail, at + 12)};
    const bool has_no_room = small.offset == kNoRoom || small.size == kNoRoom || number16(tail, at + 10) == 0xFFFF;
    if (!has_no_room) return small;
    TRY(const auto large, directory64(file, size - looked + at));
    return large.value_or(small);
  }
  return fail(ErrorCode::parse, "this is no zip archive, or its end is missing");
}

bool leads_out(std::string_view name) {
  if (name.empty() || name.starts_with('/') || name.find('\\') != std::string_view::npos ||
      name.find('\0') != std::string_view::npos)
    return true;
  return std::ranges::any_of(split(name, '/'), [](std::string_view part) { return part == ".." || part == "."; });
}

// Numbers for which the fields of the entry have no room stand in an extra field, in this order.
Result<void> read_extra64(std::string_view extra, PackedFile& entry) {
  while (extra.size() >= 4) {
    const uint16_t id = number16(extra, 0), length = number16(extra, 2);
    if (extra.size() < size_t{4} + length) break;
    std::string_view field = extra.substr(4, length);
    extra.remove_prefix(size_t{4} + length);
    if (id != kExtra64) continue;
    for (uint64_t* const value : {&entry.size, &entry.packed_size, &entry.header}) {
      if (*value != kNoRoom) continue;
      if (field.size() < 8) return fail(ErrorCode::corrupt, entry.name + ": a ZIP64 field is cut");
      *value = number(field, 0, 8);
      field.remove_prefix(8);
    }
  }
  return {};
}

Result<PackedFile> read_entry(std::string_view& rest) {
  if (rest.size() < kEntrySize || number32(rest, 0) != kEntryMark)
    return fail(ErrorCode::corrupt, "the directory of the zip archive is damaged");
  PackedFile entry;
  const size_t name = number16(rest, 28), extra = number16(rest, 30), comment = number16(rest, 32);
  if (rest.size() < kEntrySize + name + extra + comment)
    return fail(ErrorCode::corrupt, "the directory of the zip archive is cut");
  entry.name = rest.substr(kEntrySize, name);
  entry.method = number16(rest, 10);
  entry.crc = number32(rest, 16);
  entry.packed_size = number32(rest, 20);
  entry.size = number32(rest, 24);
  entry.header = number32(rest, 42);
  if ((number16(rest, 8) & 1) != 0) return fail(ErrorCode::unsupported, entry.name + " is encrypted");
  TRY_VOID(read_extra64(rest.substr(kEntrySize + name, extra), entry));
  rest.remove_prefix(kEntrySize + name + extra + comment);
  return entry;
}

}  // namespace

Result<std::vector<PackedFile>> read_zip_directory(const io::File& file) {
  TRY(const uint64_t size, file.size());
  TRY(const Directory directory, find_directory(file, size));
  if (directory.size > kLargestDirectory)
    return fail(ErrorCode::limit, "the directory of the zip archive is larger than 64 MiB");
  if (directory.size > size || directory.offset > size - directory.size)
    return fail(ErrorCode::corrupt, "the directory of the zip archive lies outside of it");
  TRY(const std::string bytes, read_whole(file, directory.offset, directory.size));
  std::vector<PackedFile> entries;
  std::set<std::string, std::less<>> names;
  std::string_view rest = bytes;
  for (uint64_t number = 0; !rest.empty(); ++number) {
    TRY(PackedFile entry, read_entry(rest));
    entry.number = number;
    if (entry.name.ends_with('/')) continue;
    if (leads_out(entry.name)) return fail(ErrorCode::denied, fmt::format("'{}' leads out of the archive", entry.name));
    if (!names.insert(entry.name).second) return fail(ErrorCode::corrupt, entry.name + " is in the archive twice");
    if (entry.header > size || entry.packed_size > size - entry.header ||
        (entry.is_stored() && entry.packed_size != entry.size))
      return fail(ErrorCode::corrupt, entry.name + " lies outside of the archive");
    entries.push_back(std::move(entry));
  }
  return entries;
}

Result<uint64_t> data_offset(const io::File& file, const PackedFile& entry) {
  TRY(const std::string header, read_whole(file, entry.header, kHeaderSize));
  if (number32(header, 0) != kHeaderMark) return fail(ErrorCode::corrupt, entry.name + " has no header in the archive");
  const uint64_t offset = entry.header + kHeaderSize + number16(header, 26) + number16(header, 28);
  TRY(const uint64_t size, file.size());
  if (offset > size || entry.packed_size > size - offset) return fail(ErrorCode::corrupt, entry.name + " is cut");
  return offset;
}

}  // namespace caddis::wacz
