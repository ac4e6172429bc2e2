// Names and numbers are those of [MS-CFB] 2.2 (header), 2.3 (FAT), 2.4 (mini FAT), 2.5 (DIFAT) and 2.6 (directory).
// The file cannot have more sectors than bytes, so every table and every walk is bounded by its size.
#include "caddis/documents/compound_file.h"

#include <algorithm>
#include <limits>

#include "caddis/documents/byte_reader.h"

namespace caddis::documents {
namespace {

constexpr uint32_t kLargestSector = 0xFFFFFFFA;  // larger numbers are marks
constexpr size_t kInHeader = 109;                // sectors of the FAT that the header names
constexpr size_t kEntry = 128;                   // bytes of a directory entry
constexpr uint8_t kStream = 2;                   // a kind of entries

}  // namespace

Result<CompoundFile> CompoundFile::open(std::string_view bytes, const Limits& limits) {
  ByteReader header(bytes);
  header.seek(30);
  CompoundFile file(bytes);
  file.shift_ = header.u16();
  file.small_shift_ = header.u16();
  header.seek(56);
  file.small_below_ = header.u32();
  if (header.overran() || (file.shift_ != 9 && file.shift_ != 12) || file.small_shift_ != 6)
    return fail(ErrorCode::parse, "the header of the compound file is damaged");
  file.read_table();
  file.read_directory(limits);
  if (std::ranges::all_of(file.entries_, &std::string::empty, &Entry::name))
    return fail(ErrorCode::parse, "the compound file has no directory");
  return file;
}

// The header takes the place of a sector, whatever its size.
std::string_view CompoundFile::sector(uint32_t number) const {
  const uint64_t begin = (uint64_t{number} + 1) << shift_;
  if (number > kLargestSector || begin >= bytes_.size()) return {};
  return bytes_.substr(begin, size_t{1} << shift_);
}

void CompoundFile::read_table() {
  const size_t most = (bytes_.size() >> shift_) + 1;
  const auto add = [&](uint32_t number) {
    ByteReader table(sector(number));
    while (!table.at_end() && next_.size() < most) next_.push_back(table.u32());
  };
  ByteReader header(bytes_);
  header.seek(68);
  uint32_t more = header.u32();
  header.seek(76);
  for (size_t i = 0; i < kInHeader; ++i) add(header.u32());
  // Each sector of the DIFAT names sectors of the FAT, and last the sector that comes next.
  for (size_t seen = 0; more <= kLargestSector && seen < most && next_.size() < most; ++seen) {
    ByteReader names(sector(more));
    if (names.size() < 8) break;
    while (names.at() + 4 < names.size()) add(names.u32());
    more = names.u32();
  }
}

void CompoundFile::read_directory(const Limits& limits) {
  ByteReader header(bytes_);
  header.seek(48);
  const std::string directory = read_chain(header.u32(), std::min<uint64_t>(bytes_.size(), limits.entries * kEntry));
  for (size_t at = 0; at + kEntry <= directory.size(); at += kEntry) {
    ByteReader entry(std::string_view(directory).substr(at, kEntry));
    const std::string name = from_utf16(entry.take(64));
    const size_t name_length = entry.u16();
    const uint8_t kind = entry.u8();
    entry.seek(116);
    const uint32_t first = entry.u32();
    const uint64_t size = entry.u32();
    const bool is_used = kind != 0 && name_length != 0;
    entries_.push_back(is_used ? Entry{name, kind == kStream, first, size} : Entry{});
  }
  // The first entry is the root, whose bytes are the small sectors.
  if (entries_.empty()) return;
  find_storages(directory);
  small_ = read_chain(entries_.front().first, entries_.front().size);
  header.seek(60);
  const std::string table = read_chain(header.u32(), bytes_.size());
  for (ByteReader numbers(table); !numbers.at_end();) small_next_.push_back(numbers.u32());
}

// The entries of a storage are a tree of their own, which its entry names the root of ([MS-CFB] 2.6.4).
void CompoundFile::find_storages(std::string_view directory) {
  constexpr size_t kLeft = 68;
  struct Step {
    uint32_t entry, storage;
  };
  std::vector<bool> known(entries_.size(), false);
  std::vector<Step> open;
  const auto go_to = [&](uint32_t entry, uint32_t storage) {
    if (entry >= entries_.size() || known[entry]) return;
    known[entry] = true;
    entries_[entry].storage = storage;
    open.push_back({entry, storage});
  };
  go_to(0, 0);
  while (!open.empty()) {
    const Step step = open.back();
    open.pop_back();
    ByteReader tree(directory.substr(step.entry * kEntry, kEntry));
    tree.seek(kLeft);
    go_to(tree.u32(), step.storage);
    go_to(tree.u32(), step.storage);
    go_to(tree.u32(), step.entry);
  }
}

std::string CompoundFile::read_chain(uint32_t first, uint64_t size) const {
  std::string out;
  size = std::min<uint64_t>(size, bytes_.size());
  for (uint32_t at = first; at <= kLargestSector && out.size() < size;) {
    const std::string_view piece = sector(at);
    if (piece.empty()) break;
    out += piece.substr(0, size - out.size());
    at = at < next_.size() ? next_[at] : std::numeric_limits<uint32_t>::max();
  }
  return out;
}

std::string CompoundFile::read_small(const Entry& stream, uint64_t size) const {
  std::string out;
  size = std::min<uint64_t>(size, small_.size());
  for (uint32_t at = stream.first; at <= kLargestSector && out.size() < size;) {
    const uint64_t begin = uint64_t{at} << small_shift_;
    if (begin >= small_.size()) break;
    out += std::string_view(small_).substr(begin, std::min<uint64_t>(size_t{1} << small_shift_, size - out.size()));
    at = at < small_next_.size() ? small_next_[at] : std::numeric_limits<uint32_t>::max();
  }
  return out;
}

const CompoundFile::Entry* CompoundFile::find(std::string_view name, uint32_t storage) const {
  const auto found = std::ranges::find_if(
      entries_, [&](const Entry& entry) { return entry.is_stream && entry.storage == storage && entry.name == name; });
  return found == entries_.end() ? nullptr : &*found;
}

std::string CompoundFile::read(const Entry& stream, uint64_t most) const {
  const uint64_t size = std::min(stream.size, most);
  return stream.size < small_below_ ? read_small(stream, size) : read_chain(stream.first, size);
}

}  // namespace caddis::documents
